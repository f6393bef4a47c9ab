import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Exit, Fiber, Scope, Stream } from "effect"
import { catchPullCause, ensurePull, fromPull, openStream, toPull, unwrapPull } from "../../src/index.js"

const chunksOf = <A, E>(stream: Stream.Stream<A, E>) =>
  Effect.map(
    Stream.runCollect(Stream.chunks(stream)),
    (chunks) => Chunk.toReadonlyArray(chunks).map(Chunk.toReadonlyArray)
  )

/** A stream of the given chunks, which then fails or ends. */
const scripted = (chunks: ReadonlyArray<ReadonlyArray<number>>, failure?: string) =>
  fromPull(Effect.sync(() => {
    let next = 0
    return Effect.suspend((): Effect.Effect<ReadonlyArray<number> | null, string> =>
      next < chunks.length
        ? Effect.succeed(chunks[next++] ?? [])
        : failure === undefined
        ? Effect.succeed(null)
        : Effect.fail(failure)
    )
  }))

/** Pulls a stream to its end, without its executor. */
const pulled = <A, E>(stream: Stream.Stream<A, E>) =>
  Effect.scoped(Effect.flatMap(toPull(stream), (pull) => {
    const all: Array<ReadonlyArray<A>> = []
    const next: Effect.Effect<ReadonlyArray<ReadonlyArray<A>>, E> = Effect.flatMap(pull, (elements) => {
      if (elements === null) return Effect.succeed(all)
      all.push(elements)
      return next
    })
    return next
  }))

describe("PullStream", () => {
  it.effect("keeps chunks in both directions, and can be run again", () =>
    Effect.gen(function*() {
      const stream = scripted([[1, 2], [3]])
      assert.deepStrictEqual(yield* chunksOf(stream), [[1, 2], [3]])
      assert.deepStrictEqual(yield* pulled(stream), [[1, 2], [3]])
      assert.deepStrictEqual(yield* pulled(Stream.concat(stream, Stream.make(4))), [[1, 2], [3], [4]])
    }))

  it.effect("recovers once, with the resources of the failed stream released before", () =>
    Effect.gen(function*() {
      const log: Array<string> = []
      const first = unwrapPull(Effect.as(
        Effect.acquireRelease(Effect.void, () => Effect.sync(() => void log.push("released"))),
        scripted([[1]], "first")
      ))
      const recovered = catchPullCause(first, () => {
        log.push("recovered")
        return scripted([[2]], "second")
      })
      assert.strictEqual(yield* Effect.flip(pulled(recovered)), "second")
      assert.deepStrictEqual(log, ["released", "recovered"])
      const unopened = catchPullCause(unwrapPull(Effect.fail("closed")), () => scripted([[3]]))
      assert.deepStrictEqual(yield* pulled(unopened), [[3]])
      const twice = catchPullCause(unwrapPull(Effect.fail("closed")), () => scripted([], "second"))
      assert.strictEqual(yield* Effect.flip(pulled(twice)), "second")
    }))

  it.effect("runs a finalizer once: at the end, after a failure, or when the reader leaves", () =>
    Effect.gen(function*() {
      let ends = 0
      const finalizer = Effect.sync(() => void (ends += 1))
      yield* pulled(ensurePull(scripted([[1]]), finalizer))
      assert.strictEqual(ends, 1)
      yield* Effect.exit(pulled(ensurePull(scripted([], "gone"), finalizer)))
      assert.strictEqual(ends, 2)
      yield* Effect.exit(pulled(ensurePull(unwrapPull(Effect.fail("closed")), finalizer)))
      assert.strictEqual(ends, 3)
      const reading = yield* Effect.fork(pulled(ensurePull(Stream.never, finalizer)))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(reading)
      assert.strictEqual(ends, 4)
      const scope = yield* Scope.make()
      const pull = yield* Scope.extend(toPull(ensurePull(scripted([[1]]), finalizer)), scope)
      yield* pull
      yield* pull
      assert.strictEqual(ends, 5, "at the end of the stream, before that of its scope")
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(ends, 5)
    }))

  it.scoped("can be stopped before its scope ends", () =>
    Effect.gen(function*() {
      let isReleased = false
      const stream = Stream.ensuring(Stream.never, Effect.sync(() => void (isReleased = true)))
      const { close } = yield* openStream(() => Stream.concat(Stream.make(1), stream))
      assert.isFalse(isReleased)
      yield* close
      const released = fromPull(Effect.as(
        Effect.acquireRelease(Effect.void, () => Effect.sync(() => void (isReleased = true))),
        Effect.never
      ))
      const open = yield* openStream(() => released)
      assert.isFalse(isReleased)
      yield* open.close
      assert.isTrue(isReleased)
    }))
})
