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

/** A timer may wake this late without slowing the campaign down: within it, dials keep to their beat. */
const LATENESS_MILLIS = 20

/** The pace on these lines: where they are others than before, the shares are counted anew. */
export const onLines = (configs: ReadonlyArray<DialLine>) => (pace: Pace): Pace => {
  const lines = JSON.stringify(configs)
  return lines === pace.lines ? pace : { ...pace, lines, tally: [] }
}

/**
 * The pace after a dial from a line. Dials are `1 / attemptsPerSecond` apart; what was not used is not banked
 * (shapes 3.2).
 */
export const afterDial = (attemptsPerSecond: number, now: number, line: number) => (pace: Pace): Pace => {
  const beat = now - pace.nextDialAt <= LATENESS_MILLIS ? pace.nextDialAt : now
  const tally = [...pace.tally]
  for (let index = 0; index <= line; index += 1) tally[index] = (tally[index] ?? 0) + (index === line ? 1 : 0)
  return { ...pace, nextDialAt: beat + 1000 / attemptsPerSecond, tally }
}
