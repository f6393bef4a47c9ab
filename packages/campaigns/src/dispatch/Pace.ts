import type { DialLine } from "../campaign/Campaign.js"
import type { DialTally } from "./NumberChoice.js"

/** How fast a campaign has been dialling, and from which of its lines. Moments are epoch milliseconds of business time. */
export interface Pace {
  /** The beat that the last dial belonged to; beats are `1 / attempts_per_second` apart. */
  readonly beat: number
  /** When the dials of the last second were made, in order. */
  readonly recent: ReadonlyArray<number>
  /** Nothing is dialled before this, whatever the beat. */
  readonly notBefore: number
  /** The lines that the tally counts, as text. */
  readonly lines: string
  readonly tally: DialTally
}

/** Above this many dials a second, timers are too coarse to keep the beat by themselves. */
const FAST = 20

/**
 * A fast campaign makes up for as much as this when it is late, and no more: without it, timers would slow it down, and
 * an engine that is busy would claim its dials one by one.
 */
const LATENESS_MILLIS = 20

/** Who is later than this was not busy but idle, and makes up for nothing. */
const IDLE_MILLIS = 500

const SECOND = 1000

/** The most dials that are started together: more would keep the event loop for long. */
export const MAX_TOGETHER = 64

/**
 * The pace of a campaign that goes on after its last dial in another process, if there was one: which others there were
 * is not known, so it waits a second before it may be as fast again.
 */
export const startPace = (lastDial: number | null): Pace => ({
  beat: lastDial ?? -Infinity,
  recent: [],
  notBefore: lastDial === null ? -Infinity : lastDial + SECOND,
  lines: "",
  tally: []
})

/** The pace by a clock that reads `now`: where that was set back, the last dial counts as made just now. */
export const asOf = (pace: Pace, now: number): Pace => {
  const ahead = pace.beat - now
  return ahead > 0
    ? { ...pace, beat: now, notBefore: pace.notBefore - ahead, recent: pace.recent.map((at) => at - ahead) }
    : pace
}

/** The most dials in any one second: one more than the rate, since a second may begin and end on a beat. */
const mostInSecond = (attemptsPerSecond: number) => Math.floor(attemptsPerSecond) + 1

/**
 * The earliest moment of the next dial. Dials are at least `1 / attemptsPerSecond` apart and what was not used is not
 * banked (shapes 3.2); whatever the timers do, no second holds more than `attemptsPerSecond + 1` of them.
 */
export const nextDialAt = ({ beat, notBefore, recent }: Pace, attemptsPerSecond: number): number => {
  const full = recent.at(-mostInSecond(attemptsPerSecond))
  return Math.max(beat + SECOND / attemptsPerSecond, notBefore, full === undefined ? -Infinity : full + SECOND)
}

/** The pace after a dial that was due at `nextDialAt`, claimed at `claimed`, and made at `made`. */
export const afterDial = (
  pace: Pace,
  attemptsPerSecond: number,
  { claimed, made }: { readonly claimed: number; readonly made: number }
): Pace => {
  const next = pace.beat + SECOND / attemptsPerSecond
  const keepsBeat = attemptsPerSecond > FAST && claimed - next <= IDLE_MILLIS
  return {
    ...pace,
    beat: keepsBeat ? Math.max(next, claimed - LATENESS_MILLIS) : claimed,
    recent: [...pace.recent.filter((at) => at > made - SECOND), made]
  }
}

/** How many dials the rate allows at this moment, up to a limit. */
export const allowance = (pace: Pace, attemptsPerSecond: number, now: number, limit: number): number => {
  let [count, ahead] = [0, pace]
  while (count < limit && nextDialAt(ahead, attemptsPerSecond) <= now) {
    ahead = afterDial(ahead, attemptsPerSecond, { claimed: now, made: now })
    count += 1
  }
  return count
}

const texts = new WeakMap<ReadonlyArray<DialLine>, string>()

/** Lines as text, which is written once: they are compared at every dial, and may be hundreds of numbers. */
const textOf = (configs: ReadonlyArray<DialLine>): string => {
  const known = texts.get(configs)
  if (known !== undefined) return known
  const text = JSON.stringify(configs)
  texts.set(configs, text)
  return text
}

/** The pace on these lines: where they are others than before, the shares are counted anew. */
export const onLines = (pace: Pace, configs: ReadonlyArray<DialLine>): Pace => {
  const lines = textOf(configs)
  return lines === pace.lines ? pace : { ...pace, lines, tally: [] }
}

/** The tally after one more dial from a line. */
export const tallied = (tally: DialTally, line: number): DialTally =>
  Array.from(
    { length: Math.max(tally.length, line + 1) },
    (_, index) => (tally[index] ?? 0) + (index === line ? 1 : 0)
  )
