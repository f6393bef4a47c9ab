import type { HttpServerResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { sseFrame } from "@trunkline/kernel"
import { Chunk, Deferred, Effect, Exit, Fiber, Queue, Ref, Scope, Stream, TestClock } from "effect"
import { openEventStream } from "../src/EventStream.js"

const textOf = (frames: Iterable<Uint8Array>) => Array.from(frames, (frame) => new TextDecoder().decode(frame)).join("")

const bodyOf = ({ body }: HttpServerResponse.HttpServerResponse) =>
  body._tag === "Stream" ? body.stream : Stream.dieMessage("The answer is no stream")

const late = () => [sseFrame("late")]

describe("an event stream", () => {
  it.scoped("gives the frames, and says what it is", () =>
    Effect.gen(function*() {
      const frames = Stream.make(sseFrame("1"), sseFrame("2", "two"))
      const response = yield* openEventStream({ frames, late })
      assert.strictEqual(response.headers["x-accel-buffering"], "no")
      assert.strictEqual(response.headers["cache-control"], "no-store, no-transform")
      const all = yield* Stream.runCollect(bodyOf(response))
      assert.strictEqual(textOf(all), "data: 1\n\nevent: two\ndata: 2\n\n")
    }))

  it.scoped("gives all of very many frames that come together", () =>
    Effect.gen(function*() {
      const frames = Stream.fromChunk(Chunk.makeBy(300_000, () => sseFrame("1")))
      const response = yield* openEventStream({ frames, late })
      assert.strictEqual(yield* Stream.runCount(bodyOf(response)), 300_000)
    }))

  it.scoped("is none when it fails before its first frame", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(openEventStream({ frames: Stream.fail("gone"), late }))
      assert.strictEqual(failure, "gone")
      const defect = yield* Effect.exit(openEventStream({ frames: Stream.dieMessage("broken"), late }))
      assert.isTrue(Exit.isFailure(defect))
    }))

  it.scoped("is opened with comments when the first frame is long in coming", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const frames = Stream.concat(Stream.drain(Stream.fromEffect(Deferred.await(gate))), Stream.make(sseFrame("1")))
      const opening = yield* Effect.fork(openEventStream({ frames, late }))
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

  it.scoped("tells of a failure in a frame once it was opened", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const frames = Stream.fromEffect(Effect.zipRight(Deferred.await(gate), Effect.fail("gone")))
      const opening = yield* Effect.fork(openEventStream({ frames, late }))
      yield* TestClock.adjust("15 seconds")
      const response = yield* Fiber.join(opening)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(textOf(yield* Stream.runCollect(bodyOf(response))).replaceAll(":\n\n", ""), "data: late\n\n")
    }))

  it.scoped("says now and then that it is still there while nothing comes", () =>
    Effect.gen(function*() {
      const frames = Stream.concat(Stream.make(sseFrame("1")), Stream.never)
      const response = yield* openEventStream({ frames, late })
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

  it.scoped("takes no more frames than a slow reader leaves room for, and stops with it", () =>
    Effect.gen(function*() {
      const taken = yield* Ref.make(0)
      const isOver = yield* Deferred.make<void>()
      const frames = Stream.repeatEffect(Effect.as(Ref.update(taken, (count) => count + 1), sseFrame("1"))).pipe(
        Stream.ensuring(Deferred.succeed(isOver, undefined))
      )
      const scope = yield* Scope.make()
      const response = yield* Scope.extend(openEventStream({ frames, late }), scope)
      yield* Stream.runDrain(Stream.take(bodyOf(response), 10))
      yield* Effect.yieldNow().pipe(Effect.repeatN(1_000))
      assert.isBelow(yield* Ref.get(taken), 200)
      yield* Scope.close(scope, Exit.void)
      yield* Deferred.await(isOver)
    }))
})
