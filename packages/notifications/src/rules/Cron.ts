import { BoardsFailure } from "@trunkline/errors"
import { DEFAULT_TIME_ZONE } from "@trunkline/kernel"
import { Cron as Croner } from "croner"
import { DateTime, Either, Option } from "effect"

/** A longer text is no cron. */
const maxLength = 256

const months = "JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC"
const days = "SUN|MON|TUE|WED|THU|FRI|SAT"

/** A list of values, ranges and stars, of which the latter two may have a step: no `L`, `W`, `#` or `?`, no nickname. */
const fieldOf = (names?: string) => {
  const value = names === undefined ? "\\d{1,2}" : `(?:\\d{1,2}|${names})`
  const item = `(?:(?:\\*|${value}-${value})(?:/\\d{1,2})?|${value})`
  return new RegExp(`^${item}(?:,${item})*$`, "i")
}

const fields = [fieldOf(), fieldOf(), fieldOf(), fieldOf(months), fieldOf(days)]

/** A cron that is fit for a rule. */
export interface Cron {
  /** The first occurrence after a moment, in milliseconds since 1970. */
  readonly next: (after: number) => Option.Option<number>
  /** The last occurrence at or before a moment, in milliseconds since 1970. */
  readonly latest: (at: number) => Option.Option<number>
}

/** The minutes that a minute field denotes. */
const minutesOf = (field: string): ReadonlySet<number> => {
  const minutes = new Set<number>()
  for (const item of field.split(",")) {
    const [range = "", step = "1"] = item.split("/")
    const [from = "", to = from] = range === "*" ? ["0", "59"] : range.split("-")
    for (let minute = Number(from); minute <= Number(to); minute += Number(step)) minutes.add(minute)
  }
  return minutes
}

const refusal = (code: "INVALID_CRON" | "CRON_TOO_FREQUENT", message: string) => new BoardsFailure({ code, message })

const unreadable = refusal(
  "INVALID_CRON",
  "The cron must have five fields (minute, hour, day of month, month, day of week) of numbers, *, lists, ranges and "
    + "steps, such as 0 9 * * MON-FRI"
)

const first = (dates: ReadonlyArray<Date>) => Option.map(Option.fromNullable(dates[0]), (date) => date.getTime())

const dateOf = (at: number): Date => DateTime.toDate(DateTime.unsafeMake(at))

const expand = (text: string) =>
  Either.try({
    try: () => new Croner(text, { mode: "5-part", timezone: DEFAULT_TIME_ZONE }),
    catch: () => unreadable
  })

const unchecked = (job: Croner): Cron => ({
  next: (after) => first(job.nextRuns(1, dateOf(after))),
  // What ran in the millisecond asked for has run.
  latest: (at) => first(job.previousRuns(1, dateOf(at + 1)))
})

/**
 * Reads a cron: five fields in Asia/Kolkata, at most once an hour (specification, Create notification rule).
 *
 * `INVALID_CRON` when it is not five fields of numbers, names of months and days in any case, `*`, lists, ranges and
 * steps, or never comes after `now`. `CRON_TOO_FREQUENT` when its minute field denotes more than one minute: five
 * fields come at minutes times hours of some days, so that two minutes are less than an hour apart, and one minute
 * never is, since the zone's clocks never change (design: boards 6).
 */
export const readCron = (text: string, now: number): Either.Either<Cron, BoardsFailure> =>
  Either.gen(function*() {
    const parts = text.match(/[^ \t]+/g) ?? []
    const [minutes = ""] = parts
    const isForm = parts.length === fields.length && fields.every((field, index) => field.test(parts[index] ?? ""))
    if (text.length > maxLength || !isForm) return yield* Either.left(unreadable)
    const cron = unchecked(yield* expand(parts.join(" ")))
    if (minutesOf(minutes).size > 1) {
      return yield* Either.left(refusal("CRON_TOO_FREQUENT", "The cron must not come more than once an hour"))
    }
    if (Option.isNone(cron.next(now))) {
      return yield* Either.left(refusal("INVALID_CRON", "The cron never comes"))
    }
    return cron
  })
