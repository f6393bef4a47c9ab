import type { Campaign, RetryConfig } from "@trunkline/campaigns"
import type { Attempt, AttemptResult } from "@trunkline/telephony"
import { Option, Schema } from "effect"
import type { CampaignSnapshot, EventData, IntentSnapshot, ResultSnapshot, RetrySnapshot } from "../history/History.js"

const snapshotRetries = ({ max_retries, retry_interval_minutes, retry_on }: RetryConfig): RetrySnapshot => {
  const own = (rule: RetryConfig["retry_on"]["internal_error"]) => ({
    enabled: rule.enabled,
    max: rule.max_retries,
    minutes: rule.retry_interval_minutes
  })
  return {
    max: max_retries,
    minutes: retry_interval_minutes,
    busy: retry_on.busy.enabled,
    noAnswer: retry_on.no_answer.enabled,
    failed: retry_on.failed.enabled,
    short: retry_on.short_duration.enabled ? retry_on.short_duration.threshold_seconds : null,
    provider: own(retry_on.provider_error),
    internal: own(retry_on.internal_error)
  }
}

/** Converts a campaign to its version in a history. */
export const snapshotCampaign = (campaign: Campaign): CampaignSnapshot => {
  const { allowed_schedule: schedule, app_config: config } = campaign
  return {
    id: campaign.campaign_id,
    status: campaign.status,
    start: campaign.start_timestamp.epochMillis,
    end: campaign.end_timestamp.epochMillis,
    rate: config.attempts_per_second,
    lines: config.connection_configs.map((line) => ({ connection: line.connection_id, numbers: line.phone_numbers })),
    window: {
      start: schedule.allowed_start_time,
      end: schedule.allowed_end_time,
      days: schedule.allowed_days,
      timezone: schedule.timezone
    },
    retries: config.retry_config && snapshotRetries(config.retry_config),
    webhook: config.webhook_config !== null
  }
}

const snapshotIntent = (attempt: Attempt): IntentSnapshot => ({
  attempt: attempt.attempt_id,
  campaign: attempt.campaign_id,
  number: attempt.user_phone_number,
  from: attempt.agent_phone_number,
  connection: attempt.connection_id,
  retry: attempt.retry_attempt,
  webhook: attempt.webhook !== null
})

const endedEvent = (id: string, result: AttemptResult): EventData => ({
  kind: "ended",
  attempt: id,
  completion: result.completion_status,
  connectivity: result.connectivity_status,
  next: result.next_action_status,
  reason: result.failure_reason,
  seconds: result.interaction && (result.interaction.ended_at - result.interaction.started_at) / 1000
})

/** Derives the events of a change of an attempt. */
export const attemptEvents = (before: Attempt | null, after: Attempt): ReadonlyArray<EventData> => {
  const { attempt_id, provider_call_id, result, state } = after
  if (before?.state === state) return []
  const intent = before === null
    ? [{ kind: state === "pending" ? "recorded" as const : "claimed" as const, ...snapshotIntent(after) }]
    : before.state === "pending" && state !== "ended"
    ? [{ kind: "claimed" as const, ...snapshotIntent(after) }]
    : []
  return [
    ...intent,
    ...(state === "accepted" && provider_call_id !== null
      ? [{ kind: "accepted" as const, attempt: attempt_id, call: provider_call_id }]
      : []),
    ...(state === "ended" && result !== null ? [endedEvent(attempt_id, result)] : [])
  ]
}

const Body = Schema.parseJson(Schema.Struct({
  attempt_id: Schema.String,
  completion_status: Schema.optional(Schema.String),
  connectivity_status: Schema.optional(Schema.NullOr(Schema.String)),
  next_action_status: Schema.optional(Schema.NullOr(Schema.String))
}))

const read = Schema.decodeUnknownOption(Body)

/** Parses the result in a webhook, and hashes its bytes. */
export const parseWebhook = (
  bytes: Uint8Array
): ResultSnapshot & { readonly attempt: string; readonly hash: string } => {
  const text = new TextDecoder().decode(bytes)
  const body = Option.getOrNull(read(text))
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return {
    attempt: body?.attempt_id ?? "unknown",
    hash: hash.toString(16),
    completion: body?.completion_status ?? "",
    connectivity: body?.connectivity_status ?? null,
    next: body?.next_action_status ?? null
  }
}
