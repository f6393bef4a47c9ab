import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Logger, Scope, TestClock } from "effect"
import { type DrawingsOptions, makeDrawings } from "../src/thread/Drawings.js"
import { type DrawingThread, ThreadBroke } from "../src/thread/DrawingThread.js"
import type { Answer, DrawRequest } from "../src/thread/Messages.js"

const request = (title: string, format: DrawRequest["format"]): DrawRequest => ({
  chart: { kind: "number", title, name: "calls", value: 1 },
  format
})

const bytesOf = (title: string) => new TextEncoder().encode(title)

/** Threads that do what the title of a chart says; `log` tells what became of them. */
const make = (options: Partial<DrawingsOptions> = {}) =>
  Effect.gen(function*() {
    const log: Array<string> = []
    const go = yield* Deferred.make<void>()
    let started = 0
    const start = (): DrawingThread => {
      const name = `thread ${++started}`
      let broken = false
      log.push(`${name} starts`)
      const answers: Record<string, Effect.Effect<Answer, ThreadBroke>> = {
        never: Effect.never,
        "nor this": Effect.never,
        wait: Effect.as(Deferred.await(go), { _tag: "Drawn", bytes: bytesOf("wait") }),
        refuse: Effect.succeed({ _tag: "Unsuitable", message: "no font" }),
        fail: Effect.succeed({ _tag: "Broken", kind: "TypeError" }),
        break: Effect.suspend(() => {
          broken = true
          return new ThreadBroke({ kind: "ThreadExit 1" })
        })
      }
      return {
        draw: ({ chart: { title } }) =>
          Effect.suspend(() => {
            log.push(title)
            return answers[title] ?? Effect.succeed({ _tag: "Drawn", bytes: bytesOf(title) })
          }),
        end: Effect.sync(() => void log.push(`${name} ends`)),
        isBroken: () => broken
      }
    }
    const { draw } = yield* makeDrawings({ start, limit: "10 seconds", waiting: 2, idle: "30 seconds", ...options })
    return { log, go, draw: (title: string, format: DrawRequest["format"] = "svg") => draw(request(title, format)) }
  })

const quietly = Effect.provide(Logger.remove(Logger.defaultLogger))

/** Lets every fiber go as far as it can without time passing. */
const settle = TestClock.adjust(0)

describe("Drawings", () => {
  it.scoped("draw one after the other in one thread", () =>
    Effect.gen(function*() {
      const { draw, log } = yield* make()
      assert.deepStrictEqual(yield* draw("one"), bytesOf("one"))
      assert.deepStrictEqual(yield* Effect.all([draw("two"), draw("three")], { concurrency: 2 }), [
        bytesOf("two"),
        bytesOf("three")
      ])
      assert.deepStrictEqual(log, ["thread 1 starts", "one", "two", "three"])
    }))

  it.scoped("tell why there is no picture, and keep the thread", () =>
    Effect.gen(function*() {
      const { draw, log } = yield* make()
      assert.deepInclude(yield* Effect.flip(draw("refuse")), { kind: "unsuitable", message: "no font" })
      assert.deepInclude(yield* Effect.flip(draw("fail")), { kind: "unavailable" })
      yield* draw("one")
      assert.deepStrictEqual(log, ["thread 1 starts", "refuse", "fail", "one"])
    }).pipe(quietly))

  it.scoped("refuse when too many wait, until one is drawn", () =>
    Effect.gen(function*() {
      const { draw, go } = yield* make()
      const fibers = yield* Effect.forEach(["wait", "a", "b"], (title) => Effect.fork(draw(title)))
      yield* settle
      assert.deepInclude(yield* Effect.flip(draw("c")), { kind: "busy" })
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.joinAll(fibers)
      assert.deepStrictEqual(yield* draw("c"), bytesOf("c"))
    }))

  it.scoped("end a thread that takes too long, and go on with a new one", () =>
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

  it.scoped("count the time that somebody waits for a turn", () =>
    Effect.gen(function*() {
      const { draw } = yield* make()
      yield* Effect.fork(Effect.flip(draw("never")))
      yield* TestClock.adjust("5 seconds")
      const second = yield* Effect.fork(Effect.flip(draw("nor this")))
      yield* TestClock.adjust("10 seconds")
      assert.deepInclude(yield* Fiber.join(second), { kind: "busy" })
    }))

  it.scoped("draw equal pictures of one time once, and give them to all who asked", () =>
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

  it.scoped("tell all who asked for equal pictures why there is none", () =>
    Effect.gen(function*() {
      const { draw, go, log } = yield* make()
      yield* Effect.fork(draw("wait"))
      const both = yield* Effect.forEach(["refuse", "refuse"], (title) => Effect.fork(Effect.flip(draw(title))))
      yield* settle
      yield* Deferred.succeed(go, undefined)
      for (const failure of yield* Fiber.joinAll(both)) assert.deepInclude(failure, { kind: "unsuitable" })
      assert.deepStrictEqual(log, ["thread 1 starts", "wait", "refuse"])
    }))

  it.scoped("draw for those who stay when another who asked for the same leaves", () =>
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

  it.scoped("draw what nobody waited for any more once somebody asks again before its turn", () =>
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

  it.scoped("start a new thread for one that broke", () =>
    Effect.gen(function*() {
      const { draw, log } = yield* make()
      assert.deepInclude(yield* Effect.flip(draw("break")), { kind: "unavailable" })
      assert.deepStrictEqual(yield* draw("one"), bytesOf("one"))
      assert.deepStrictEqual(log, ["thread 1 starts", "break", "thread 1 ends", "thread 2 starts", "one"])
    }).pipe(quietly))

  it.scoped("go on when somebody leaves, and pass over who left before their turn", () =>
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

  it.scoped("end the thread when it has had nothing to do for long, and not before", () =>
    Effect.gen(function*() {
      const { draw, log } = yield* make()
      yield* draw("one")
      yield* TestClock.adjust("20 seconds")
      yield* draw("two")
      yield* TestClock.adjust("29 seconds")
      assert.deepStrictEqual(log, ["thread 1 starts", "one", "two"])
      yield* TestClock.adjust("1 second")
      yield* draw("three")
      assert.deepStrictEqual(log.slice(3), ["thread 1 ends", "thread 2 starts", "three"])
    }))

  it.effect("end with their scope, and tell those who wait", () =>
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
