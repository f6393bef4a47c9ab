import type { AttemptId } from "@trunkline/kernel"
import { type Attempt, AttemptStore } from "@trunkline/telephony"
import { Context, Effect, Layer, Option } from "effect"
import type { RehearsedCall } from "../../src/report/Tally.js"

/** The contact's position in the list, which rehearsals use as its identifier. */
export const contactOf = ({ user_identifier }: Attempt): number => Number(user_identifier)

/**
 * The attempts and calls in progress: the state shared by the stores and lines of a rehearsal. Plain maps rather than
 * effects, because each call reads them several times.
 */
export class CallsInProgress extends Context.Tag("@trunkline/rehearsal/CallBook")<CallsInProgress, {
  readonly attempts: Map<AttemptId, Attempt>
  readonly calls: Map<AttemptId, RehearsedCall>
}>() {
  static readonly layer = Layer.sync(
    CallsInProgress,
    () => CallsInProgress.of({ attempts: new Map(), calls: new Map() })
  )
}

const yes = Effect.succeed(true)
const no = Effect.succeed(false)

/**
 * Stores attempts in memory until they end, so that a rehearsal of a million calls fits into memory. Does not roll back:
 * see `noopTransactions`.
 */
export const transientAttempts = Layer.effect(
  AttemptStore,
  Effect.map(CallsInProgress, ({ attempts }) => {
    const move = (id: AttemptId, from: Attempt["state"], change: Partial<Attempt>) =>
      Effect.suspend(() => {
        const attempt = attempts.get(id)
        if (attempt?.state !== from) return no
        attempts.set(id, { ...attempt, ...change })
        return yes
      })

    return AttemptStore.of({
      insert: (attempt) => Effect.sync(() => void attempts.set(attempt.attempt_id, attempt)),
      claim: (id, attempted_at) => move(id, "pending", { state: "claimed", attempted_at }),
      accept: (id, provider_call_id) => move(id, "claimed", { state: "accepted", provider_call_id }),
      end: (id, result) =>
        Effect.sync(() => {
          const attempt = attempts.get(id)
          if (attempt === undefined) return Option.none()
          attempts.delete(id)
          return Option.some({ ...attempt, state: "ended", result })
        }),
      withdraw: (id) => Effect.sync(() => attempts.get(id)?.state === "claimed" && attempts.delete(id)),
      eraseTranscripts: () => Effect.void,
      find: (id) => Effect.sync(() => Option.fromNullable(attempts.get(id))),
      unfinished: Effect.sync(() => [...attempts.values()])
    })
  })
)
