import { type AfterCallResult, Scope, unchecked } from "@trunkline/kernel"
import type { Attempt, AttemptResult } from "@trunkline/telephony"
import { newOutboxRow, type OutboxRow, webhookBody } from "@trunkline/webhooks"
import { callEndedBody } from "./EndedCalls.js"
import { toPayload } from "./Webhooks.js"

/** An attempt with its result, and what is known after its end; null of agents that want nothing to be found out. */
export interface EndedAttempt {
  readonly attempt: Attempt
  readonly result: AttemptResult
  readonly after: AfterCallResult | null
}

/** The workspace of an attempt. */
export const scopeOf = ({ org_id, workspace_id }: Attempt) => new Scope({ org_id, workspace_id }, unchecked)

/** Times of a new webhook, in real milliseconds: it is due after the wait. */
interface Times {
  readonly now: number
  readonly wait: number
}

/** Webhook that receives a `CallEnded` for every call. */
export interface CallEndedWebhook {
  readonly url: string
  readonly secret: string | null
}

const ownWebhook = ({ after, attempt, result }: EndedAttempt, times: Times): ReadonlyArray<OutboxRow> => {
  const payload = toPayload(attempt, result, after)
  if (attempt.webhook === null || payload === null) return []
  return [newOutboxRow({
    scope: scopeOf(attempt),
    campaign_id: attempt.campaign_id,
    deployment_id: attempt.deployment_id,
    attempt_id: attempt.attempt_id,
    url: attempt.webhook.url,
    secret: attempt.webhook.secret ?? null,
    body: webhookBody(payload),
    created_at: result.finished_at,
    ...times
  })]
}

const callEndedWebhook = (
  { after, attempt, result }: EndedAttempt,
  times: Times,
  webhook: CallEndedWebhook
): OutboxRow => ({
  ...newOutboxRow({
    scope: scopeOf(attempt),
    campaign_id: null,
    deployment_id: null,
    attempt_id: attempt.attempt_id,
    ...webhook,
    body: callEndedBody(attempt, result, after),
    created_at: result.finished_at,
    ...times
  }),
  webhook_id: `end_${attempt.attempt_id}`
})

/** The webhooks of an ended attempt: that of its campaign, deployment or call, and that of all calls. */
export const webhooksOf = (
  endedAttempt: EndedAttempt,
  times: Times,
  webhook: CallEndedWebhook | undefined
): ReadonlyArray<OutboxRow> => [
  ...ownWebhook(endedAttempt, times),
  ...(webhook === undefined ? [] : [callEndedWebhook(endedAttempt, times, webhook)])
]

/** The second webhook with the results of a call whose first one went without them. */
export const withResultsAgain = (row: OutboxRow): OutboxRow => ({ ...row, webhook_id: `${row.webhook_id}-results` })
