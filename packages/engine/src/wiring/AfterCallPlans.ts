import { type AfterCallJob, planAfterCall } from "@trunkline/after-call"
import { AgentCatalog, type AgentVersion } from "@trunkline/agents"
import { describeCause } from "@trunkline/kernel"
import type { Attempt, AttemptResult } from "@trunkline/telephony"
import { Clock, Effect, Option } from "effect"
import { type EndedAttempt, scopeOf } from "./EndedWebhooks.js"

/** An ended attempt with the work that is left, and the milliseconds that its webhooks wait for it. */
export interface PlannedAttempt extends EndedAttempt {
  readonly job: AfterCallJob | null
  readonly wait: number
}

/** Makes a function that plans the work after the end of attempts. It asks no model, and never fails. */
export const makePlans = Effect.gen(function*() {
  const agents = yield* AgentCatalog

  /** The version of the agent. A catalog that fails does not keep the attempt from ending. */
  const versionOf = (attempt: Attempt): Effect.Effect<AgentVersion | null> =>
    agents.version(scopeOf(attempt), attempt.app_id, attempt.app_version).pipe(
      Effect.map(Option.getOrNull),
      Effect.catchAllCause((cause) =>
        Effect.as(Effect.logWarning("The agent of an ended call could not be looked up", describeCause(cause)), null)
      )
    )

  const plan = (attempt: Attempt, result: AttemptResult): Effect.Effect<PlannedAttempt> =>
    Effect.gen(function*() {
      const version = yield* versionOf(attempt)
      const afterCallPlan = version && planAfterCall(version, attempt, result, yield* Clock.currentTimeMillis)
      const seconds = afterCallPlan?.job == null ? 0 : version?.after_call?.webhook_wait_seconds ?? 0
      return {
        attempt,
        result,
        after: afterCallPlan?.result ?? null,
        job: afterCallPlan?.job ?? null,
        wait: seconds * 1_000
      }
    })

  return (attempts: ReadonlyArray<Attempt>): Effect.Effect<ReadonlyArray<PlannedAttempt>> =>
    Effect.forEach(
      attempts.flatMap((attempt) => attempt.result === null ? [] : [{ attempt, result: attempt.result }]),
      ({ attempt, result }) => plan(attempt, result)
    )
})
