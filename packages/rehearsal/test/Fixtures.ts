import { CreateCampaign } from "@trunkline/campaigns"
import { CalleeModel, type RehearsalOptions } from "@trunkline/rehearsal"
import { Schema } from "effect"

/** Monday, 9:00 in Kolkata. */
export const monday = Date.parse("2026-03-02T03:30:00Z")

const hour = 3_600_000

/** A moment, in hours after Monday, 9:00. */
export const after = (hours: number): string => new Date(monday + hours * hour).toISOString()

export interface CampaignShape {
  readonly rate?: number
  readonly start?: string
  readonly end?: string
  readonly window?: readonly [from: string, to: string]
  readonly days?: ReadonlyArray<string>
  readonly timezone?: string
  readonly retries?: unknown
}

/** A campaign that by default dials from 9 to 18 on weekdays for a week. */
export const campaignOf = (
  {
    days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
    end = after(7 * 24),
    rate = 2,
    retries = null,
    start = after(0),
    timezone = "Asia/Kolkata",
    window = ["09:00", "18:00"]
  }: CampaignShape = {}
): CreateCampaign =>
  decodeCampaign({
    name: "Rehearsed",
    app_config: {
      app_id: "agent",
      app_version: 1,
      attempts_per_second: rate,
      connection_configs: [{ connection_id: "line", phone_numbers: ["+911140000001"] }],
      retry_config: retries
    },
    start_timestamp: start,
    end_timestamp: end,
    allowed_schedule: {
      allowed_start_time: window[0],
      allowed_end_time: window[1],
      allowed_days: days,
      timezone
    }
  })

const decodeCampaign = Schema.decodeUnknownSync(CreateCampaign)
const encodeCampaign = Schema.encodeSync(CreateCampaign)

/** A line of a campaign. */
export interface Line {
  readonly connection_id: string
  readonly phone_numbers: ReadonlyArray<string>
  readonly weight?: number
}

/** A campaign with several lines, which may rotate its numbers. */
export const onLines = (
  shape: CampaignShape,
  connection_configs: ReadonlyArray<Line>,
  agent = false
): CreateCampaign => {
  const encoded = encodeCampaign(campaignOf(shape))
  return decodeCampaign({
    ...encoded,
    app_config: { ...encoded.app_config, connection_configs, phone_rotation: { agent } }
  })
}

/** A retry policy with an interval in minutes. */
export const retries = (max_retries: number, retry_interval_minutes: number) => ({
  max_retries,
  retry_interval_minutes
})

const decodeModel = Schema.decodeUnknownSync(CalleeModel)

/** Uniform callees: all reachable, with constant times, and the same in every hour by default. */
export const plain = (
  { hours, people = {}, ring = {}, talk = {} }: {
    readonly hours: ReadonlyArray<object> | object
    readonly people?: object
    readonly ring?: object
    readonly talk?: object
  }
): CalleeModel =>
  decodeModel({
    hours: Array.isArray(hours) ? hours : [{ from: 0, to: 24, ...hours }],
    people: { invalid_number: 0, never_answer: 0, habit: 0, ...people },
    ring_seconds: { answer: 5, voicemail: 20, busy: 3, failed: 2, no_answer: 30, ...ring },
    talk: { seconds: 60, short: 0, business_retry: 0, reschedule: 0, voicemail_seconds: 15, ...talk }
  })

/** All callees answer after 5 seconds and talk for a minute. */
export const allAnswer = plain({ hours: { answer: 1 } })

/** No callee answers; the phone rings for 30 seconds. */
export const noneAnswer = plain({ hours: { answer: 0 } })

/** Options of a rehearsal with ample lines and without trial runs. */
export const options = (
  settings: Partial<RehearsalOptions> & Pick<RehearsalOptions, "contacts">
): RehearsalOptions => ({
  campaign: campaignOf(),
  maxConcurrentCalls: 100_000,
  lowestRate: false,
  ...settings
})

/** A moment as ISO text; null without one. */
export const iso = (at: { readonly epochMillis: number } | null): string | null =>
  at === null ? null : new Date(at.epochMillis).toISOString()
