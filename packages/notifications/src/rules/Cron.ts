import { BoardsFailure } from "@trunkline/errors"
import { defaultTimeZone } from "@trunkline/kernel"
import { Cron as Croner } from "croner"
import { DateTime, Either, Option } from "effect"

/** Longest accepted text. */
const maxLength = 256

const months = "JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC"
const days = "SUN|MON|TUE|WED|THU|FRI|SAT"

/**
 * Pattern of a field: a list of values, ranges and stars; ranges and stars may have a step. Excludes `L`, `W`, `#`, `?`
 * and nicknames.
 */
const fieldOf = (names?: string) => {
  const value = names === undefined ? "\\d{1,2}" : `(?:\\d{1,2}|${names})`
  const item = `(?:(?:\\*|${value}-${value})(?:/\\d{1,2})?|${value})`
  return new RegExp(`^${item}(?:,${item})*$`, "i")
}

const fields = [fieldOf(), fieldOf(), fieldOf(), fieldOf(months), fieldOf(days)]

/** A parsed cron schedule. */
interface Cron {
  /** First occurrence after a time, in milliseconds since 1970. */
  readonly next: (after: number) => Option.Option<number>
  /** Last occurrence at or before a time, in milliseconds since 1970. */
  readonly latest: (at: number) => Option.Option<number>
}

/** Minutes of a minute field. */
const minutesOf = (field: string): ReadonlySet<number> => {
  const minutes = new Set<number>()
  for (const item of field.split(",")) {
    const [range = "", step = "1"] = item.split("/")
    const [from = "", to = from] = range === "*" ? ["0", "59"] : range.split("-")
    for (let minute = Number(from); minute <= Number(to); minute += Number(step)) minutes.add(minute)
  }
  return minutes
}

const cronError = (code: "INVALID_CRON" | "CRON_TOO_FREQUENT", message: string) => new BoardsFailure({ code, message })

const malformedCron = cronError(
  "INVALID_CRON",
  "The cron must have five fields (minute, hour, day of month, month, day of week) of numbers, *, lists, ranges and "
    + "steps, such as 0 9 * * MON-FRI"
)

const first = (dates: ReadonlyArray<Date>) => Option.map(Option.fromNullable(dates[0]), (date) => date.getTime())

const dateOf = (at: number): Date => DateTime.toDate(DateTime.unsafeMake(at))

const expand = (text: string) =>
  Either.try({
    try: () => new Croner(text, { mode: "5-part", timezone: defaultTimeZone }),
    catch: () => malformedCron
  })

const fromCroner = (job: Croner): Cron => ({
  next: (after) => first(job.nextRuns(1, dateOf(after))),
  // An occurrence at exactly `at` counts as past.
  latest: (at) => first(job.previousRuns(1, dateOf(at + 1)))
})

/**
 * Parses a cron schedule: five fields in Asia/Kolkata, at most one occurrence per hour.
 *
 * Fails with `INVALID_CRON` unless it has five fields of numbers, month and day names in any case, `*`, lists, ranges
 * and steps, and occurs after `now`. Fails with `CRON_TOO_FREQUENT` when the minute field has more than one minute: two
 * minutes would be less than an hour apart in some hour, and one minute never is, since the zone has no clock changes.
 */
export const parseCron = (text: string, now: number): Either.Either<Cron, BoardsFailure> =>
  Either.gen(function*() {
    const parts = text.match(/[^ \t]+/g) ?? []
    const [minutes = ""] = parts
    const isForm = parts.length === fields.length && fields.every((field, index) => field.test(parts[index] ?? ""))
    if (text.length > maxLength || !isForm) return yield* Either.left(malformedCron)
    const cron = fromCroner(yield* expand(parts.join(" ")))
    if (minutesOf(minutes).size > 1) {
      return yield* Either.left(cronError("CRON_TOO_FREQUENT", "The cron must not come more than once an hour"))
    }
    if (Option.isNone(cron.next(now))) {
      return yield* Either.left(cronError("INVALID_CRON", "The cron never comes"))
    }
    return cron
  })
