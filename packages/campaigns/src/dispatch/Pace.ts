import type { DialLine } from "../campaign/Campaign.js"
import type { DialTally } from "./DialLines.js"

/** Recent dials of a campaign, for its rate and its lines. Moments are epoch milliseconds of business time. */
export interface Pace {
  /** The beat of the last dial; beats are `1 / attempts_per_second` apart. */
  readonly beat: number
  /** The moments of the dials of the last second, in order. */
  readonly recent: ReadonlyArray<number>
  /** No dial is made before this moment, regardless of the beat. */
  readonly notBefore: number
  /** The lines of the tally, as JSON. */
  readonly lines: string
  readonly tally: DialTally
}

/** Dials per second above which timers are too coarse to keep the beat. */
export const fastRate = 20

/**
 * Lateness that a fast campaign makes up for. Without it, timers would slow the campaign down, and a busy engine would
 * claim its dials one by one.
 */
const latenessMillis = 20

/** A campaign that is later than this was idle rather than busy, and makes up for nothing. */
const idleMillis = 500

const secondMillis = 1000

/** Most dials per claim; more would block the event loop for too long. */
export const maxDialsPerClaim = 64

/**
 * The pace of a campaign after a restart, given its last dial. Earlier dials are not known, so that the next one comes at
 * least a second later.
 */
export const initialPace = (lastDial: number | null): Pace => ({
  beat: lastDial ?? -Infinity,
  recent: [],
  notBefore: lastDial === null ? -Infinity : lastDial + secondMillis,
  lines: "",
  tally: []
})

/** The pace at `now`. After the clock was set back, the last dial counts as made just now. */
export const paceAt = (pace: Pace, now: number): Pace => {
  const ahead = pace.beat - now
  return ahead > 0
    ? { ...pace, beat: now, notBefore: pace.notBefore - ahead, recent: pace.recent.map((at) => at - ahead) }
    : pace
}

/** Most dials in any second: one more than the rate, because a second may begin and end on a beat. */
const maxInSecond = (attemptsPerSecond: number) => Math.floor(attemptsPerSecond) + 1

/**
 * The earliest moment of the next dial. Dials are at least `1 / attemptsPerSecond` apart, and unused ones do not
 * accumulate. No second has more than `attemptsPerSecond + 1` dials, however late timers fire.
 */
export const nextDialAt = ({ beat, notBefore, recent }: Pace, attemptsPerSecond: number): number =>
  earliestDial(beat, notBefore, attemptsPerSecond, recent.at(-maxInSecond(attemptsPerSecond)))

/** The earliest moment of the next dial, given the dial of which only one second later another one may be made. */
const earliestDial = (beat: number, notBefore: number, attemptsPerSecond: number, full = -Infinity): number =>
  Math.max(beat + secondMillis / attemptsPerSecond, notBefore, full + secondMillis)

/** The beat of a dial that was claimed at `claimed`, after a beat. */
const nextBeat = (beat: number, attemptsPerSecond: number, claimed: number): number => {
  const next = beat + secondMillis / attemptsPerSecond
  const keepsBeat = attemptsPerSecond > fastRate && claimed - next <= idleMillis
  return keepsBeat ? Math.max(next, claimed - latenessMillis) : claimed
}

/** The pace after a dial that was claimed at `claimedAt` and made at `dialledAt`. */
export const afterDial = (
  pace: Pace,
  attemptsPerSecond: number,
  { claimedAt, dialledAt }: { readonly claimedAt: number; readonly dialledAt: number }
): Pace => ({
  ...pace,
  beat: nextBeat(pace.beat, attemptsPerSecond, claimedAt),
  recent: lastSecond(pace.recent, dialledAt)
})

/** The moments of the second that ends with `dialledAt`, and `dialledAt` itself. Copies once: a fast campaign has hundreds. */
const lastSecond = (recent: ReadonlyArray<number>, dialledAt: number): ReadonlyArray<number> => {
  let first = 0
  while (first < recent.length && (recent[first] ?? dialledAt) <= dialledAt - secondMillis) first += 1
  const recentMoments = recent.slice(first)
  recentMoments.push(dialledAt)
  return recentMoments
}

/** Number of dials that the rate allows now, at most `limit`. */
export const dialsAllowed = (
  { beat: lastBeat, notBefore, recent }: Pace,
  attemptsPerSecond: number,
  now: number,
  limit: number
): number => {
  const max = maxInSecond(attemptsPerSecond)
  let [count, beat] = [0, lastBeat]
  while (count < limit) {
    // The dials that are counted here are the latest ones.
    const full = count < max ? recent.at(count - max) : now
    if (earliestDial(beat, notBefore, attemptsPerSecond, full) > now) break
    beat = nextBeat(beat, attemptsPerSecond, now)
    count += 1
  }
  return count
}

const lineTexts = new WeakMap<ReadonlyArray<DialLine>, string>()

/** Lines as JSON, cached because they are compared at every dial and may have hundreds of numbers. */
const textOf = (configs: ReadonlyArray<DialLine>): string => {
  const cachedText = lineTexts.get(configs)
  if (cachedText !== undefined) return cachedText
  const text = JSON.stringify(configs)
  lineTexts.set(configs, text)
  return text
}

/** The pace on these lines; the tally starts over when they have changed. */
export const paceOnLines = (pace: Pace, configs: ReadonlyArray<DialLine>): Pace => {
  const lines = textOf(configs)
  return lines === pace.lines ? pace : { ...pace, lines, tally: [] }
}
