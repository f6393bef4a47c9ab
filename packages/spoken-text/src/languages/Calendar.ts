import type { CardinalRules } from "./Cardinals.js"
import type { Clock, Language } from "./Language.js"

/** A date as day, month and year, the day as a plain number. */
export const dayFirst = ({ below100 }: CardinalRules): Language["date"] => (day, month, year) =>
  year === undefined ? `${below100(day)} ${month}` : `${below100(day)} ${month} ${year}`

/** A time with the part of the day before it. */
export const partFirst = (time: (hour: number, minute: number) => string): Clock["say"] => (hour, minute, part) =>
  part === undefined ? time(hour, minute) : `${part} ${time(hour, minute)}`
