import { type TimeZone, zonePeriod } from "@trunkline/kernel"
import { DateTime, Option } from "effect"

/** A date and time as written, without a time zone. */
interface DateParts {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** A date format, for parsing and formatting. */
export interface DateFormat {
  /** The date in a text; none if the text does not match, or there is no such day. */
  readonly parse: (text: string) => Option.Option<DateParts>
  readonly format: (parts: DateParts) => string
  /** True if the format has a year, month and day, each field once, so that it can be parsed. */
  readonly readable: boolean
}

interface Token {
  /** Source of its regular expression; fields have one group. */
  readonly source: string
  readonly part?: keyof DateParts
  readonly read?: (text: string) => number
  readonly write: (parts: DateParts) => string
}

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December"
]

const numeric = (part: keyof DateParts, width: 1 | 2 | 4): Token => ({
  source: width === 1 ? "(\\d{1,2})" : `(\\d{${width}})`,
  part,
  read: Number,
  write: (parts) => String(parts[part]).padStart(width, "0")
})

const shortYear: Token = {
  source: "(\\d{2})",
  part: "year",
  read: (text) => Number(text) + (Number(text) < 69 ? 2000 : 1900),
  write: (parts) => String(parts.year % 100).padStart(2, "0")
}

/** Short names have three letters; `Sept`, as in Indian English, is accepted too. */
const monthName = (length: 3 | 9): Token => {
  const names = monthNames.map((name) => name.slice(0, length))
  return {
    source: `(${names.join("|").replace(/Sep(?=\|)/, "Sept?")})`,
    part: "month",
    read: (text) => names.findIndex((name) => name.slice(0, 3).toLowerCase() === text.slice(0, 3).toLowerCase()) + 1,
    write: (parts) => names[parts.month - 1] ?? ""
  }
}

const dayName = (length: number): Token => {
  const names = dayNames.map((name) => name.slice(0, length))
  return {
    source: `(?:${names.join("|")})`,
    write: (parts) => names[DateTime.getPartUtc(DateTime.unsafeMake({ ...parts }), "weekDay")] ?? ""
  }
}

const fields: ReadonlyMap<string, Token> = new Map([
  ["yyyy", numeric("year", 4)],
  ["yy", shortYear],
  ["MMMM", monthName(9)],
  ["MMM", monthName(3)],
  ["MM", numeric("month", 2)],
  ["M", numeric("month", 1)],
  ["dd", numeric("day", 2)],
  ["d", numeric("day", 1)],
  ["EEEE", dayName(9)],
  ["EEE", dayName(3)],
  ["HH", numeric("hour", 2)],
  ["H", numeric("hour", 1)],
  ["mm", numeric("minute", 2)],
  ["ss", numeric("second", 2)]
])

const literal = (text: string): Token => ({
  source: text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"),
  write: () => text
})

const exists = (parts: DateParts): boolean =>
  parts.hour < 24 && parts.minute < 60 && parts.second < 60 && parts.year >= 1000 &&
  Option.match(DateTime.make({ ...parts }), {
    onNone: () => false,
    onSome: (date) =>
      DateTime.getPartUtc(date, "month") === parts.month && DateTime.getPartUtc(date, "day") === parts.day
  })

const fromTokens = (tokens: ReadonlyArray<Token>): DateFormat => {
  const read = tokens.flatMap(({ part, read }) => part && read ? [{ part, read }] : [])
  const whole = new RegExp(`^${tokens.map((token) => token.source).join("")}$`, "i")
  const parts = new Set(read.map(({ part }) => part))
  return {
    readable: parts.has("year") && parts.has("month") && parts.has("day") && parts.size === read.length,
    format: (date) => tokens.map((token) => token.write(date)).join(""),
    parse: (text) =>
      Option.fromNullable(whole.exec(text)).pipe(
        Option.map((match) => ({
          year: 0,
          month: 1,
          day: 1,
          hour: 0,
          minute: 0,
          second: 0,
          ...Object.fromEntries(read.map(({ part, read }, index) => [part, read(match[index + 1] ?? "")]))
        })),
        Option.filter(exists)
      )
  }
}

/**
 * Parses a format such as `dd MMM yyyy`; none if it has an unknown field or an open quote.
 *
 * Fields: `yyyy yy`, `MMMM MMM MM M` (English names), `dd d`, `EEEE EEE` (day names), `HH H`, `mm`, `ss`. Two-digit years
 * are 1969 to 2068. Text in single quotes, and everything that is not a letter, is literal. A format that repeats a field
 * cannot be parsed, which also keeps parsing linear.
 */
export const dateFormat = (format: string): Option.Option<DateFormat> =>
  Option.map(
    Option.all(
      Array.from(
        format.matchAll(/'([^']*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g),
        ([text, quotedText, letter]) =>
          letter !== undefined
            ? Option.fromNullable(fields.get(text))
            : text === "'"
            ? Option.none()
            : Option.some(literal(quotedText ?? text))
      )
    ),
    fromTokens
  )

const isoText =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?: ?(Z|([+-])(\d{2})(?::?(\d{2}))?))?)?$/

/** The local time in a zone, of a time that is written with an offset in minutes. */
const toZone = (parts: DateParts, offset: number, zone: TimeZone): DateParts => {
  const { hour: hours, minute: minutes, second: seconds, ...date } = parts
  const at = DateTime.unsafeMake({ ...date, hours, minutes, seconds }).epochMillis - offset * 60_000
  const local = DateTime.unsafeMake(at + zonePeriod(zone, at).offset)
  const { day, hours: hour, minutes: minute, month, seconds: second, year } = DateTime.toPartsUtc(local)
  return { year, month, day, hour, minute, second }
}

/**
 * Parses an ISO 8601 calendar date, with or without a time. A time with an offset is converted to the zone; a date, and a
 * time without an offset, are those of the zone already.
 */
export const parseIsoDate = (zone: TimeZone) => (text: string): Option.Option<DateParts> =>
  Option.fromNullable(isoText.exec(text)).pipe(
    Option.flatMap(
      ([, year, month, day, hour = "0", minute = "0", second = "0", offset, sign, hours = "0", minutes = "0"]) => {
        const parts = {
          year: Number(year),
          month: Number(month),
          day: Number(day),
          hour: Number(hour),
          minute: Number(minute),
          second: Number(second)
        }
        if (!exists(parts) || Number(hours) > 23 || Number(minutes) > 59) return Option.none()
        const ahead = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
        return Option.some(offset === undefined ? parts : toZone(parts, ahead, zone))
      }
    )
  )
