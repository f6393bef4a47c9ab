import { Schema } from "effect"
import { Distribution } from "./Distribution.js"

const Share = Schema.Number.pipe(Schema.between(0, 1))
const hours = 24

/** Outcomes of calls at some hours of the day. The rest of the shares is no answer. */
export const HoursOfDay = Schema.Struct({
  /** First hour, 0 to 23, in the campaign's time zone. */
  from: Schema.Int.pipe(Schema.between(0, hours - 1)),
  /** End hour, exclusive, 1 to 24. */
  to: Schema.Int.pipe(Schema.between(1, hours)),
  /** Share of calls that the callee answers. */
  answer: Share,
  /** Share that a voicemail answers. */
  voicemail: Schema.optionalWith(Share, { default: () => 0 }),
  /** Share that is busy or declined. */
  busy: Schema.optionalWith(Share, { default: () => 0 }),
  /** Share that the network cannot connect, for instance to a phone that is off. */
  failed: Schema.optionalWith(Share, { default: () => 0 }),
  /** Share of all dials that the provider rejects. */
  provider_error: Schema.optionalWith(Share, { default: () => 0 })
}).pipe(
  Schema.filter(({ answer, busy, failed, from, to, voicemail }) =>
    from >= to
      ? { path: ["to"], message: "Must be later than from" }
      : answer + voicemail + busy + failed > 1 + 1e-9
      ? { path: ["answer"], message: "answer, voicemail, busy and failed must not be more than 1 together" }
      : undefined
  )
)
export type HoursOfDay = typeof HoursOfDay.Type

const eachHourOnce = (bands: ReadonlyArray<HoursOfDay>): string | undefined => {
  const times = Array.from({ length: hours }, (_, hour) => bands.filter((band) => hour >= band.from && hour < band.to))
  const wrong = times.findIndex((matches) => matches.length !== 1)
  if (wrong < 0) return undefined
  return `Hour ${wrong} is in ${times[wrong]?.length ?? 0} of the bands; every hour from 0 to 23 must be in exactly one`
}

// Estimates, not measurements: docs/rehearsal.md explains them.
const defaultHours: ReadonlyArray<HoursOfDay> = [
  { from: 0, to: 8, answer: 0.15, voicemail: 0.05, busy: 0.05, failed: 0.15, provider_error: 0.005 },
  { from: 8, to: 12, answer: 0.38, voicemail: 0.05, busy: 0.14, failed: 0.06, provider_error: 0.005 },
  { from: 12, to: 17, answer: 0.34, voicemail: 0.05, busy: 0.15, failed: 0.06, provider_error: 0.005 },
  { from: 17, to: 21, answer: 0.44, voicemail: 0.05, busy: 0.13, failed: 0.05, provider_error: 0.005 },
  { from: 21, to: 24, answer: 0.25, voicemail: 0.05, busy: 0.08, failed: 0.1, provider_error: 0.005 }
]

const spread = (of: Distribution) => Schema.optionalWith(Distribution, { default: () => of })
const share = (of: number) => Schema.optionalWith(Share, { default: () => of })

const People = Schema.Struct({
  /** Share of contacts whose number is not in service: every call fails. */
  invalid_number: share(0.03),
  /** Share of contacts that never answer. */
  never_answer: share(0.08),
  /**
   * Consistency of a contact at a part of the day: at 0 every call is drawn independently; at 1 a contact that did not
   * answer one morning never answers in the morning, but may in the evening. The parts of the day begin at 6, 12, 17 and
   * 22.
   */
  habit: share(0.5)
})

const Ringing = Schema.Struct({
  /** Seconds until the callee picks up; longer than the phone rings is no answer. */
  answer: spread({ median: 9, p90: 22 }),
  /** Seconds until a voicemail picks up. */
  voicemail: spread(25),
  /** Seconds until the network reports a busy line. */
  busy: spread(4),
  /** Seconds until the network reports a failure. */
  failed: spread(3),
  /** Seconds until the network gives up without an answer; at most the engine's ringing time of 40 s. */
  no_answer: spread(45)
})

const Talking = Schema.Struct({
  /** Length of a conversation in seconds. */
  seconds: spread({ median: 75, p90: 210, at_most: 1_800 }),
  /** Share of answered calls that end early. */
  short: share(0.12),
  /** Length of those in seconds. */
  short_seconds: spread({ percentiles: [[0, 2], [100, 15]] }),
  /** Length of a call to a voicemail in seconds. */
  voicemail_seconds: spread(20),
  /** Share of conversations after which the agent asks for another try (`business_retry`). */
  business_retry: share(0.03),
  /** Share of calls to a voicemail after which it asks for another try. */
  voicemail_retry: share(0),
  /** Share of conversations in which a callback is promised (`reschedule`). */
  reschedule: share(0.05),
  /** Hours until the callback. */
  reschedule_hours: spread({ percentiles: [[0, 0.5], [60, 4], [100, 48]] })
})

const part = <A, I extends object>(schema: Schema.Schema<A, I>, empty: I) =>
  Schema.optionalWith(schema, { default: () => Schema.decodeSync(schema)(empty) })

/**
 * Model of how contacts take calls, as plain data. Every part is optional. Shares are from 0 to 1, durations are seconds
 * unless stated otherwise, and hours are in the campaign's time zone. Unknown keys are rejected, so that a misspelled
 * part does not silently get its default.
 *
 * The defaults are estimates for consumer calls from an unknown number in India, not measurements; replace them by the
 * figures of your own calls.
 */
export const CalleeModel = Schema.Struct({
  hours: Schema.optionalWith(
    Schema.Array(HoursOfDay).pipe(Schema.filter(eachHourOnce)),
    { default: () => defaultHours }
  ),
  people: part(People, {}),
  ring_seconds: part(Ringing, {}),
  talk: part(Talking, {})
}).annotations({ identifier: "CalleeModel", parseOptions: { onExcessProperty: "error" } })
export type CalleeModel = typeof CalleeModel.Type

/** The model with all defaults. */
export const defaultCallees: CalleeModel = Schema.decodeSync(CalleeModel)({})
