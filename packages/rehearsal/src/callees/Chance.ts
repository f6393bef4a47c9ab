/** Scrambles 32 bits so that every bit of the input changes half of those that come out (the end of MurmurHash3). */
const scrambled = (bits: number): number => {
  const first = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return second ^ (second >>> 16)
}

/** A text as 32 bits (FNV-1a). */
const bitsOf = (text: string): number => {
  let bits = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193)
  return bits
}

/** Each purpose has numbers of its own. */
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
/** What a number is drawn for. */
export type Purpose = typeof purposes[number]

const saltOf = new Map<string, number>(purposes.map((purpose) => [purpose, bitsOf(purpose)]))

/**
 * A number from 0 up to but not including 1, the same each time for the same person, count and purpose: what is drawn
 * for one person says nothing about another, and never depends on who was called before.
 */
export type Chance = (purpose: Purpose, person: number, count: number) => number

/** The chances of one seed. */
export const chances = (seed: number | string): Chance => {
  const root = scrambled(bitsOf(String(seed)))
  return (purpose, person, count) => {
    const ofPerson = scrambled(root + Math.imul(person, 0x9e3779b1))
    const ofCount = scrambled((ofPerson ^ (saltOf.get(purpose) ?? 0)) + Math.imul(count, 0x7feb352d))
    return (scrambled(ofCount + 0x165667b1) >>> 0) / 2 ** 32
  }
}
