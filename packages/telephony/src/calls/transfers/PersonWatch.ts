import { type AnsweredBy, BusinessTime, timeoutAt } from "@trunkline/kernel"
import { Chunk, Deferred, Effect, Stream } from "effect"
import type { AudioLine } from "../../call/AudioLine.js"
import type { Leg } from "../../call/Leg.js"
import { WhoAnswered } from "../../call/WhoAnswered.js"
import { type TransferFailed, transferFailed } from "./SecondLeg.js"

/** Longest time for a verdict about who has answered, in milliseconds of business time. */
const verdictMillis = 10_000

/** Time in which more words may tell a person from a supposed machine, in milliseconds of business time. */
const doubtMillis = 2_000

/** A machine has answered. */
export const machineAnswered = transferFailed("no_answer", "an answering machine answered")

/** Failures for answers that no person is behind. */
const failures: Partial<Record<AnsweredBy, TransferFailed>> = {
  machine: machineAnswered,
  fax: transferFailed("no_answer", "a fax answered"),
  network: transferFailed("no_answer", "a tone of the network answered")
}

/**
 * Waits for the verdict about who has answered, and does something while it is a person. Fails once it is nobody, also by a later
 * verdict; a machine is in doubt for two seconds, in which nothing begins or completes.
 */
export const whilePerson =
  (line: Leg | AudioLine, leg: Leg) => <A, E>(use: Effect.Effect<A, E>): Effect.Effect<A, E | TransferFailed> =>
    Effect.scoped(Effect.gen(function*() {
      const { later, of } = yield* WhoAnswered
      const pull = yield* Stream.toPull(later === undefined ? Stream.empty : Stream.rechunk(later(line, leg), 1))
      const now = yield* BusinessTime.now
      const first = yield* timeoutAt(now + verdictMillis, Effect.succeed(null))(of(line, leg))

      /** Completes at a person, or where nobody can tell; a machine waits for a better verdict. */
      const settle = (by: AnsweredBy | null): Effect.Effect<void, TransferFailed> => {
        const failure = by === null ? undefined : failures[by]
        if (failure === undefined) return Effect.void
        if (by !== "machine") return failure
        return Effect.raceFirst(
          Effect.matchEffect(pull, {
            onFailure: () => failure,
            onSuccess: (next) => Effect.succeed(Chunk.unsafeHead(next))
          }),
          Effect.zipRight(BusinessTime.sleep(doubtMillis), failure)
        ).pipe(Effect.flatMap(settle))
      }

      yield* settle(first)
      /** Completes once there is no doubt about the last verdict. */
      let certainty: Effect.Effect<void> = Effect.void
      const watch: Effect.Effect<never, TransferFailed> = Effect.matchEffect(pull, {
        onFailure: () => Effect.never,
        onSuccess: (next) =>
          Effect.gen(function*() {
            const certain = yield* Deferred.make<void>()
            certainty = Deferred.await(certain)
            yield* settle(Chunk.unsafeHead(next))
            yield* Deferred.succeed(certain, undefined)
          })
      }).pipe(Effect.zipRight(Effect.suspend(() => watch)))

      return yield* Effect.raceFirst(
        Effect.zipLeft(use, Effect.suspend(() => certainty)),
        watch
      )
    }))
