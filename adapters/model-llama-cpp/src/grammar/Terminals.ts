/** Writes a text as a terminal in double quotes. */
export const literal = (text: string): string =>
  `"${text.replaceAll("\\", "\\\\").replaceAll("\"", "\\\"").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}"`

/** Rules for any JSON value without line breaks, so that a model cannot fill its answer with whitespace. */
export const terminals: ReadonlyArray<readonly [name: string, body: string]> = [
  ["comma", `"," " "?`],
  ["colon", `":" " "?`],
  // Neither invalid characters nor \u escapes: a lone surrogate is not a character, and a pair would count as two.
  ["char", String.raw`[^"\\\x7F\x00-\x1F\uD800-\uDFFF\U00110000-\U001FFFFF] | "\\" ["\\/bfnrt]`],
  ["string", String.raw`"\"" char* "\""`],
  ["integer", `"-"? ("0" | [1-9] [0-9]{0,14})`],
  ["number", `integer ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?`],
  ["boolean", `"true" | "false"`],
  ["null", `"null"`],
  ["member", "string colon value"],
  ["object", `"{" (member (comma member)*)? "}"`],
  ["array", `"[" (value (comma value)*)? "]"`],
  ["value", "object | array | string | number | boolean | null"]
]

const twoDigits = (tens: string, units: string) => `[${tens}] [${units}]`
const day = `${twoDigits("0", "1-9")} | ${twoDigits("12", "0-9")}`
const date = [
  `[0-9]{4} "-" (`,
  [
    `("0" [13578] | "1" [02]) "-" (${day} | "3" [01])`,
    `("0" [469] | "11") "-" (${day} | "30")`,
    `"02-" (${twoDigits("0", "1-9")} | ${twoDigits("1", "0-9")} | ${twoDigits("2", "0-8")})`
  ].join(" | "),
  ")"
].join("")
const hours = `(${twoDigits("01", "0-9")} | ${twoDigits("2", "0-3")})`
const minutes = `":" [0-5] [0-9]`
const time = `${hours} ${minutes} ${minutes} ("." [0-9]{1,9})? ("Z" | [+-] ${hours} ${minutes})`
const hex = (digits: number) => `[0-9a-f]{${digits}}`

/** Rules for the texts of formats, without quotes (JSON Schema validation, section 7.3; RFC 3339). No leap days. */
export const formats: ReadonlyMap<unknown, string> = new Map([
  ["date", date],
  ["time", time],
  ["date-time", `${date} "T" ${time}`],
  ["uuid", [hex(8), hex(4), hex(4), hex(4), hex(12)].join(` "-" `)]
])

/** Builds the rule for a quoted text. */
export const inQuotes = (body: string): string => String.raw`"\"" ${body} "\""`

/** Largest number, of 15 digits, all of which a double can hold. */
const maxInteger = 999_999_999_999_999

const quote = (digits: string): string => `"${digits}"`

/** Builds the rule for the numbers from `low` to `high`, which have the same number of digits. */
const between = (low: string, high: string): string => {
  const [first = "", last = ""] = [low[0], high[0]]
  const [lowRest, highRest] = [low.slice(1), high.slice(1)]
  const rest = lowRest.length
  if (low === high) return quote(low)
  if (first === last) return `${quote(first)} (${between(lowRest, highRest)})`
  if (rest === 0) return `[${first}-${last}]`
  const [zeros, nines] = ["0".repeat(rest), "9".repeat(rest)]
  const from = Number(first) + (lowRest === zeros ? 0 : 1)
  const to = Number(last) - (highRest === nines ? 0 : 1)
  return [
    ...(lowRest === zeros ? [] : [`${quote(first)} (${between(lowRest, nines)})`]),
    ...(from <= to ? [`[${from}-${to}] [0-9]{${rest}}`] : []),
    ...(highRest === nines ? [] : [`${quote(last)} (${between(zeros, highRest)})`])
  ].join(" | ")
}

/** Builds the rule for the whole numbers from `low`, 0 or more, to `high`. */
const naturalNumbers = (low: number, high: number): string => {
  const shortest = String(low).length
  const maxDigits = String(high).length
  return Array.from({ length: maxDigits - shortest + 1 }, (_, index) => {
    const digits = shortest + index
    const first = Math.max(low, digits === 1 ? 0 : 10 ** (digits - 1))
    return `(${between(String(first), String(Math.min(high, 10 ** digits - 1)))})`
  }).join(" | ")
}

/** An inclusive range of numbers. */
export interface Range {
  readonly min: number
  readonly max: number
}

const within = ({ min, max }: Range): Range => ({
  min: Math.max(Math.ceil(min), -maxInteger),
  max: Math.min(Math.floor(max), maxInteger)
})

/** Builds the rule for the whole numbers of a range, of at most 15 digits; null if there are none. */
export const integersIn = (range: Range): string | null => {
  const { min, max } = within(range)
  const parts = [
    ...(min < 0 && min <= max ? [`"-" (${naturalNumbers(Math.max(1, -max), -min)})`] : []),
    ...(max >= 0 && min <= max ? [naturalNumbers(Math.max(0, min), max)] : [])
  ]
  return parts.length === 0 ? null : parts.join(" | ")
}

const fraction = `("." [0-9]{1,15})?`

/** Builds the rule for numbers from `low`, 0 or more, to `high`; only `high` has no fraction. */
const decimals = (low: number, high: number): string =>
  high === maxInteger
    ? `(${naturalNumbers(low, high)}) ${fraction}`
    : [...(low < high ? [`(${naturalNumbers(low, high - 1)}) ${fraction}`] : []), quote(String(high))].join(" | ")

/** Builds the rule for all numbers of a range with integer bounds; null if there are none. */
export const numbersIn = (range: Range): string | null => {
  const { min, max } = within(range)
  const parts = [
    ...(min < 0 && min <= max ? [`"-" (${decimals(Math.max(0, -max), -min)})`] : []),
    ...(max >= 0 && min <= max ? [decimals(Math.max(0, min), max)] : [])
  ]
  return parts.length === 0 ? null : parts.join(" | ")
}
