import { issueType } from "@trunkline/errors"
import {
  AppId,
  AttemptId,
  ConnectionId,
  normalizePhone,
  PhoneNumber,
  templateFault,
  Variables,
  WebhookConfigInput
} from "@trunkline/kernel"
import { LanguageName } from "@trunkline/spoken-text"
import { Either, ParseResult, Schema } from "effect"
import { AnswerHandling } from "./AnswerHandling.js"
import { AppOverrides } from "./CallHandler.js"

/** A phone number in E.164 or a bare Indian number of ten digits, decoded to E.164. */
export const DialledNumber = Schema.transformOrFail(Schema.String, PhoneNumber, {
  strict: true,
  decode: (raw, _options, ast) =>
    Either.mapLeft(
      normalizePhone(raw),
      () =>
        new ParseResult.Type(
          ast,
          raw,
          "Must be a phone number in E.164, such as +919876543210, or an Indian number of ten digits"
        )
    ),
  encode: (number) => ParseResult.succeed(number)
}).annotations(issueType("value_error"))

/** Settings of the agent that a request overrides. A language is an English name or a code. */
export const AppOverridesInput = Schema.Struct({
  ...AppOverrides.fields,
  initial_bot_message: Schema.optional(Schema.String.pipe(Schema.filter((text) => templateFault(text) ?? true))),
  initial_language_name: Schema.optional(LanguageName)
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/** Request body that starts a single call. */
export const CreateOutbound = Schema.Struct({
  app_config: Schema.Struct({
    app_id: AppId,
    app_version: Schema.Int.pipe(Schema.greaterThanOrEqualTo(1)),
    app_type: Schema.optionalWith(Schema.Literal("agent"), { default: () => "agent" as const }),
    connection_config: Schema.Struct({ connection_id: ConnectionId, agent_phone_number: PhoneNumber }),
    agent_variables: Schema.optionalWith(Variables, { default: () => ({}) }),
    app_overrides: Schema.optionalWith(
      Schema.NullOr(AppOverridesInput),
      { default: () => null }
    ),
    /** Conduct when something other than a person answers; nobody finds out by default. */
    answer_handling: Schema.optionalWith(Schema.NullOr(AnswerHandling), { default: () => null })
  }),
  user_config: Schema.Struct({
    user_phone_number: DialledNumber,
    user_identifier: Schema.optional(Schema.NonEmptyString)
  }),
  webhook_config: Schema.optionalWith(Schema.NullOr(WebhookConfigInput), { default: () => null })
})
export type CreateOutbound = typeof CreateOutbound.Type

/** Response to starting a call. */
export const OutboundStarted = Schema.Struct({ attempt_id: AttemptId })
