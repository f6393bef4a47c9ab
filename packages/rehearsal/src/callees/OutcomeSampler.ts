import { type TimeZone, zonePeriod } from "@trunkline/kernel"
import type { CalleeModel, HoursOfDay } from "./CalleeModel.js"
import { type Distribution, sample } from "./Distribution.js"

/** The callee or a voicemail picks up. */
export interface PickedUp {
  readonly _tag: "PickedUp"
  readonly by: "person" | "voicemail"
  /** True when the call ends early. */
  readonly short: boolean
  /** Milliseconds of ringing. */
  readonly ringMillis: number
  /** Milliseconds until the end of the call. */
  readonly talkMillis: number
  /** True when the agent asks for another try afterwards. */
  readonly business_retry: boolean
  /** Milliseconds until a promised callback; null without one. */
  readonly reschedule_after: number | null
}

/** The call is not answered. */
export interface NotReached {
  readonly _tag: "NotReached"
  readonly status: "busy" | "no_answer" | "failed"
  /** True when the number is not in service. */
  readonly invalid: boolean
  /** Milliseconds until the network reports it. */
  readonly ringMillis: number
}

/** Outcome of one simulated call, drawn before it is dialled. */
export type SimulatedOutcome = PickedUp | NotReached | { readonly _tag: "ProviderError" }

/** Draws the outcome of the `count`-th call (from 0) to a contact at a moment, in epoch milliseconds. */
export type OutcomeSampler = (person: number, count: number, at: number) => SimulatedOutcome

/** The longest ringing and talking that the engine allows, in milliseconds. */
export interface CallBounds {
  readonly ringMillis: number
  readonly talkMillis: number
}

const hour = 3_600_000
const day = 24 * hour

/** Hours at which the parts of the day begin. */
const partStarts = [6, 12, 17, 22] as const

/** The part of the day of an hour; 0 is the night, which spans midnight. */
const partOf = (hourOfDay: number): number =>
  partStarts.filter((start) => hourOfDay >= start).length % partStarts.length

/** The outcomes of a callee model in a time zone, always the same for the same seed. */
export const makeOutcomeSampler = (
  model: CalleeModel,
  { bounds, seed, timezone }: {
    readonly seed: number | string
    readonly timezone: TimeZone
    readonly bounds: CallBounds
  }
): OutcomeSampler => {
  const chance = seededRandom(seed)
  const bands = Array.from(
    { length: 24 },
    (_, hourOfDay) => model.hours.find(({ from, to }) => hourOfDay >= from && hourOfDay < to)
  )
  const parts = Array.from({ length: 24 }, (_, hourOfDay) => partOf(hourOfDay))
  const { people, ring_seconds, talk } = model

  const hourAt = (at: number) => Math.floor((at + zonePeriod(timezone, at).offset) % day / hour)

  const sampleOf = (
    spread: Distribution,
    person: number,
    count: number,
    [first, second]: readonly [DrawPurpose, DrawPurpose]
  ) =>
    typeof spread === "number"
      ? spread
      : sample(spread, chance(first, person, count), chance(second, person, count))

  const rings = (spread: Distribution, person: number, count: number) =>
    Math.round(1_000 * sampleOf(spread, person, count, ["ring", "ring_spread"]))

  const notReached = (status: NotReached["status"], person: number, count: number, invalid = false): NotReached => ({
    _tag: "NotReached",
    status,
    invalid,
    ringMillis: Math.min(bounds.ringMillis, rings(ring_seconds[status], person, count))
  })

  const talkTime = (spread: Distribution, person: number, count: number) =>
    Math.max(
      1,
      Math.min(bounds.talkMillis, Math.round(1_000 * sampleOf(spread, person, count, ["talk", "talk_spread"])))
    )

  const pickedUp = (person: number, count: number): SimulatedOutcome => {
    const ringMillis = rings(ring_seconds.answer, person, count)
    if (ringMillis >= bounds.ringMillis) return notReached("no_answer", person, count)
    if (chance("short", person, count) < talk.short) {
      const talkMillis = talkTime(talk.short_seconds, person, count)
      return {
        _tag: "PickedUp",
        by: "person",
        short: true,
        ringMillis,
        talkMillis,
        business_retry: false,
        reschedule_after: null
      }
    }
    const after = chance("after_talk", person, count)
    return {
      _tag: "PickedUp",
      by: "person",
      short: false,
      ringMillis,
      talkMillis: talkTime(talk.seconds, person, count),
      business_retry: after >= talk.reschedule && after < talk.reschedule + talk.business_retry,
      reschedule_after: after < talk.reschedule
        ? Math.round(hour * sampleOf(talk.reschedule_hours, person, count, ["call_back", "call_back_spread"]))
        : null
    }
  }

  const voicemail = (person: number, count: number): SimulatedOutcome => {
    const ringMillis = rings(ring_seconds.voicemail, person, count)
    if (ringMillis >= bounds.ringMillis) return notReached("no_answer", person, count)
    return {
      _tag: "PickedUp",
      by: "voicemail",
      short: false,
      ringMillis,
      talkMillis: talkTime(talk.voicemail_seconds, person, count),
      business_retry: chance("after_talk", person, count) < talk.voicemail_retry,
      reschedule_after: null
    }
  }

  const ofHour = ({ answer, busy, failed, voicemail: machine }: HoursOfDay, draw: number) =>
    draw < answer
      ? "answer"
      : draw < answer + machine
      ? "voicemail"
      : draw < answer + machine + busy
      ? "busy"
      : draw < answer + machine + busy + failed
      ? "failed"
      : "no_answer"

  return (person, count, at) => {
    const hourOfDay = hourAt(at)
    const band = bands[hourOfDay]
    if (band === undefined) return notReached("no_answer", person, count)
    if (chance("line", person, count) < band.provider_error) return { _tag: "ProviderError" }
    if (chance("invalid", person, 0) < people.invalid_number) return notReached("failed", person, count, true)
    if (chance("never", person, 0) < people.never_answer) return notReached("no_answer", person, count)
    const result = ofHour(band, drawFor(chance, { person, count, part: parts[hourOfDay] ?? 0, habit: people.habit }))
    if (result === "answer") return pickedUp(person, count)
    return result === "voicemail" ? voicemail(person, count) : notReached(result, person, count)
  }
}

/** The number that decides about the answer: the contact's own at this part of the day, or one for this call only. */
const drawFor = (
  chance: SeededRandom,
  { count, habit, part, person }: {
    readonly person: number
    readonly count: number
    readonly part: number
    readonly habit: number
  }
): number =>
  chance("habit", person, count) < habit ? chance("part_of_day", person, part) : chance("pickup", person, count)

/** Mixes 32 bits, with the finalizer of MurmurHash3. */
const mix = (bits: number): number => {
  const first = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return second ^ (second >>> 16)
}

/** The 32-bit FNV-1a hash of a text. */
const hashOf = (text: string): number => {
  let bits = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193)
  return bits
}

/** Independent streams of random numbers. */
const purposes = [
  "line",
  "invalid",
  "never",
  "habit",
  "pickup",
  "part_of_day",
  "ring",
  "ring_spread",
  "talk",
  "talk_spread",
  "short",
  "after_talk",
  "call_back",
  "call_back_spread"
] as const
/** Name of a stream of random numbers. */
export type DrawPurpose = typeof purposes[number]

const saltOf = new Map<string, number>(purposes.map((purpose) => [purpose, hashOf(purpose)]))

/**
 * Draws a number in [0, 1), always the same for the same contact, count and purpose. Draws for one contact do not depend
 * on other contacts or on the order of calls.
 */
export type SeededRandom = (purpose: DrawPurpose, person: number, count: number) => number

/** Random numbers of a seed. */
export const seededRandom = (seed: number | string): SeededRandom => {
  const root = mix(hashOf(String(seed)))
  return (purpose, person, count) => {
    const ofPerson = mix(root + Math.imul(person, 0x9e3779b1))
    const ofCount = mix((ofPerson ^ (saltOf.get(purpose) ?? 0)) + Math.imul(count, 0x7feb352d))
    return (mix(ofCount + 0x165667b1) >>> 0) / 2 ** 32
  }
}
