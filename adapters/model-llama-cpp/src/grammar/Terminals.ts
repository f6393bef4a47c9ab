/** A text in double quotes, as rules spell it out. */
export const literal = (text: string): string =>
  `"${text.replaceAll("\\", "\\\\").replaceAll("\"", "\\\"").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}"`

/** Any JSON value in a text without line breaks, so that a model cannot fill its answer with blanks. */
export const terminals: ReadonlyArray<readonly [name: string, body: string]> = [
  ["comma", `"," " "?`],
  ["colon", `":" " "?`],
  // Neither bytes that are no character, nor \u: half a pair of surrogates is none, and a whole pair would count as two.
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

/** What stands between the quotes of texts of a format (JSON Schema, 7.3; RFC 3339). Leap days are never written. */
export const formats: ReadonlyMap<unknown, string> = new Map([
  ["date", date],
  ["time", time],
  ["date-time", `${date} "T" ${time}`],
  ["uuid", [hex(8), hex(4), hex(4), hex(4), hex(12)].join(` "-" `)]
])

/** A text in quotes by the rule for what is in between. */
export const inQuotes = (body: string): string => String.raw`"\"" ${body} "\""`
