import { assert, describe, it } from "@effect/vitest"
import { WorkerCrashed } from "@trunkline/workers"
import { Deferred, Effect, Exit, Fiber, Logger, Scope, TestClock } from "effect"
import { afterEach, vi } from "vitest"
import type { ChartThread, RenderRequest, Reply } from "../src/ChartThread.js"
import { makeRenderQueue, type RenderQueueOptions } from "../src/RenderQueue.js"

const request = (title: string, format: RenderRequest["format"]): RenderRequest => ({
  chart: { kind: "number", title, name: "calls", value: 1 },
  format,
  size: {}
})

const bytesOf = (title: string) => new TextEncoder().encode(title)

/** Threads that do what the title of a chart says; `log` notes their starts, charts and ends. */
const make = (options: Partial<RenderQueueOptions> = {}) =>
  Effect.gen(function*() {
    const log: Array<string> = []
    const go = yield* Deferred.make<void>()
    let started = 0
    const start = (): ChartThread => {
      const name = `thread ${++started}`
      let broken = false
      log.push(`${name} starts`)
      const replies: Record<string, Effect.Effect<Reply, WorkerCrashed>> = {
        never: Effect.never,
        "nor this": Effect.never,
        wait: Effect.as(Deferred.await(go), { _tag: "Rendered", bytes: bytesOf("wait") }),
        refuse: Effect.succeed({ _tag: "Unsuitable", message: "no font" }),
        fail: Effect.succeed({ _tag: "Broken", kind: "TypeError" }),
        break: Effect.suspend(() => {
          broken = true
          return new WorkerCrashed({ description: "ThreadExit 1" })
        })
      }
      return {
        ready: Effect.void,
        requestMany: () => Effect.never,
        request: ({ chart: { title } }) =>
          Effect.suspend(() => {
            log.push(title)
            return replies[title] ?? Effect.succeed({ _tag: "Rendered", bytes: bytesOf(title) })
          }),
        end: Effect.sync(() => void log.push(`${name} ends`)),
        isBroken: () => broken
      }
    }
    const { render } = yield* makeRenderQueue({
      start,
      limit: "10 seconds",
      waiting: 2,
      idle: "30 seconds",
      ...options
    })
    return { log, go, draw: (title: string, format: RenderRequest["format"] = "svg") => render(request(title, format)) }
  })

const silently = Effect.provide(Logger.remove(Logger.defaultLogger))

/** Runs every fiber as far as it gets without time passing. */
const settle = TestClock.adjust(0)

afterEach(() => void vi.useRealTimers())

describe("the render queue", () => {
  it.scoped("renders one chart after the other in one thread", () =>
    Effect.gen(function*() {
      const { draw, log } = yield* make()
      assert.deepStrictEqual(yield* draw("one"), bytesOf("one"))
      assert.deepStrictEqual(yield* Effect.all([draw("two"), draw("three")], { concurrency: 2 }), [
        bytesOf("two"),
        bytesOf("three")
      ])
      assert.deepStrictEqual(log, ["thread 1 starts", "one", "two", "three"])
    }))

  it.scoped("reports why there is no image, and keeps the thread", () =>
    Effect.gen(function*() {
      const { draw, log } = yield* make()
      assert.deepInclude(yield* Effect.flip(draw("refuse")), { kind: "unsuitable", message: "no font" })
      assert.deepInclude(yield* Effect.flip(draw("fail")), { kind: "unavailable" })
      yield* draw("one")
      assert.deepStrictEqual(log, ["thread 1 starts", "refuse", "fail", "one"])
    }).pipe(silently))

  it.scoped("rejects more charts than may wait, until one is rendered", () =>
    Effect.gen(function*() {
      const { draw, go } = yield* make()
      const fibers = yield* Effect.forEach(["wait", "a", "b"], (title) => Effect.fork(draw(title)))
      yield* settle
      assert.deepInclude(yield* Effect.flip(draw("c")), { kind: "busy" })
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.joinAll(fibers)
      assert.deepStrictEqual(yield* draw("c"), bytesOf("c"))
    }))

  it.scoped("ends a thread that takes too long, and continues with a new one", () =>
    Effect.gen(function*() {
      const { draw, log } = yield* make()
      const stuck = yield* Effect.fork(Effect.flip(draw("never")))
      yield* TestClock.adjust("9 seconds")
      const waits = yield* Effect.fork(draw("a"))
      yield* settle
      assert.deepStrictEqual(log, ["thread 1 starts", "never"])
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* Fiber.join(stuck), { kind: "unavailable" })
      assert.deepStrictEqual(yield* Fiber.join(waits), bytesOf("a"))
      assert.deepStrictEqual(log, ["thread 1 starts", "never", "thread 1 ends", "thread 2 starts", "a"])
    }))

  it.scoped("counts the wait for the turn", () =>
    Effect.gen(function*() {
      const { draw } = yield* make()
      yield* Effect.fork(Effect.flip(draw("never")))
      yield* TestClock.adjust("5 seconds")
      const second = yield* Effect.fork(Effect.flip(draw("nor this")))
      yield* TestClock.adjust("10 seconds")
      assert.deepInclude(yield* Fiber.join(second), { kind: "busy" })
    }))

  it.scoped("renders equal requests at the same time once, for all callers", () =>
    Effect.gen(function*() {
      const { draw, go, log } = yield* make()
      const fibers = yield* Effect.forEach(Array.from({ length: 40 }), () => Effect.fork(draw("wait")))
      yield* settle
      const asPng = yield* Effect.fork(draw("wait", "png"))
      yield* settle
      yield* Deferred.succeed(go, undefined)
      for (const bytes of yield* Fiber.joinAll([...fibers, asPng])) assert.deepStrictEqual(bytes, bytesOf("wait"))
      assert.deepStrictEqual(log, ["thread 1 starts", "wait", "wait"])
      yield* draw("wait")
      assert.strictEqual(log.length, 4)
    }))

  it.scoped("reports to all callers of equal requests why there is no image", () =>
    Effect.gen(function*() {
      const { draw, go, log } = yield* make()
      yield* Effect.fork(draw("wait"))
      const both = yield* Effect.forEach(["refuse", "refuse"], (title) => Effect.fork(Effect.flip(draw(title))))
      yield* settle
      yield* Deferred.succeed(go, undefined)
      for (const failure of yield* Fiber.joinAll(both)) assert.deepInclude(failure, { kind: "unsuitable" })
      assert.deepStrictEqual(log, ["thread 1 starts", "wait", "refuse"])
    }))

  it.scoped("renders for the other callers when one is interrupted", () =>
    Effect.gen(function*() {
      const { draw, go, log } = yield* make()
      const [first, leaves, stays] = yield* Effect.all([
        Effect.fork(draw("wait")),
        Effect.fork(draw("a")),
        Effect.fork(draw("a"))
      ])
      yield* settle
      yield* Fiber.interrupt(leaves)
      yield* Fiber.interrupt(first)
      const again = yield* Effect.fork(draw("wait"))
      yield* settle
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* Fiber.joinAll([stays, again]), [bytesOf("a"), bytesOf("wait")])
      assert.deepStrictEqual(log, ["thread 1 starts", "wait", "a"])
    }))

  it.scoped("renders an abandoned request when it is made again before its turn", () =>
    Effect.gen(function*() {
      const { draw, go, log } = yield* make()
      yield* Effect.fork(draw("wait"))
      const left = yield* Effect.fork(draw("a"))
      yield* settle
      yield* Fiber.interrupt(left)
      const again = yield* Effect.fork(draw("a"))
      yield* settle
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* Fiber.join(again), bytesOf("a"))
      assert.deepStrictEqual(log, ["thread 1 starts", "wait", "a"])
    }))

  it.scoped("starts a new thread for one that crashed", () =>
    Effect.gen(function*() {
      const { draw, log } = yield* make()
      assert.deepInclude(yield* Effect.flip(draw("break")), { kind: "unavailable" })
      assert.deepStrictEqual(yield* draw("one"), bytesOf("one"))
      assert.deepStrictEqual(log, ["thread 1 starts", "break", "thread 1 ends", "thread 2 starts", "one"])
    }).pipe(silently))

  it.scoped("finishes a rendering whose caller is interrupted, and skips one that has not begun", () =>
    Effect.gen(function*() {
      const { draw, go, log } = yield* make()
      const first = yield* Effect.fork(draw("wait"))
      const second = yield* Effect.fork(draw("a"))
      yield* settle
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(second)
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* draw("b"), bytesOf("b"))
      assert.deepStrictEqual(log, ["thread 1 starts", "wait", "b"])
    }))

  it.scoped("ends the thread when it has been idle, and not before", () =>
    Effect.gen(function*() {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
      const { draw, log } = yield* make()
      yield* draw("one")
      vi.advanceTimersByTime(20_000)
      yield* draw("two")
      vi.advanceTimersByTime(29_000)
      assert.deepStrictEqual(log, ["thread 1 starts", "one", "two"])
      vi.advanceTimersByTime(1_000)
      yield* draw("three")
      assert.deepStrictEqual(log.slice(3), ["thread 1 ends", "thread 2 starts", "three"])
    }))

  it.effect("ends with its scope, and reports it to callers", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { draw, log } = yield* Scope.extend(make(), scope)
      const waits = yield* Effect.fork(Effect.flip(draw("never")))
      yield* settle
      yield* Scope.close(scope, Exit.void)
      assert.deepInclude(yield* Fiber.join(waits), { kind: "unavailable" })
      assert.deepStrictEqual(log, ["thread 1 starts", "never", "thread 1 ends"])
    }))
})
