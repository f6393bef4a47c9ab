import { Channel, type Chunk, Effect, Either, Exit, Scope, Stream } from "effect"
import type { Delta } from "../Completion.js"
import type { Model, ModelFailure } from "../LanguageModel.js"
import { type Bounds, notWhole, Pace } from "./AnswerTimer.js"
import type { DeltaStream } from "./DeltaStream.js"

/** Wakes the one fiber that waits for it; a ring that nobody hears is kept for the next one who listens. */
export interface Bell {
  readonly ring: () => void
  readonly rung: Effect.Effect<void>
}

/** Makes a bell that has not been rung. */
export const makeBell = (): Bell => {
  let wake: (() => void) | null = null
  let isRung = false
  return {
    ring: () => {
      if (wake === null) {
        isRung = true
      } else {
        const listener = wake
        wake = null
        listener()
      }
    },
    rung: Effect.async((resume) => {
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
const pulling = (stream: DeltaStream, bounds: Bounds): Effect.Effect<Pull, never, Scope.Scope> =>
  Effect.gen(function*() {
    const clock = yield* Effect.clock
    const pull = yield* Channel.toPull(Stream.toChannel(stream))
    const pace = new Pace(bounds)
    const [asked, waiting] = [makeBell(), makeBell()]
    let reader: ((result: Pull) => void) | null = null

    const answer = (result: Pull) => {
      reader?.(result)
      reader = null
    }
    const work: Effect.Effect<void> = Effect.flatMap(Effect.zipRight(asked.rung, Effect.exit(pull)), (exit) => {
      if (Exit.isSuccess(exit) && Either.isRight(exit.value)) {
        pace.take(exit.value.right, clock.unsafeCurrentTimeMillis())
      }
      answer(exit)
      return work
    })
    const watch: Effect.Effect<void> = Effect.suspend(() => {
      if (!pace.isWaiting) return Effect.zipRight(waiting.rung, watch)
      const left = pace.left(clock.unsafeCurrentTimeMillis())
      return typeof left === "number"
        ? Effect.zipRight(Effect.sleep(left), watch)
        : Effect.sync(() => answer(pace.isFinished ? Effect.succeed(Either.left(undefined)) : left))
    })
    yield* Effect.forkScoped(Effect.interruptible(work))
    yield* Effect.forkScoped(Effect.interruptible(watch))

    return Effect.async((resume) => {
      reader = resume
      pace.wait(clock.unsafeCurrentTimeMillis())
      asked.ring()
      waiting.ring()
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
export const bounded = (model: Model, bounds: Bounds): Model => ({
  generate: (request) =>
    Effect.timeoutFail(model.generate(request), { duration: bounds.total, onTimeout: () => notWhole(bounds) }),
  stream: (request) =>
    Stream.fromChannel(Channel.acquireUseRelease(
      Scope.make(),
      (scope) => Channel.unwrap(Effect.map(Scope.extend(pulling(model.stream(request), bounds), scope), reading)),
      (scope, exit) => Scope.close(scope, exit)
    ))
})
