import { assert, describe, it } from "@effect/vitest"
import { Cause, Chunk, Effect, Exit, Fiber, Stream } from "effect"
import {
  catchPullCause,
  ensurePull,
  fromPull,
  fromSource,
  type OpenStream,
  type Pull,
  suspendSource,
  toPull,
  toSource,
  unwrapSource
} from "../../src/index.js"

/** A stream of the given chunks, which then waits forever, and a log of its starts and ends. */
const endless = (chunks: ReadonlyArray<ReadonlyArray<number>>) => {
  const log: Array<string> = []
  const stream = fromSource<number, string>(() => {
    log.push("opened")
    let next = 0
    return {
      pull: Effect.suspend(() => next < chunks.length ? Effect.succeed(chunks[next++] ?? []) : Effect.never),
      close: Effect.sync(() => void log.push("closed"))
    }
  })
  return { log, stream }
}

/** Pulls a source to its end, and closes it. */
const read = <A, E>({ close, pull }: OpenStream<A, E>): Effect.Effect<ReadonlyArray<A>, E> => {
  const rest = (before: ReadonlyArray<A>): Effect.Effect<ReadonlyArray<A>, E> =>
    Effect.flatMap(pull, (elements) => elements === null ? Effect.succeed(before) : rest([...before, ...elements]))
  return Effect.ensuring(rest([]), close)
}

describe("sources", () => {
  it.effect("are streams to all others, which close them when they leave", () =>
    Effect.gen(function*() {
      const { log, stream } = endless([[1, 2], [3]])
      assert.deepStrictEqual(Chunk.toReadonlyArray(yield* Stream.runCollect(Stream.take(stream, 3))), [1, 2, 3])
      assert.deepStrictEqual(log, ["opened", "closed"])
      const first = yield* Effect.scoped(Effect.flatten(toPull(stream)))
      assert.deepStrictEqual(first, [1, 2])
      assert.deepStrictEqual(log, ["opened", "closed", "opened", "closed"])
    }))

  it.effect("are made from streams of any kind, whose resources end with them", () =>
    Effect.gen(function*() {
      let held = 0
      const resource = Effect.acquireRelease(Effect.sync(() => void (held += 1)), () =>
        Effect.sync(() => void (held -= 1)))
      const streams = [
        Stream.unwrapScoped(Effect.as(resource, Stream.make(1, 2))),
        fromPull(Effect.map(resource, (): Pull<number> => {
          let isRead = false
          return Effect.suspend(() => {
            const chunk = isRead ? null : [1, 2]
            isRead = true
            return Effect.succeed(chunk)
          })
        }))
      ]
      for (const stream of streams) {
        assert.deepStrictEqual(yield* read(toSource(stream)), [1, 2])
        assert.strictEqual(held, 0)
        const unread = toSource(stream)
        yield* unread.close
        const begun = toSource(stream)
        yield* begun.pull
        assert.strictEqual(held, 1)
        yield* begun.close
        yield* begun.close
        assert.strictEqual(held, 0)
      }
    }))

  it.effect("start what they unwrap with the first pull, and close what has started", () =>
    Effect.gen(function*() {
      const { log, stream } = endless([[1]])
      const { close, pull } = toSource(unwrapSource(Effect.succeed(stream)))
      yield* close
      assert.deepStrictEqual(log, [])
      assert.deepStrictEqual(yield* pull, [1])
      yield* close
      assert.deepStrictEqual(log, ["opened", "closed"])
      assert.strictEqual(yield* Effect.flip(read(toSource(unwrapSource(Effect.fail("refused"))))), "refused")
    }))

  it.effect("close the failed stream before another one takes its place, and that one when the reader leaves", () =>
    Effect.gen(function*() {
      const { log, stream } = endless([[1]])
      const failing = fromSource<number, string>(() => ({
        pull: Effect.fail("broken"),
        close: Effect.sync(() => void log.push("failed one closed"))
      }))
      const { close, pull } = toSource(catchPullCause(failing, (cause) => {
        log.push(`recovered from ${Cause.squash(cause)}`)
        return stream
      }))
      assert.deepStrictEqual(yield* pull, [1])
      yield* close
      assert.deepStrictEqual(log, ["failed one closed", "recovered from broken", "opened", "closed"])
    }))

  it.effect("pass what has arrived through every stage by plain calls, and call back when something arrives", () =>
    Effect.gen(function*() {
      const arrived: Array<ReadonlyArray<number> | null> = [[1]]
      let callBack = () => {}
      const log: Array<string> = []
      const source = fromSource<number, string>(() => ({
        poll: () => {
          const next = arrived.shift()
          return next === undefined ? undefined : Exit.succeed(next)
        },
        wait: (ready) => callBack = ready,
        close: Effect.sync(() => void log.push("closed"))
      }))
      const stages = ensurePull(
        catchPullCause(suspendSource(() => unwrapSource(Effect.succeed(source))), () => source),
        Effect.sync(() => void log.push("finalized"))
      )
      const { close, poll, wait } = toSource(stages)
      assert.deepStrictEqual(poll(), Exit.succeed([1]))
      assert.isUndefined(poll())
      wait(() => log.push("called back"))
      arrived.push([2, 3], null)
      callBack()
      assert.deepStrictEqual(log, ["called back"])
      assert.deepStrictEqual(poll(), Exit.succeed([2, 3]))
      assert.isNull(yield* poll() ?? Effect.die("nothing has arrived"))
      yield* close
      assert.deepStrictEqual(log, ["called back", "closed", "finalized"])
    }))

  it.effect("have a defect where a plain call throws, which the next stage recovers from", () =>
    Effect.gen(function*() {
      const { stream } = endless([[1]])
      const throwing = fromSource<number, string>(() => ({
        poll: () => {
          throw new Error("broken")
        },
        wait: () => {},
        close: Effect.void
      }))
      const { close, pull } = toSource(
        catchPullCause(throwing, (cause) => Cause.isDie(cause) ? stream : Stream.failCause(cause))
      )
      assert.deepStrictEqual(yield* pull, [1])
      yield* close
    }))

  it.effect("run their finalizer once when a waiting reader is interrupted, after they are closed", () =>
    Effect.gen(function*() {
      const { log, stream } = endless([])
      const source = toSource(ensurePull(stream, Effect.sync(() => void log.push("finalized"))))
      const fiber = yield* Effect.fork(read(source))
      yield* Effect.yieldNow()
      const exit = yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause))
      assert.deepStrictEqual(log, ["opened", "closed", "finalized"])
    }))
})
