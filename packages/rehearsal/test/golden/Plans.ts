import { type CreateCampaign, DailyCap, EndWhenExhausted } from "@trunkline/campaigns"
import { PhoneNumber } from "@trunkline/kernel"
import {
  CalleeModel,
  defaultCallees,
  type RehearsalOptions,
  type RehearsalReport,
  rehearse
} from "@trunkline/rehearsal"
import { CallLimitsOption } from "@trunkline/telephony"
import { Duration, Effect, Schema, Stream } from "effect"
import {
  after,
  allAnswer,
  campaignOf,
  type CampaignShape,
  type Line,
  monday,
  noneAnswer,
  onLines,
  plain,
  retries
} from "../Fixtures.js"

/** A rehearsal whose log and report are recorded. */
export interface Plan {
  readonly options: RehearsalOptions
  /** Settings of the engine that the rehearsal inherits. */
  readonly inherits?: (rehearsal: Effect.Effect<RehearsalReport, unknown>) => Effect.Effect<RehearsalReport, unknown>
}

const numbers = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `+9111400000${first + index}`)

const threeLines: ReadonlyArray<Line> = [
  { connection_id: "a", phone_numbers: numbers(10, 1), weight: 3 },
  { connection_id: "b", phone_numbers: numbers(20, 3), weight: 1 },
  { connection_id: "c", phone_numbers: numbers(30, 2), weight: 2.5 }
]

const everyRetry = {
  max_retries: 4,
  retry_interval_minutes: [2, 5, 20],
  retry_on: {
    failed: { enabled: true },
    short_duration: { enabled: true, threshold_seconds: 12 },
    provider_error: { max_retries: 2, retry_interval_minutes: 1 }
  }
}

const talkative = Schema.decodeSync(CalleeModel)({
  people: { habit: 1 },
  talk: { business_retry: 0.3, reschedule: 0.4, voicemail_retry: 0.5, short: 0.3, reschedule_hours: 1.5 }
})

const troubled = (provider_error: number) =>
  plain({ hours: [{ from: 0, to: 10, answer: 0.4, provider_error }, { from: 10, to: 24, answer: 0.5, busy: 0.3 }] })

const listed = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    user_phone_number: PhoneNumber.make(`+9198765${String(10_000 + (index % 3 === 0 ? index % 97 : index))}`)
  }))

const plan = (
  contacts: RehearsalOptions["contacts"],
  shape: CampaignShape | CreateCampaign,
  settings: Partial<RehearsalOptions> = {},
  inherits?: Plan["inherits"]
): Plan => ({
  options: {
    contacts,
    campaign: "app_config" in shape ? shape : campaignOf(shape),
    lowestRate: false,
    maxConcurrentCalls: 10,
    ...settings
  },
  ...(inherits && { inherits })
})

/** Rehearsals of every feature, by name. */
export const plans: Readonly<Record<string, Plan>> = {
  "ten lines and the default model": plan(1_500, { rate: 20, retries: retries(3, 10) }),
  "another seed": plan(1_500, { rate: 20, retries: retries(3, 10) }, { seed: "another" }),
  "ample lines at 50 a second": plan(4_000, { rate: 50, retries: everyRetry }, { maxConcurrentCalls: 20_000 }),
  "fast with few lines": plan(1_500, { rate: 500, retries: retries(2, 3) }, { maxConcurrentCalls: 60, seed: 3 }),
  "33 a second, so that beats are fractions of milliseconds": plan(
    1_000,
    { rate: 33, retries: retries(1, 1) },
    { maxConcurrentCalls: 2_000 }
  ),
  "7 a second with 40 lines": plan(800, { rate: 7, retries: everyRetry }, { maxConcurrentCalls: 40 }),
  "one call in three seconds": plan(200, { rate: 0.3, retries: retries(2, 15) }),
  "a single line": plan(60, { rate: 2, retries: retries(1, 1) }, { maxConcurrentCalls: 1 }),
  "uniform callees on the beat": plan(120, { rate: 0.2 }, { callees: allAnswer, maxConcurrentCalls: 50 }),
  "uniform callees who never answer": plan(
    150,
    { rate: 2, retries: retries(3, 1) },
    { callees: noneAnswer, maxConcurrentCalls: 40 }
  ),
  "calls that end at once": plan(200, { rate: 10, retries: everyRetry }, {
    callees: plain({
      hours: { answer: 0.3, busy: 0.4, failed: 0.2, provider_error: 0.2 },
      ring: { answer: 0, busy: 0, failed: 0, no_answer: 0 },
      talk: { seconds: 0 }
    }),
    maxConcurrentCalls: 4
  }),
  "windows of an hour, until after the end": plan(
    1_400,
    { rate: 0.2, window: ["09:00", "10:00"], retries: retries(2, 90), end: after(49.5) },
    { seed: 11 }
  ),
  "ends with calls in progress and people unread": plan(
    5_000,
    { rate: 5, end: after(0.1), retries: retries(3, 1) },
    { maxConcurrentCalls: 300 }
  ),
  "overnight through a clock change": plan(900, {
    rate: 0.1,
    timezone: "Europe/Berlin",
    window: ["22:00", "04:00"],
    days: ["Saturday", "Sunday"],
    start: "2026-03-27T12:00:00Z",
    end: "2026-03-31T12:00:00Z",
    retries: retries(1, 45)
  }),
  "begins before the start": plan(90, { retries: retries(1, 5) }, { now: monday - 30 * 3_600_000 }),
  "begins in the middle": plan(90, { retries: retries(1, 5) }, { now: monday + 5 * 3_600_000 + 7 }),
  "three lines with channels": plan(
    600,
    onLines({ rate: 12, retries: everyRetry }, threeLines),
    { maxConcurrentCalls: 60, maxChannels: { a: 10, b: 4 } }
  ),
  "three lines with rotation": plan(
    500,
    onLines({ rate: 6, retries: everyRetry }, threeLines, true),
    { maxConcurrentCalls: 40, maxChannels: { a: 3, c: 25 }, seed: 5 }
  ),
  "rejected dials that pause a line": plan(
    300,
    { rate: 4, retries: everyRetry },
    { callees: troubled(0.7), maxConcurrentCalls: 30 }
  ),
  "rejected dials that pause three lines": plan(
    500,
    onLines({ rate: 15, retries: everyRetry }, threeLines),
    { callees: troubled(0.6), maxConcurrentCalls: 25, maxChannels: { b: 2, c: 3 } }
  ),
  "every dial rejected": plan(80, { rate: 2 }, { callees: plain({ hours: { answer: 1, provider_error: 1 } }) }),
  "callbacks and other tries": plan(700, { rate: 10, retries: everyRetry }, {
    callees: talkative,
    maxConcurrentCalls: 100
  }),
  "callbacks without a policy": plan(300, { rate: 3 }, { callees: talkative, seed: 2 ** 31 }),
  "listed people, some repeatedly": plan(listed(900), { rate: 5, retries: retries(1, 30) }),
  "streamed people": plan(Stream.fromIterable(listed(1_300)), { rate: 25 }, { maxConcurrentCalls: 90 }),
  "nobody": plan(0, { end: after(2) }),
  "lowest rate with its own lines": plan(
    300,
    { rate: 1, end: after(0.4), retries: retries(2, 2) },
    { lowestRate: true, maxConcurrentCalls: 25 }
  ),
  "lowest rate of a sample": plan(
    3_000,
    { rate: 20, end: after(1), retries: retries(1, 5) },
    { lowestRate: true, maxConcurrentCalls: 400, maxChannels: { line: 350 } }
  ),
  "a daily cap": plan(
    150,
    { rate: 5, retries: retries(6, 20), window: ["09:00", "12:00"] },
    { maxConcurrentCalls: 30 },
    Effect.provideService(DailyCap, 2)
  ),
  "a campaign that stays open": plan(
    40,
    { end: after(30), retries: retries(1, 30) },
    {},
    Effect.provideService(EndWhenExhausted, false)
  ),
  "short limits of calls": plan(
    200,
    { rate: 5, retries: retries(2, 3) },
    { callees: defaultCallees, maxConcurrentCalls: 30 },
    Effect.provideService(CallLimitsOption, {
      ringTimeout: Duration.seconds(12),
      maxDuration: Duration.seconds(50),
      idleBudget: Duration.seconds(20)
    })
  ),
  "prices": plan(200, { rate: 5 }, {
    prices: { currency: "INR", per_minute: [0.5, 0.75], pulse_seconds: 15 },
    maxConcurrentCalls: 50
  })
}

/** Rehearses a plan. */
export const rehearsePlan = ({ inherits = (rehearsal) => rehearsal, options }: Plan) => inherits(rehearse(options))
