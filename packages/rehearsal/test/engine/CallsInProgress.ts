import type { AttemptId } from "@trunkline/kernel"
import { type Attempt, type AttemptResult, AttemptStore } from "@trunkline/telephony"
import { Array, Context, Effect, Layer, Option } from "effect"
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

const byId = (attempt: Attempt) => [attempt.attempt_id, attempt] as const

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

    const insert = (attempt: Attempt) => Effect.sync(() => void attempts.set(attempt.attempt_id, attempt))
    const accept = (id: AttemptId, provider_call_id: string) =>
      move(id, "claimed", { state: "accepted", provider_call_id })
    const end = (id: AttemptId, result: AttemptResult) =>
      Effect.sync((): Option.Option<Attempt> => {
        const attempt = attempts.get(id)
        if (attempt === undefined) return Option.none()
        attempts.delete(id)
        return Option.some({ ...attempt, state: "ended", result })
      })

    return AttemptStore.of({
      insertMany: (inserted) => Effect.forEach(inserted, insert, { discard: true }),
      insertForOthers: insert,
      claim: (id, attempted_at) => move(id, "pending", { state: "claimed", attempted_at }),
      acceptMany: (acceptances) =>
        Effect.map(
          Effect.filter(acceptances, ({ attempt_id, provider_call_id }) => accept(attempt_id, provider_call_id)),
          (accepted) => new Set(accepted.map(({ attempt_id }) => attempt_id))
        ),
      endMany: (results) =>
        Effect.map(Effect.forEach(results, ({ attempt_id, result }) => end(attempt_id, result)), Array.getSomes),
      withdraw: (id) => Effect.sync(() => attempts.get(id)?.state === "claimed" && attempts.delete(id)),
      eraseTranscripts: () => Effect.void,
      findMany: (ids) =>
        Effect.sync(() =>
          new Map(ids.flatMap((id) => Option.toArray(Option.fromNullable(attempts.get(id)))).map(byId))
        ),
      unfinished: Effect.sync(() => [...attempts.values()]),
      claimed: Effect.succeed([]),
      adopt: Effect.succeed([]),
      isCarriedElsewhere: () => Effect.succeed(false)
    })
  })
)
