import { Channel, type Chunk, Effect, Either, Exit, Scope, Stream } from "effect"
import type { Delta } from "../Completion.js"
import type { Model, ModelFailure } from "../LanguageModel.js"
import { type AnswerTimeouts, AnswerTimer, totalTimeout } from "./AnswerTimer.js"
import type { DeltaStream } from "./DeltaStream.js"

/** Wakes the one fiber that waits for it; a ring that nobody hears is kept for the next one who listens. */
export interface Signal {
  readonly notify: () => void
  readonly wait: Effect.Effect<void>
}

/** Makes a bell that has not been rung. */
export const makeSignal = (): Signal => {
  let wake: (() => void) | null = null
  let isRung = false
  return {
    notify: () => {
      if (wake === null) {
        isRung = true
      } else {
        const listener = wake
        wake = null
        listener()
      }
    },
    wait: Effect.async((resume) => {
      if (isRung) {
        isRung = false
        resume(Effect.void)
      } else {
        wake = () => resume(Effect.void)
      }
    })
  }
}

/** The next chunk of an answer, on the right, or its end. */
type Pull = Effect.Effect<Either.Either<Chunk.Chunk<Delta>, unknown>, ModelFailure>

/**
 * Pulls on a fiber of its own, only when asked to, so that who reads can be told that it has taken too long. Another
 * fiber sleeps until the answer could be late, looks, and sleeps again; nothing is started for a piece.
 */
const pulling = (stream: DeltaStream, bounds: AnswerTimeouts): Effect.Effect<Pull, never, Scope.Scope> =>
  Effect.gen(function*() {
    const clock = yield* Effect.clock
    const pull = yield* Channel.toPull(Stream.toChannel(stream))
    const pace = new AnswerTimer(bounds)
    const [asked, waiting] = [makeSignal(), makeSignal()]
    let reader: ((result: Pull) => void) | null = null

    const answer = (result: Pull) => {
      reader?.(result)
      reader = null
    }
    const work: Effect.Effect<void> = Effect.flatMap(Effect.zipRight(asked.wait, Effect.exit(pull)), (exit) => {
      if (Exit.isSuccess(exit) && Either.isRight(exit.value)) {
        pace.receive(exit.value.right, clock.unsafeCurrentTimeMillis())
      }
      answer(exit)
      return work
    })
    const watch: Effect.Effect<void> = Effect.suspend(() => {
      if (!pace.isWaiting) return Effect.zipRight(waiting.wait, watch)
      const left = pace.remaining(clock.unsafeCurrentTimeMillis())
      return typeof left === "number"
        ? Effect.zipRight(Effect.sleep(left), watch)
        : Effect.sync(() => answer(pace.isFinished ? Effect.succeed(Either.left(undefined)) : left))
    })
    yield* Effect.forkScoped(Effect.interruptible(work))
    yield* Effect.forkScoped(Effect.interruptible(watch))

    return Effect.async((resume) => {
      reader = resume
      pace.wait(clock.unsafeCurrentTimeMillis())
      asked.notify()
      waiting.notify()
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
 * Fails with `ModelTimedOut` when an answer takes too long in one of its phases, and stops the model. Whole answers know
 * only the total. A stream that has its `Finish` is not failed any more: what should follow and does not come in time is
 * left out.
 */
export const withTimeouts = (model: Model, bounds: AnswerTimeouts): Model => ({
  generate: (request) =>
    Effect.timeoutFail(model.generate(request), { duration: bounds.total, onTimeout: () => totalTimeout(bounds) }),
  stream: (request) =>
    Stream.fromChannel(Channel.acquireUseRelease(
      Scope.make(),
      (scope) => Channel.unwrap(Effect.map(Scope.extend(pulling(model.stream(request), bounds), scope), reading)),
      (scope, exit) => Scope.close(scope, exit)
    ))
})
