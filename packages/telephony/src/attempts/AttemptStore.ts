import { type AttemptId, MemoryTable, uncheckedInstance } from "@trunkline/kernel"
import { Array, Context, Effect, Layer, Option, Struct } from "effect"
import { Attempt, type AttemptResult } from "../call/Attempt.js"

/** Key fields of an unfinished attempt. Kept small since there may be tens of thousands. */
export type OpenAttempt = Pick<
  Attempt,
  "attempt_id" | "org_id" | "workspace_id" | "kind" | "campaign_id" | "connection_id" | "state"
>

/** The provider's id of the call of an attempt. */
export interface Acceptance {
  readonly attempt_id: AttemptId
  readonly provider_call_id: string
}

/** The result of an attempt. */
export interface EndedResult {
  readonly attempt_id: AttemptId
  readonly result: AttemptResult
}

/** Storage of attempts, from the intent to dial to the result. Every write joins the current transaction. */
export class AttemptStore extends Context.Tag("@trunkline/telephony/AttemptStore")<AttemptStore, {
  /** Adds attempts; their ids must be unused. */
  readonly insertMany: (attempts: ReadonlyArray<Attempt>) => Effect.Effect<void>
  /** Adds an attempt that no process carries, for a process that adopts it: this one does not dial. */
  readonly insertForOthers: (attempt: Attempt) => Effect.Effect<void>
  /** Moves a `pending` attempt to `claimed` right before dialling; returns false when it is not pending. */
  readonly claim: (id: AttemptId, attemptedAt: number) => Effect.Effect<boolean>
  /**
   * Moves `claimed` attempts to `accepted` once the provider has their calls. Returns the ids of those that are accepted
   * with the given call: also of one that was before, as when the answer to an earlier try was lost.
   */
  readonly acceptMany: (acceptances: ReadonlyArray<Acceptance>) => Effect.Effect<ReadonlySet<AttemptId>>
  /** Ends attempts, each once; returns those that have ended now, in order, without unknown ones and those with a result. */
  readonly endMany: (results: ReadonlyArray<EndedResult>) => Effect.Effect<ReadonlyArray<Attempt>>
  /** Removes a `claimed` attempt that was certainly never dialled; returns false when it is not claimed. */
  readonly withdraw: (id: AttemptId) => Effect.Effect<boolean>
  /** Erases the transcripts of ended attempts; skips unknown and unfinished ones. */
  readonly eraseTranscripts: (ids: ReadonlyArray<AttemptId>) => Effect.Effect<void>
  /** Finds attempts in any workspace; leaves out those that are unknown. */
  readonly findMany: (ids: ReadonlyArray<AttemptId>) => Effect.Effect<ReadonlyMap<AttemptId, Attempt>>
  /** All attempts without a result, by ascending id. */
  readonly unfinished: Effect.Effect<ReadonlyArray<OpenAttempt>>
  /** The claimed attempts of this process by ascending id, up to 1,000: they are about to be dialled. */
  readonly claimed: Effect.Effect<ReadonlyArray<OpenAttempt>>
  /**
   * Takes over the attempts without a result that no process carries any more, by ascending id: those of processes that
   * have died or left. For a process that is the only one these are all of them, so it recovers them when it starts.
   */
  readonly adopt: Effect.Effect<ReadonlyArray<OpenAttempt>>
  /** True when an attempt has no result and another process carries it, or did until it died. */
  readonly isCarriedElsewhere: (id: AttemptId) => Effect.Effect<boolean>
}>() {
  /** Stores attempts in memory. */
  static readonly layerMemory = Layer.sync(AttemptStore, () => {
    const attempts = MemoryTable.make<AttemptId, Attempt>()
    const move = (id: AttemptId, from: Attempt["state"], change: Partial<Attempt>) =>
      Effect.suspend(() => {
        const attempt = attempts.get(id)
        return attempt?.state === from
          ? Effect.as(attempts.set(id, uncheckedInstance(Attempt, { ...attempt, ...change })), true)
          : Effect.succeed(false)
      })
    const insert = (attempt: Attempt) => attempts.set(attempt.attempt_id, attempt)
    const accept = (id: AttemptId, provider_call_id: string) =>
      Effect.suspend(() => {
        const attempt = attempts.get(id)
        return attempt?.state === "accepted"
          ? Effect.succeed(attempt.provider_call_id === provider_call_id)
          : move(id, "claimed", { state: "accepted", provider_call_id })
      })
    const end = (id: AttemptId, result: AttemptResult) =>
      Effect.suspend(() => {
        const attempt = attempts.get(id)
        if (attempt === undefined || attempt.state === "ended") return Effect.succeedNone
        const endedAttempt = uncheckedInstance(Attempt, { ...attempt, state: "ended", result })
        return Effect.as(attempts.set(id, endedAttempt), Option.some(endedAttempt))
      })
    const unfinished = Effect.sync(() =>
      [...attempts.values()]
        .filter((attempt) => attempt.state !== "ended")
        .map((attempt): OpenAttempt =>
          Struct.pick(
            attempt,
            "attempt_id",
            "org_id",
            "workspace_id",
            "kind",
            "campaign_id",
            "connection_id",
            "state"
          )
        )
        .sort((a, b) => (a.attempt_id < b.attempt_id ? -1 : 1))
    )
    return AttemptStore.of({
      insertMany: (attempts) => Effect.forEach(attempts, insert, { discard: true }),
      insertForOthers: insert,
      claim: (id, attempted_at) => move(id, "pending", { state: "claimed", attempted_at }),
      acceptMany: (acceptances) =>
        Effect.map(
          Effect.filter(acceptances, ({ attempt_id, provider_call_id }) => accept(attempt_id, provider_call_id)),
          (matches) => new Set(matches.map(({ attempt_id }) => attempt_id))
        ),
      endMany: (results) =>
        Effect.map(Effect.forEach(results, ({ attempt_id, result }) => end(attempt_id, result)), Array.getSomes),
      withdraw: (id) =>
        Effect.suspend(() =>
          attempts.get(id)?.state === "claimed" ? Effect.as(attempts.delete(id), true) : Effect.succeed(false)
        ),
      eraseTranscripts: (ids) =>
        Effect.forEach(
          ids.flatMap((id) => attempts.get(id) ?? []),
          (attempt) => {
            const { result } = attempt
            if (result === null || result.interaction === null) return Effect.void
            const interaction = { ...result.interaction, transcript: [] }
            return attempts.set(
              attempt.attempt_id,
              uncheckedInstance(Attempt, { ...attempt, result: { ...result, interaction } })
            )
          },
          { discard: true }
        ),
      findMany: (ids) =>
        Effect.sync(() =>
          new Map(
            Array.filterMap(ids, (id) => Option.map(Option.fromNullable(attempts.get(id)), (attempt) => [id, attempt]))
          )
        ),
      unfinished,
      claimed: Effect.map(unfinished, Array.filter(({ state }) => state === "claimed")),
      adopt: unfinished,
      isCarriedElsewhere: () => Effect.succeed(false)
    })
  })
}
