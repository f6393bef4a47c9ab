import { Channel, type Chunk, Effect, Either, Exit, Scope, Stream } from "effect"
import type { Delta } from "../Completion.js"
import type { Model, ModelFailure } from "../LanguageModel.js"
import { type AnswerTimeouts, AnswerTimer, totalTimeout } from "./AnswerTimer.js"
import type { DeltaStream } from "./DeltaStream.js"

/** Wakes the one fiber that waits for it; a notification without a waiter is kept for the next one. */
export interface Signal {
  readonly notify: () => void
  readonly wait: Effect.Effect<void>
}

/** Makes a signal that has not been sent. */
const makeSignal = (): Signal => {
  let wake: (() => void) | null = null
  let isNotified = false
  return {
    notify: () => {
      if (wake === null) {
        isNotified = true
      } else {
        const listener = wake
        wake = null
        listener()
      }
    },
    wait: Effect.async((resume) => {
      if (isNotified) {
        isNotified = false
        resume(Effect.void)
      } else {
        wake = () => resume(Effect.void)
      }
    })
  }
}

/** Pulls the next chunk of an resolve, on the right, or its end. */
type Pull = Effect.Effect<Either.Either<Chunk.Chunk<Delta>, unknown>, ModelFailure>

/**
 * Pulls on a separate fiber, on demand, so that the reader can be failed by a timeout meanwhile. A second fiber sleeps
 * until the resolve could be late, checks, and sleeps again, so that no fiber or timer is started per chunk.
 */
const pulling = (stream: DeltaStream, timeouts: AnswerTimeouts): Effect.Effect<Pull, never, Scope.Scope> =>
  Effect.gen(function*() {
    const clock = yield* Effect.clock
    const pull = yield* Channel.toPull(Stream.toChannel(stream))
    const timer = new AnswerTimer(timeouts)
    const [demand, waitBegan] = [makeSignal(), makeSignal()]
    let reader: ((result: Pull) => void) | null = null

    const resolve = (result: Pull) => {
      reader?.(result)
      reader = null
    }
    const work: Effect.Effect<void> = Effect.flatMap(Effect.zipRight(demand.wait, Effect.exit(pull)), (exit) => {
      if (Exit.isSuccess(exit) && Either.isRight(exit.value)) {
        timer.receive(exit.value.right, clock.unsafeCurrentTimeMillis())
      }
      resolve(exit)
      return work
    })
    const watch: Effect.Effect<void> = Effect.suspend(() => {
      if (!timer.isWaiting) return Effect.zipRight(waitBegan.wait, watch)
      const remaining = timer.remaining(clock.unsafeCurrentTimeMillis())
      return typeof remaining === "number"
        ? Effect.zipRight(Effect.sleep(remaining), watch)
        : Effect.sync(() => resolve(timer.isFinished ? Effect.succeed(Either.left(undefined)) : remaining))
    })
    yield* Effect.forkScoped(Effect.interruptible(work))
    yield* Effect.forkScoped(Effect.interruptible(watch))

    return Effect.async((resume) => {
      reader = resume
      timer.wait(clock.unsafeCurrentTimeMillis())
      demand.notify()
      waitBegan.notify()
    })
  })

const reading = (pull: Pull): Channel.Channel<Chunk.Chunk<Delta>, unknown, ModelFailure> =>
  Channel.flatMap(
    Channel.fromEffect(pull),
    Either.match({
      onLeft: () => Channel.void,
      onRight: (chunk) => Channel.flatMap(Channel.write(chunk), () => reading(pull))
    })
  )

/**
 * Adds timeouts to a model: an resolve that takes too long in one of its phases is interrupted and fails with
 * `ModelTimedOut`. Whole answers have a total timeout only. A stream that has emitted `Finish` does not fail any more:
 * deltas that do not arrive in time after it are dropped.
 *
 * @example
 * const model = withTimeouts(inner, { firstToken: "10 seconds", betweenTokens: "5 seconds", total: "2 minutes" })
 */
export const withTimeouts = (model: Model, timeouts: AnswerTimeouts): Model => ({
  generate: (request) =>
    Effect.timeoutFail(model.generate(request), { duration: timeouts.total, onTimeout: () => totalTimeout(timeouts) }),
  stream: (request) =>
    Stream.fromChannel(Channel.acquireUseRelease(
      Scope.make(),
      (scope) => Channel.unwrap(Effect.map(Scope.extend(pulling(model.stream(request), timeouts), scope), reading)),
      (scope, exit) => Scope.close(scope, exit)
    ))
})
