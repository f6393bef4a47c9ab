import { Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"

/** A UUID of a notification rule (shapes 0.1). */
export const RuleId = Schema.String.pipe(Schema.brand("RuleId"))
export type RuleId = typeof RuleId.Type

/** How a report reaches people. A rule has at least one of them. */
export const Channel = Schema.Literal("email", "slack")
export type Channel = typeof Channel.Type

/** A rule as it is kept: when a widget of a board is to be reported, and to whom (specification, Create notification rule). */
export class NotificationRule extends Schema.Class<NotificationRule>("NotificationRule")({
  rule_id: RuleId,
  board_id: Schema.String,
  widget_id: Schema.String,
  name: Schema.NullOr(Schema.String),
  /** Five fields as they were written, meant in Asia/Kolkata. */
  cron: Schema.String,
  enabled: Schema.Boolean,
  /** Null when nobody gets mail, never empty. */
  email_recipients: Schema.NullOr(Schema.NonEmptyArray(Schema.String)),
  /** The address of the chat webhook, sealed by `Sealer`; null when there is none. */
  sealed_slack_webhook: Schema.NullOr(Schema.String),
  /** A label for people; nothing is sent by it. */
  slack_channel_name: Schema.NullOr(Schema.String),
  /** The next occurrence that has not been decided; null while the rule is disabled. */
  next_run_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp
}) {}

/** The ways that a rule reports by. */
export const channelsOf = (
  rule: Pick<NotificationRule, "email_recipients" | "sealed_slack_webhook">
): ReadonlyArray<Channel> => [
  ...(rule.email_recipients === null ? [] : ["email" as const]),
  ...(rule.sealed_slack_webhook === null ? [] : ["slack" as const])
]
