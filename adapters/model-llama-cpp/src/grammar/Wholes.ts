/** The largest number that is written out, of 15 digits: every one of them survives as a double. */
const largest = 999_999_999_999_999

const quoted = (digits: string): string => `"${digits}"`

/** The digits of every number from `low` to `high`, two texts of the same length. */
const between = (low: string, high: string): string => {
  const [first = "", last = ""] = [low[0], high[0]]
  const [lowRest, highRest] = [low.slice(1), high.slice(1)]
  const rest = lowRest.length
  if (low === high) return quoted(low)
  if (first === last) return `${quoted(first)} (${between(lowRest, highRest)})`
  if (rest === 0) return `[${first}-${last}]`
  const [zeros, nines] = ["0".repeat(rest), "9".repeat(rest)]
  const from = Number(first) + (lowRest === zeros ? 0 : 1)
  const to = Number(last) - (highRest === nines ? 0 : 1)
  return [
    ...(lowRest === zeros ? [] : [`${quoted(first)} (${between(lowRest, nines)})`]),
    ...(from <= to ? [`[${from}-${to}] [0-9]{${rest}}`] : []),
    ...(highRest === nines ? [] : [`${quoted(last)} (${between(zeros, highRest)})`])
  ].join(" | ")
}

/** The whole numbers from `low`, 0 or more, to `high`. */
const naturals = (low: number, high: number): string => {
  const shortest = String(low).length
  const longest = String(high).length
  return Array.from({ length: longest - shortest + 1 }, (_, index) => {
    const digits = shortest + index
    const first = Math.max(low, digits === 1 ? 0 : 10 ** (digits - 1))
    return `(${between(String(first), String(Math.min(high, 10 ** digits - 1)))})`
  }).join(" | ")
}

/** Where numbers begin and end; both belong to them. */
export interface Range {
  readonly least: number
  readonly most: number
}

const within = ({ least, most }: Range): Range => ({
  least: Math.max(Math.ceil(least), -largest),
  most: Math.min(Math.floor(most), largest)
})

/** The whole numbers of a range, of at most 15 digits, as the right side of a rule; null when there are none. */
export const wholes = (range: Range): string | null => {
  const { least, most } = within(range)
  const parts = [
    ...(least < 0 && least <= most ? [`"-" (${naturals(Math.max(1, -most), -least)})`] : []),
    ...(most >= 0 && least <= most ? [naturals(Math.max(0, least), most)] : [])
  ]
  return parts.length === 0 ? null : parts.join(" | ")
}

const fraction = `("." [0-9]{1,15})?`

/** Numbers from `low`, 0 or more, to `high`: whole ones with a fraction up to the last, which has none. */
const decimals = (low: number, high: number): string =>
  high === largest
    ? `(${naturals(low, high)}) ${fraction}`
    : [...(low < high ? [`(${naturals(low, high - 1)}) ${fraction}`] : []), quoted(String(high))].join(" | ")

/** All numbers of a range between whole ones, as the right side of a rule; null when there are none. */
export const numbers = (range: Range): string | null => {
  const { least, most } = within(range)
  const parts = [
    ...(least < 0 && least <= most ? [`"-" (${decimals(Math.max(0, -most), -least)})`] : []),
    ...(most >= 0 && least <= most ? [decimals(Math.max(0, least), most)] : [])
  ]
  return parts.length === 0 ? null : parts.join(" | ")
}
