import { type TimeZone, zonePeriod } from "@trunkline/kernel"
import type { CalleeModel, HoursOfDay } from "./CalleeModel.js"
import { type Chance, chances, type Purpose } from "./Chance.js"
import { sample, type Spread } from "./Spread.js"

/** Somebody, or a voicemail, picks up. */
export interface PickedUp {
  readonly _tag: "PickedUp"
  readonly by: "person" | "voicemail"
  /** Whether they hang up at once. */
  readonly short: boolean
  /** Milliseconds of ringing. */
  readonly ringing: number
  /** Milliseconds until the call is over again. */
  readonly talking: number
  /** What the agent asks for afterwards: another try, or a call back so many milliseconds later. */
  readonly business_retry: boolean
  readonly reschedule_after: number | null
}

/** Nobody is reached. */
export interface NotReached {
  readonly _tag: "NotReached"
  readonly status: "busy" | "no_answer" | "failed"
  /** Whether the number is not in service at all. */
  readonly invalid: boolean
  /** Milliseconds until the network says so. */
  readonly ringing: number
}

/** What becomes of one call: it is settled before it is dialled. */
export type Fate = PickedUp | NotReached | { readonly _tag: "ProviderError" }

/** Settles what becomes of the `count`-th call (from 0) to a person at a moment, in milliseconds since 1970. */
export type Fates = (person: number, count: number, at: number) => Fate

/** The longest ringing and talking that the engine allows, in milliseconds. */
export interface CallBounds {
  readonly ringing: number
  readonly talking: number
}

const hour = 3_600_000
const day = 24 * hour

/** Where the parts of the day begin, by the clock. */
const partStarts = [6, 12, 17, 22] as const

/** Night, which begins before midnight and ends after it, is part 0. */
const partOf = (hourOfDay: number): number =>
  partStarts.filter((start) => hourOfDay >= start).length % partStarts.length

/** The fates that a model deals out, by the clocks of a zone: the same ones for the same seed. */
export const fatesOf = (
  model: CalleeModel,
  { bounds, seed, timezone }: {
    readonly seed: number | string
    readonly timezone: TimeZone
    readonly bounds: CallBounds
  }
): Fates => {
  const chance = chances(seed)
  const bands = Array.from(
    { length: 24 },
    (_, hourOfDay) => model.hours.find(({ from, to }) => hourOfDay >= from && hourOfDay < to)
  )
  const parts = Array.from({ length: 24 }, (_, hourOfDay) => partOf(hourOfDay))
  const { people, ring_seconds, talk } = model

  const hourAt = (at: number) => Math.floor((at + zonePeriod(timezone, at).offset) % day / hour)

  const drawn = (spread: Spread, person: number, count: number, [first, second]: readonly [Purpose, Purpose]) =>
    typeof spread === "number"
      ? spread
      : sample(spread, chance(first, person, count), chance(second, person, count))

  const rings = (spread: Spread, person: number, count: number) =>
    Math.round(1_000 * drawn(spread, person, count, ["ring", "ring_spread"]))

  const notReached = (status: NotReached["status"], person: number, count: number, invalid = false): NotReached => ({
    _tag: "NotReached",
    status,
    invalid,
    ringing: Math.min(bounds.ringing, rings(ring_seconds[status], person, count))
  })

  const talked = (spread: Spread, person: number, count: number) =>
    Math.max(
      1,
      Math.min(bounds.talking, Math.round(1_000 * drawn(spread, person, count, ["talk", "talk_spread"])))
    )

  const pickedUp = (person: number, count: number): Fate => {
    const ringing = rings(ring_seconds.answer, person, count)
    if (ringing >= bounds.ringing) return notReached("no_answer", person, count)
    if (chance("short", person, count) < talk.short) {
      const talking = talked(talk.short_seconds, person, count)
      return {
        _tag: "PickedUp",
        by: "person",
        short: true,
        ringing,
        talking,
        business_retry: false,
        reschedule_after: null
      }
    }
    const after = chance("after_talk", person, count)
    return {
      _tag: "PickedUp",
      by: "person",
      short: false,
      ringing,
      talking: talked(talk.seconds, person, count),
      business_retry: after >= talk.reschedule && after < talk.reschedule + talk.business_retry,
      reschedule_after: after < talk.reschedule
        ? Math.round(hour * drawn(talk.reschedule_hours, person, count, ["call_back", "call_back_spread"]))
        : null
    }
  }

  const voicemail = (person: number, count: number): Fate => {
    const ringing = rings(ring_seconds.voicemail, person, count)
    if (ringing >= bounds.ringing) return notReached("no_answer", person, count)
    return {
      _tag: "PickedUp",
      by: "voicemail",
      short: false,
      ringing,
      talking: talked(talk.voicemail_seconds, person, count),
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
    const found = ofHour(band, drawFor(chance, { person, count, part: parts[hourOfDay] ?? 0, habit: people.habit }))
    if (found === "answer") return pickedUp(person, count)
    return found === "voicemail" ? voicemail(person, count) : notReached(found, person, count)
  }
}

/** The number that decides who answers: the person's own at this part of the day, or one of this call alone. */
const drawFor = (
  chance: Chance,
  { count, habit, part, person }: {
    readonly person: number
    readonly count: number
    readonly part: number
    readonly habit: number
  }
): number =>
  chance("habit", person, count) < habit ? chance("part_of_day", person, part) : chance("pickup", person, count)
