import { AppId, AttemptId, PhoneNumber, Timestamp, Variables, WebhookConfigInput } from "@trunkline/kernel"
import { AppOverridesInput, DialledNumber } from "@trunkline/telephony"
import { Schema } from "effect"

/** Longest call that a token can ask for, in seconds. */
const maxCallSeconds = 14_400

/** Request body that makes a token for a call from a browser. */
export const CreateBrowserCall = Schema.Struct({
  app_id: AppId,
  /** Version of the agent, a draft too; the newest committed one by default. */
  app_version: Schema.optional(Schema.Int.pipe(Schema.greaterThanOrEqualTo(1))),
  /** Variables of the conversation. */
  agent_variables: Schema.optionalWith(Variables, { default: () => ({}) }),
  /** Settings of the agent for this call. */
  app_overrides: Schema.optionalWith(Schema.NullOr(AppOverridesInput), { default: () => null }),
  /** Your own id of the person; the id of the attempt by default. */
  user_identifier: Schema.optional(Schema.NonEmptyString.pipe(Schema.maxLength(256))),
  /** Number of the person, for the record of the call; nobody is called. By default `+99900000001`, which nobody has. */
  user_phone_number: Schema.optional(DialledNumber),
  /** Longest call in seconds; 1,800 by default, or less where the agent or the server says so. */
  max_duration_seconds: Schema.optional(Schema.Int.pipe(Schema.between(1, maxCallSeconds))),
  /** Webhook that receives the result, as that of a single call does. */
  webhook_config: Schema.optionalWith(Schema.NullOr(WebhookConfigInput), { default: () => null })
})
export type CreateBrowserCall = typeof CreateBrowserCall.Type

/** A token for one call from a browser. */
export const BrowserCallToken = Schema.Struct({
  /** Id of the attempt that the call will be. There is no record of it unless the token is used. */
  attempt_id: AttemptId,
  /** Good for one call. */
  token: Schema.String,
  /**
   * Address of the WebSocket with the token: `wss://…` where the server knows its public address, otherwise a path below the
   * prefix of the API.
   */
  url: Schema.String,
  /** Time after which the token opens no call any more. */
  expires_at: Timestamp
}).annotations({ identifier: "BrowserCallToken" })
export type BrowserCallToken = typeof BrowserCallToken.Type

/** Numbers of calls from browsers, in a country code that is not assigned (ITU-T E.164): nobody can be called by them. */
export const browserNumbers = {
  person: PhoneNumber.make("+99900000001"),
  agent: PhoneNumber.make("+99900000000")
}
