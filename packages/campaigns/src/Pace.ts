import type { DialLine } from "./Campaign.js"
import type { DialTally } from "./NumberChoice.js"

/** How fast a campaign has been dialling, and from which of its lines. */
export interface Pace {
  /** The earliest moment of the next dial, epoch milliseconds of business time. */
  readonly nextDialAt: number
  /** The lines that the tally counts, as text. */
  readonly lines: string
  readonly tally: DialTally
}

/** Before the first dial. */
export const startPace: Pace = { nextDialAt: 0, lines: "", tally: [] }

/** Above this many dials a second, timers are too coarse to keep the beat by themselves. */
const FAST = 20

/** A timer may wake this late without slowing a fast campaign down: within it, dials keep to their beat. */
const LATENESS_MILLIS = 20

/** The pace on these lines: where they are others than before, the shares are counted anew. */
export const onLines = (configs: ReadonlyArray<DialLine>) => (pace: Pace): Pace => {
  const lines = JSON.stringify(configs)
  return lines === pace.lines ? pace : { ...pace, lines, tally: [] }
}

/**
 * The pace after a dial. Dials are at least `1 / attemptsPerSecond` apart, and what was not used is not banked (shapes
 * 3.2); only a fast campaign makes up for timers that wake a little late.
 */
export const afterDial =
  (attemptsPerSecond: number, { at, line }: { readonly at: number; readonly line: number }) => (pace: Pace): Pace => {
    const keepsBeat = attemptsPerSecond > FAST && at - pace.nextDialAt <= LATENESS_MILLIS
    const tally = [...pace.tally]
    for (let index = 0; index <= line; index += 1) tally[index] = (tally[index] ?? 0) + (index === line ? 1 : 0)
    return { ...pace, nextDialAt: (keepsBeat ? pace.nextDialAt : at) + 1000 / attemptsPerSecond, tally }
  }
