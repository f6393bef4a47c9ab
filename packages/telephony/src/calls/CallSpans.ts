import { isTraced, noteSpan, scopeKey, withSpan } from "@trunkline/kernel"
import { Effect } from "effect"
import type { Attempt } from "../call/Attempt.js"
import type { CallOutcome, Placement } from "../call/CallOutcome.js"

/** Situations in which a call counts as an error. */
const errors: ReadonlySet<string> = new Set(["internal", "provider_error", "unknown"])

const optional = (attributes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined))

const outcomeAttributes = (outcome: CallOutcome | Placement): Readonly<Record<string, unknown>> => {
  if (outcome._tag === "NotConnected") {
    const { reason, situation } = outcome
    return optional({
      "trunkline.call.outcome": situation,
      "trunkline.call.failure_reason": reason,
      "error.type": errors.has(situation) ? situation : null
    })
  }
  if (outcome._tag !== "Connected") return { "trunkline.call.outcome": outcome._tag.toLowerCase() }
  const { cut, report, trouble } = outcome
  return optional({
    "trunkline.call.outcome": "connected",
    "trunkline.call.ended_by": report.ended_by,
    "trunkline.call.failure_reason": report.fault ?? cut ?? trouble,
    "trunkline.call.average_agent_response_seconds": report.average_agent_response_seconds,
    "trunkline.call.average_user_response_seconds": report.average_user_response_seconds,
    "error.type": report.fault === null ? null : "fault"
  })
}

/** Runs a call in a span, which is the root of its trace, where spans are read. It names ids and no phone numbers. */
export const withCallSpan =
  (attempt: Attempt) =>
  <A extends CallOutcome | Placement, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.tap(call, (outcome) => noteSpan(() => outcomeAttributes(outcome))).pipe(
      withSpan(`call ${attempt.kind === "inbound" ? "inbound" : "outbound"}`, () => {
        const { attempt_id, campaign_id, connection_id, kind, retry_attempt } = attempt
        return {
          root: true,
          kind: kind === "inbound" ? "server" : "client",
          attributes: optional({
            "trunkline.workspace": scopeKey(attempt),
            "trunkline.attempt_id": attempt_id,
            "trunkline.campaign_id": campaign_id,
            "trunkline.connection_id": connection_id,
            "trunkline.retry_attempt": kind === "campaign" ? retry_attempt : null
          })
        }
      })
    )

/** Names the conversation in all spans of an effect, where spans are read. */
export const withConversationId = (id: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime<A, E, R>((fiber) =>
    isTraced(fiber) ? Effect.annotateSpans(effect, "gen_ai.conversation.id", id) : effect
  )
