import type { HttpServerResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { fromSource, sseFrame } from "@trunkline/kernel"
import { Chunk, Deferred, Effect, Exit, Fiber, Queue, Ref, Scope, Stream, TestClock } from "effect"
import { openEventStream } from "../src/response/EventStream.js"

const textOf = (frames: Iterable<Uint8Array>) => Array.from(frames, (frame) => new TextDecoder().decode(frame)).join("")

const bodyOf = ({ body }: HttpServerResponse.HttpServerResponse) =>
  body._tag === "Stream" ? body.stream : Stream.dieMessage("The response is not a stream")

const failureFrames = () => [sseFrame("failed")]

describe("openEventStream", () => {
  it.scoped("sends the frames, and headers against buffering and caching", () =>
    Effect.gen(function*() {
      const frames = Stream.make(sseFrame("1"), sseFrame("2", "two"))
      const response = yield* openEventStream({ frames, failureFrames })
      assert.strictEqual(response.headers["x-accel-buffering"], "no")
      assert.strictEqual(response.headers["cache-control"], "no-store, no-transform")
      const all = yield* Stream.runCollect(bodyOf(response))
      assert.strictEqual(textOf(all), "data: 1\n\nevent: two\ndata: 2\n\n")
    }))

  it.scoped("sends all of very many frames that arrive at once", () =>
    Effect.gen(function*() {
      const frames = Stream.fromChunk(Chunk.makeBy(300_000, () => sseFrame("1")))
      const response = yield* openEventStream({ frames, failureFrames })
      assert.strictEqual(yield* Stream.runCount(bodyOf(response)), 300_000)
    }))

  it.scoped("fails when the stream fails before its first frame", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(openEventStream({ frames: Stream.fail("gone"), failureFrames }))
      assert.strictEqual(failure, "gone")
      const defect = yield* Effect.exit(openEventStream({ frames: Stream.dieMessage("broken"), failureFrames }))
      assert.isTrue(Exit.isFailure(defect))
    }))

  it.scoped("sends comments while the first frame takes longer than a heartbeat", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const frames = Stream.concat(Stream.drain(Stream.fromEffect(Deferred.await(gate))), Stream.make(sseFrame("1")))
      const opening = yield* Effect.fork(openEventStream({ frames, failureFrames }))
      yield* TestClock.adjust("14 seconds")
      assert.isTrue((yield* Fiber.poll(opening))._tag === "None")
      yield* TestClock.adjust("1 seconds")
      const response = yield* Fiber.join(opening)
      const reading = yield* Effect.fork(Stream.runCollect(bodyOf(response)))
      yield* TestClock.adjust("30 seconds")
      yield* Deferred.succeed(gate, undefined)
      const text = textOf(yield* Fiber.join(reading))
      assert.match(text, /^(:\n\n){2,3}data: 1\n\n$/)
    }))

  it.scoped("sends a failure as a frame once the response has begun", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const frames = Stream.fromEffect(Effect.zipRight(Deferred.await(gate), Effect.fail("gone")))
      const opening = yield* Effect.fork(openEventStream({ frames, failureFrames }))
      yield* TestClock.adjust("15 seconds")
      const response = yield* Fiber.join(opening)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(textOf(yield* Stream.runCollect(bodyOf(response))).replaceAll(":\n\n", ""), "data: failed\n\n")
    }))

  it.scoped("sends comments while the stream is idle", () =>
    Effect.gen(function*() {
      const frames = Stream.concat(Stream.make(sseFrame("1")), Stream.never)
      const response = yield* openEventStream({ frames, failureFrames })
      const seen = yield* Queue.unbounded<string>()
      yield* Effect.fork(
        Stream.runForEach(bodyOf(response), (frame) => Queue.offer(seen, textOf([frame])))
      )
      assert.strictEqual(yield* Queue.take(seen), "data: 1\n\n")
      yield* TestClock.adjust("50 seconds")
      const comments = Chunk.toReadonlyArray(yield* Queue.takeAll(seen))
      assert.isAtLeast(comments.length, 2)
      assert.isTrue(comments.every((comment) => comment === ":\n\n"))
    }))

  it.effect("takes nothing more once its scope closes, although closing the stream makes it ready", () =>
    Effect.gen(function*() {
      const log: Array<string> = []
      let callBack = () => {}
      const frames = fromSource<Uint8Array, never>(() => ({
        poll: () => {
          log.push("polled")
          return undefined
        },
        wait: (ready) => callBack = ready,
        close: Effect.sync(() => {
          log.push("closed")
          callBack()
        })
      }))
      const opening = yield* Effect.fork(Effect.scoped(openEventStream({ frames, failureFrames })))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(opening)
      assert.deepStrictEqual(log, ["polled", "closed"])
    }))

  it.scoped("waits for a slow reader, and stops when its scope closes", () =>
    Effect.gen(function*() {
      const taken = yield* Ref.make(0)
      const isOver = yield* Deferred.make<void>()
      const frames = Stream.repeatEffect(Effect.as(Ref.update(taken, (count) => count + 1), sseFrame("1"))).pipe(
        Stream.ensuring(Deferred.succeed(isOver, undefined))
      )
      const scope = yield* Scope.make()
      const response = yield* Scope.extend(openEventStream({ frames, failureFrames }), scope)
      yield* Stream.runDrain(Stream.take(bodyOf(response), 10))
      yield* Effect.yieldNow().pipe(Effect.repeatN(1_000))
      assert.isBelow(yield* Ref.get(taken), 200)
      yield* Scope.close(scope, Exit.void)
      yield* Deferred.await(isOver)
    }))
})
