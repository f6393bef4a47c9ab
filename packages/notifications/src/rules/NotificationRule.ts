import { issueType } from "@trunkline/errors"
import { Timestamp, withReadOnly } from "@trunkline/kernel"
import { Schema, Struct } from "effect"
import { Figure } from "../reports/Report.js"

/** UUID of a notification rule. */
export const RuleId = Schema.String.pipe(Schema.brand("RuleId"))
export type RuleId = typeof RuleId.Type

/** Delivery channel. A rule has at least one. */
export const Channel = Schema.Literal("email", "slack")
export type Channel = typeof Channel.Type

/** A stored rule: the schedule and the recipients of a widget's report. */
export class NotificationRule extends Schema.Class<NotificationRule>("NotificationRule")({
  rule_id: RuleId,
  board_id: Schema.String,
  widget_id: Schema.String,
  name: Schema.NullOr(Schema.String),
  /** Five fields as written, in Asia/Kolkata. */
  cron: Schema.String,
  enabled: Schema.Boolean,
  /** Null without mail recipients; never empty. */
  email_recipients: Schema.NullOr(Schema.NonEmptyArray(Schema.String)),
  /** Address of the chat webhook, encrypted by `Sealer`; null without one. */
  sealed_slack_webhook: Schema.NullOr(Schema.String),
  /** Label for display only. */
  slack_channel_name: Schema.NullOr(Schema.String),
  /** Next occurrence that has not been scheduled; null while disabled. */
  next_run_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Number of the latest report, for comparison with the next one. */
  last_figure: Schema.optionalWith(Figure, { exact: true })
}) {}

/** Channels of a rule. */
export const channelsOf = (
  rule: Pick<NotificationRule, "email_recipients" | "sealed_slack_webhook">
): ReadonlyArray<Channel> => [
  ...(rule.email_recipients === null ? [] : ["email" as const]),
  ...(rule.sealed_slack_webhook === null ? [] : ["slack" as const])
]

/** Most mail recipients of a rule. */
const maxRecipients = 50

/** Longest address that mail servers accept (RFC 5321, section 4.5.3.1). */
const maxLength = 254

const atom = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const label = "[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?"
const pattern = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`, "u")

/**
 * A mail address in any script, such as `asha@example.in`: no display name, quotes, spaces or control characters, a
 * domain of at least two labels, at most 254 characters.
 */
export const MailAddress = Schema.String.pipe(
  Schema.filter((text) => text.length <= maxLength && pattern.test(text), {
    identifier: "MailAddress",
    message: () => "Must be one e-mail address, such as asha@example.in",
    ...issueType("value_error")
  })
)

/** Mail recipients of a rule: at most 50, without duplicates (case-insensitive). */
export const MailRecipients = Schema.Array(MailAddress).pipe(
  Schema.maxItems(maxRecipients),
  Schema.filter((addresses) => new Set(addresses.map((address) => address.toLowerCase())).size === addresses.length, {
    message: () => "Must not name an address twice",
    ...issueType("value_error")
  })
)

/** A rule as clients see it, without the address of its chat webhook. */
export class Rule extends Schema.Class<Rule>("Rule")({
  rule_id: RuleId,
  widget_id: Schema.String,
  cron: Schema.String,
  enabled: Schema.Boolean,
  created_at: Timestamp,
  updated_at: Timestamp,
  name: Schema.NullOr(Schema.String),
  /** UTC; null when disabled. */
  next_run_at: Schema.NullOr(Timestamp),
  /** Null without mail recipients. */
  email_recipients: Schema.NullOr(Schema.Array(Schema.String)),
  slack_channel_name: Schema.NullOr(Schema.String),
  /** True when a chat webhook is set. */
  slack_configured: Schema.Boolean
}) {}

/** Public form of a rule. */
export const toRule = (rule: NotificationRule): Rule =>
  new Rule({
    rule_id: rule.rule_id,
    widget_id: rule.widget_id,
    cron: rule.cron,
    enabled: rule.enabled,
    created_at: rule.created_at,
    updated_at: rule.updated_at,
    name: rule.name,
    next_run_at: rule.next_run_at,
    email_recipients: rule.email_recipients,
    slack_channel_name: rule.slack_channel_name,
    slack_configured: rule.sealed_slack_webhook !== null
  })

const maxLabel = 80

/** One line of at most 80 characters (code points), trimmed. */
const Label = Schema.Trim.pipe(
  Schema.filter((text) => text.length <= maxLabel || Array.from(text).length <= maxLabel, {
    message: () => `Must have at most ${maxLabel} characters`,
    jsonSchema: { maxLength: maxLabel },
    ...issueType("string_too_long")
  }),
  Schema.pattern(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, { message: () => "Must be one line of text" })
)

const Name = Label.pipe(Schema.minLength(1))

/** Blank means none. */
const ChannelName = Schema.NullOr(Label).pipe(
  Schema.transform(Schema.NullOr(Schema.String), {
    strict: true,
    decode: (name) => name === "" ? null : name,
    encode: (name) => name
  })
)
const CronText = Schema.String.pipe(Schema.minLength(1))

/**
 * Body that creates a rule. Names are one line of 1 to 80 characters, trimmed; a blank channel name means none.
 * `NotificationRules` validates the cron schedule and the webhook address.
 */
export const CreateRule = Schema.Struct({
  widget_id: Schema.String,
  cron: CronText,
  name: Schema.optionalWith(Schema.NullOr(Name), { default: () => null }),
  email_recipients: Schema.optionalWith(Schema.NullOr(MailRecipients), { default: () => null }),
  slack_webhook_url: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  slack_channel_name: Schema.optionalWith(ChannelName, { default: () => null })
})
export type CreateRule = typeof CreateRule.Type

/**
 * Body that changes a rule. Absent fields stay unchanged; null clears a field, but leaves `cron` and `enabled`
 * unchanged; an empty list of recipients and a blank channel name clear as well. A rule that was read can be sent back.
 */
export const PatchRule = withReadOnly(
  Schema.Struct({
    name: Schema.optional(Schema.NullOr(Name)),
    cron: Schema.optional(Schema.NullOr(CronText)),
    enabled: Schema.optional(Schema.NullOr(Schema.Boolean)),
    email_recipients: Schema.optional(Schema.NullOr(MailRecipients)),
    slack_webhook_url: Schema.optional(Schema.NullOr(Schema.String)),
    slack_channel_name: Schema.optional(ChannelName)
  }),
  Struct.keys(Rule.fields)
)
export type PatchRule = typeof PatchRule.Type
