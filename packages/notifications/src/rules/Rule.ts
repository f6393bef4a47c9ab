import { issueType } from "@trunkline/errors"
import { Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"
import { MailRecipients } from "./MailAddress.js"
import { type NotificationRule, RuleId } from "./NotificationRule.js"

/** A rule as it is shown: without the address of its chat webhook (specification, Create notification rule). */
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
  /** Null when nobody gets mail. */
  email_recipients: Schema.NullOr(Schema.Array(Schema.String)),
  slack_channel_name: Schema.NullOr(Schema.String),
  /** True when a chat webhook is set. */
  slack_configured: Schema.Boolean
}) {}

/** The public form of a rule. */
export const ruleOf = (rule: NotificationRule): Rule =>
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

/** One line of at most 80 characters (code points); space around it is dropped. */
const Label = Schema.Trim.pipe(
  Schema.filter((text) => text.length <= maxLabel || Array.from(text).length <= maxLabel, {
    message: () => `Must have at most ${maxLabel} characters`,
    jsonSchema: { maxLength: maxLabel },
    ...issueType("string_too_long")
  }),
  Schema.pattern(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, { message: () => "Must be one line of text" })
)

const Name = Label.pipe(Schema.minLength(1))

/** Blank is none. */
const ChannelName = Schema.NullOr(Label).pipe(
  Schema.transform(Schema.NullOr(Schema.String), {
    strict: true,
    decode: (name) => name === "" ? null : name,
    encode: (name) => name
  })
)
const CronText = Schema.String.pipe(Schema.minLength(1))

/**
 * What creates a rule (specification, Create notification rule; bounds shapes 7.6). Names are one line without space around
 * it, of 1 to 80 characters; a blank channel name is none. What the cron and the address of
 * the chat webhook must look like is said by `NotificationRules`.
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
 * What changes a rule (shapes 7.6): absent is unchanged; null clears, but leaves `cron` and `enabled` as they are
 * (shapes 0.3); an empty list of recipients and a blank channel name clear too.
 */
export const PatchRule = Schema.Struct({
  name: Schema.optional(Schema.NullOr(Name)),
  cron: Schema.optional(Schema.NullOr(CronText)),
  enabled: Schema.optional(Schema.NullOr(Schema.Boolean)),
  email_recipients: Schema.optional(Schema.NullOr(MailRecipients)),
  slack_webhook_url: Schema.optional(Schema.NullOr(Schema.String)),
  slack_channel_name: Schema.optional(ChannelName)
})
export type PatchRule = typeof PatchRule.Type
