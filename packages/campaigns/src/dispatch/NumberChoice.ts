import type { PhoneNumber } from "@trunkline/kernel"
import type { DialLine } from "../campaign/Campaign.js"

/** How often each connection of a campaign has been dialled from, by its place in the list. */
export type DialTally = ReadonlyArray<number>

/**
 * The connections in the order in which they should serve the next dial: the one furthest below its share first, the
 * earlier one on a tie (weighted round robin, shapes 3.2).
 */
export const lineOrder = (lines: ReadonlyArray<DialLine>, tally: DialTally): ReadonlyArray<number> =>
  lines
    .map((line, index) => ({ index, share: ((tally[index] ?? 0) + 1) / line.weight }))
    .sort((a, b) => a.share - b.share || a.index - b.index)
    .map(({ index }) => index)

/**
 * The number to dial from on a connection: in turn; with `rotate`, one that this person has not been called from, as
 * long as there is one on the line.
 */
export const numberOf = (
  line: DialLine,
  dialled: number,
  rotate: { readonly calledFrom: ReadonlyArray<PhoneNumber> } | null
): PhoneNumber | undefined => {
  const fresh = rotate === null
    ? []
    : line.phone_numbers.filter((number) => !rotate.calledFrom.includes(number))
  const choice = fresh.length > 0 ? fresh : line.phone_numbers
  return choice[dialled % choice.length]
}

/** Whether a line has a number that this person has not been called from. */
export const hasFresh = (line: DialLine, calledFrom: ReadonlyArray<PhoneNumber>): boolean =>
  line.phone_numbers.some((number) => !calledFrom.includes(number))
