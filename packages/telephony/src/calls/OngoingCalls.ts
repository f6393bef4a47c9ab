import { type AttemptId, BusinessTime, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import { AttemptStore } from "../attempts/AttemptStore.js"
import type { Attempt } from "../call/Attempt.js"
import { CallJournal } from "../journal/CallJournal.js"
import { attemptOngoing, type LiveEvent } from "../live/LiveEvent.js"

/** Most calls of a snapshot, the newest: somebody looks at them. */
const maxCalls = 500

/** The calls of a workspace that go on at a moment. */
export interface OngoingSnapshot {
  /** An `attempt.ongoing` for each call, the oldest first. */
  readonly events: ReadonlyArray<LiveEvent>
  /** Checks whether an event of the feed tells what the snapshot does not hold yet. */
  readonly isNews: (event: LiveEvent) => boolean
}

/** The calls that go on, with what was said so far, in whichever process they are. */
export class OngoingCalls extends Context.Tag("@trunkline/telephony/OngoingCalls")<OngoingCalls, {
  /**
   * Takes a snapshot of the calls of a workspace, the newest 500. The feed has to be watched before, so that nothing is
   * missing between both. What was said in another process within the last second may be missing.
   */
  readonly snapshot: (workspace: Scope) => Effect.Effect<OngoingSnapshot>
}>() {
  static readonly layer = Layer.effect(
    OngoingCalls,
    Effect.gen(function*() {
      const store = yield* AttemptStore
      const journal = yield* CallJournal

      const idsOf = (workspace: Scope) =>
        Effect.map(store.unfinished, (open) => {
          const key = scopeKey(workspace)
          return open.filter((each) => each.state !== "pending" && scopeKey(each) === key)
            .slice(-maxCalls)
            .map(({ attempt_id }) => attempt_id)
        })

      const eventOf = (attempt: Attempt, at: number) =>
        Effect.map(journal.present(attempt.attempt_id), ({ conversation }) => attemptOngoing(attempt, conversation, at))

      return OngoingCalls.of({
        snapshot: (workspace) =>
          Effect.gen(function*() {
            const at = yield* BusinessTime.now
            const ids = yield* idsOf(workspace)
            const attempts = yield* store.findMany(ids)
            const going = ids.flatMap((id) => {
              const attempt = attempts.get(id)
              return attempt === undefined || attempt.state === "ended" ? [] : [attempt]
            })
            const events = yield* Effect.forEach(going, (attempt) => eventOf(attempt, at))
            return { events, isNews: newsAfter(new Set(going.map(({ attempt_id }) => attempt_id)), at) }
          })
      })
    })
  )
}

/** Everything but what calls of a snapshot told up to its moment; an end always counts. */
const newsAfter = (ids: ReadonlySet<AttemptId>, at: number) => (event: LiveEvent): boolean =>
  event.type === "missed" || event.type === "line.changed" || event.type === "canary.ended"
  || event.type === "attempt.ended" || !ids.has(event.attempt_id) || event.at.epochMillis > Math.floor(at)
