import { AllowedSchedule, AppConfig } from "@trunkline/campaigns"
import { Timestamp } from "@trunkline/kernel"
import {
  CalleeModel,
  NothingToRehearse,
  Prices,
  RehearsalProgress,
  RehearsalReport,
  type RehearsalRequest
} from "@trunkline/rehearsal"
import { Schema } from "effect"

/** A request on its way to a thread. */
const Request = Schema.Struct({
  campaign: Schema.Struct({
    app_config: AppConfig,
    start_timestamp: Timestamp,
    end_timestamp: Timestamp,
    allowed_schedule: AllowedSchedule
  }),
  contacts: Schema.Number,
  callees: Schema.optionalWith(CalleeModel, { exact: true }),
  seed: Schema.optionalWith(Schema.Union(Schema.Number, Schema.String), { exact: true }),
  now: Schema.optionalWith(Schema.Number, { exact: true }),
  maxConcurrentCalls: Schema.optionalWith(Schema.Number, { exact: true }),
  maxChannels: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Number }), { exact: true }),
  prices: Schema.optionalWith(Prices, { exact: true }),
  lowestRate: Schema.optionalWith(Schema.Boolean, { exact: true })
})

const encodeRequest = Schema.encodeSync(Request)

/** A request as it crosses: a rehearsal sends no webhooks, so their secret stays where it is. */
export const requestFor = (request: RehearsalRequest): typeof Request.Encoded => {
  const { campaign } = request
  return encodeRequest({
    ...request,
    campaign: { ...campaign, app_config: { ...campaign.app_config, webhook_config: null } }
  })
}

/** A request as it arrives in a thread. */
export const requestIn = Schema.decodeUnknownSync(Request)

/** What a thread tells: how far it is, any number of times, and then how the rehearsal ended. */
const Answer = Schema.Union(
  Schema.TaggedStruct("Progress", { progress: RehearsalProgress }),
  Schema.TaggedStruct("Done", { report: RehearsalReport }),
  Schema.TaggedStruct("Refused", { error: NothingToRehearse }),
  /** By the kind of what broke. */
  Schema.TaggedStruct("Broken", { kind: Schema.String })
)
export type Answer = typeof Answer.Type

/** An answer on its way from a thread. */
export const answerFor = Schema.encodeSync(Answer)

/** An answer as it arrives from a thread. */
export const answerIn = Schema.decodeUnknownEither(Answer)
