import { Schema } from "effect"
import { Spread } from "./Spread.js"

const Share = Schema.Number.pipe(Schema.between(0, 1))
const hours = 24

/** What happens to calls at some hours of the day. What is left of the shares is nobody answering. */
export const HoursOfDay = Schema.Struct({
  /** From this hour, 0 to 23, on the clocks of the campaign's zone. */
  from: Schema.Int.pipe(Schema.between(0, hours - 1)),
  /** Up to but not including this hour, 1 to 24. */
  to: Schema.Int.pipe(Schema.between(1, hours)),
  /** Share of calls that a person answers. */
  answer: Share,
  /** Share that a voicemail answers. */
  voicemail: Schema.optionalWith(Share, { default: () => 0 }),
  /** Share that is busy or declined. */
  busy: Schema.optionalWith(Share, { default: () => 0 }),
  /** Share that the network cannot connect just now, such as to a phone that is off. */
  failed: Schema.optionalWith(Share, { default: () => 0 }),
  /** Share of all dials that the provider itself refuses, whoever is called. */
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
  const wrong = times.findIndex((found) => found.length !== 1)
  if (wrong < 0) return undefined
  return `Hour ${wrong} is in ${times[wrong]?.length ?? 0} of the bands; every hour from 0 to 23 must be in exactly one`
}

// Who answers at which hour, and how long calls are, is judgement: see docs/rehearsal.md for what it rests on.
const defaultHours: ReadonlyArray<HoursOfDay> = [
  { from: 0, to: 8, answer: 0.15, voicemail: 0.05, busy: 0.05, failed: 0.15, provider_error: 0.005 },
  { from: 8, to: 12, answer: 0.38, voicemail: 0.05, busy: 0.14, failed: 0.06, provider_error: 0.005 },
  { from: 12, to: 17, answer: 0.34, voicemail: 0.05, busy: 0.15, failed: 0.06, provider_error: 0.005 },
  { from: 17, to: 21, answer: 0.44, voicemail: 0.05, busy: 0.13, failed: 0.05, provider_error: 0.005 },
  { from: 21, to: 24, answer: 0.25, voicemail: 0.05, busy: 0.08, failed: 0.1, provider_error: 0.005 }
]

const spread = (of: Spread) => Schema.optionalWith(Spread, { default: () => of })
const share = (of: number) => Schema.optionalWith(Share, { default: () => of })

const People = Schema.Struct({
  /** Share of people whose number is not in service: every call fails. */
  invalid_number: share(0.03),
  /** Share of people who never answer, whenever they are called. */
  never_answer: share(0.08),
  /**
   * How much of whether somebody answers is theirs at that part of the day, and not chance: 0 is a new throw for every
   * call; at 1, who did not answer this morning will not on any morning, yet may in the evening. The parts of the day
   * begin at 6, 12, 17 and 22.
   */
  habit: share(0.5)
})

const Ringing = Schema.Struct({
  /** Seconds until a person picks up; who takes longer than the phone rings does not answer. */
  answer: spread({ median: 9, p90: 22 }),
  /** Seconds until a voicemail does. */
  voicemail: spread(25),
  /** Seconds until the network says that the line is busy. */
  busy: spread(4),
  /** Seconds until it says that it cannot connect. */
  failed: spread(3),
  /** Seconds until it gives up where nobody answers; never longer than the engine lets it ring (40 s). */
  no_answer: spread(45)
})

const Talking = Schema.Struct({
  /** Seconds that a conversation lasts. */
  seconds: spread({ median: 75, p90: 210, at_most: 1_800 }),
  /** Share of answered calls that are cut short at once. */
  short: share(0.12),
  /** Seconds that those last. */
  short_seconds: spread({ percentiles: [[0, 2], [100, 15]] }),
  /** Seconds that the agent speaks to a voicemail. */
  voicemail_seconds: spread(20),
  /** Share of conversations after which the agent asks for another try (`business_retry`). */
  business_retry: share(0.03),
  /** Share of calls that a voicemail answers after which it does. */
  voicemail_retry: share(0),
  /** Share of conversations in which a call back is promised (`reschedule`). */
  reschedule: share(0.05),
  /** Hours until that call back. */
  reschedule_hours: spread({ percentiles: [[0, 0.5], [60, 4], [100, 48]] })
})

const part = <A, I extends object>(schema: Schema.Schema<A, I>, empty: I) =>
  Schema.optionalWith(schema, { default: () => Schema.decodeSync(schema)(empty) })

/**
 * How the people of a campaign take its calls: plain data, of which every part may be left out. Shares are from 0 to
 * 1, spans are seconds unless they say otherwise, hours are those of the campaign's time zone. A key that is not known is
 * refused: a part that is spelled wrong would be played with its default.
 *
 * The defaults are judgement for consumer calls from an unknown number in India, not measurements; set them to what your own
 * calls have shown.
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

/** The model in which nothing is said. */
export const defaultCallees: CalleeModel = Schema.decodeSync(CalleeModel)({})
