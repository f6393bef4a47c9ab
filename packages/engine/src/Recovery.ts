import { CampaignCalls, Dialler } from "@trunkline/campaigns"
import { type Attempt, Attempts, AttemptStore, type CallOutcome, Calls, Outbounds } from "@trunkline/telephony"
import { Context, Effect, Layer, Option } from "effect"

/** Settles what a stop or a crash left unfinished, before anything new is dialled (decisions 10). */
export class Recovery extends Context.Tag("@trunkline/engine/Recovery")<Recovery, {
  /** Ends calls that are over, lets wait what certainly was never dialled, and reports the rest as unknown. */
  readonly run: Effect.Effect<number>
}>() {
  static readonly layer = Layer.effect(
    Recovery,
    Effect.gen(function*() {
      const store = yield* AttemptStore
      const attempts = yield* Attempts
      const calls = yield* Calls
      const outbounds = yield* Outbounds
      const campaignCalls = yield* CampaignCalls
      const dialler = yield* Dialler

      const end = (attempt: Attempt, outcome: CallOutcome) =>
        attempt.kind === "campaign"
          ? campaignCalls.end(attempt, outcome)
          : Effect.asVoid(attempts.end({ attempt_id: attempt.attempt_id, outcome }))

      const dialAgain = (attempt: Attempt) =>
        attempt.kind === "campaign" ? dialler.withdraw(attempt) : outbounds.resume(attempt)

      return Recovery.of({
        run: Effect.gen(function*() {
          const unfinished = yield* store.unfinished
          yield* Effect.forEach(unfinished, (attempt) =>
            Effect.flatMap(
              calls.settle(attempt),
              Option.match({ onNone: () => dialAgain(attempt), onSome: (outcome) => end(attempt, outcome) })
            ), { discard: true })
          return unfinished.length
        }).pipe(Effect.withSpan("Recovery.run"))
      })
    })
  )
}
