import { DateTime, Option } from "effect"

/** A date and time as written, in no particular time zone. */
export interface DateParts {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** One way of writing dates: both directions. */
export interface DateFormat {
  /** The date a text says, or none when it is not written this way or no such day exists. */
  readonly parse: (text: string) => Option.Option<DateParts>
  readonly format: (parts: DateParts) => string
  /** Whether a text written this way names a whole day, so that it can be read back. */
  readonly readable: boolean
}

interface Token {
  /** The regular expression source of this piece; fields have one group. */
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

/** Short names are of three letters; of September the four that Indian English has are read too. */
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
 * Reads a format such as `dd MMM yyyy`; none when it has an unknown field or an open quote.
 *
 * Fields: `yyyy yy`, `MMMM MMM MM M` (English names), `dd d`, `EEEE EEE` (day names), `HH H`, `mm`, `ss`. Two-digit years
 * are 1969 to 2068. Text between single quotes and everything that is not a letter stands for itself. A format that
 * repeats a field cannot be read back, which also keeps reading linear.
 */
export const dateFormat = (format: string): Option.Option<DateFormat> =>
  Option.map(
    Option.all(
      Array.from(
        format.matchAll(/'([^']*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g),
        ([text, quoted, letter]) =>
          letter !== undefined
            ? Option.fromNullable(fields.get(text))
            : text === "'"
            ? Option.none()
            : Option.some(literal(quoted ?? text))
      )
    ),
    fromTokens
  )

const isoText = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Reads an ISO 8601 calendar date, with or without a time; the day is the one that is written, whatever the offset. */
export const parseIsoDate = (text: string): Option.Option<DateParts> =>
  Option.fromNullable(isoText.exec(text)).pipe(
    Option.map(([, year, month, day, hour = "0", minute = "0", second = "0"]) => ({
      year: Number(year),
      month: Number(month),
      day: Number(day),
      hour: Number(hour),
      minute: Number(minute),
      second: Number(second)
    })),
    Option.filter(exists)
  )
