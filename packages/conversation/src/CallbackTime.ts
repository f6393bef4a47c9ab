import { wordsOf } from "@trunkline/agents"
import { Duration } from "effect"

/** When to call back someone who does not say when. */
export const usualCallback = Duration.hours(1)

const units: ReadonlyArray<readonly [RegExp, Duration.Duration]> = [
  [/(\d{1,4}) (?:min|mins|minute|minutes|मिनट)(?= |$)/u, Duration.minutes(1)],
  [/(\d{1,3}) (?:hour|hours|hr|hrs|घंटे|घंटा|घण्टे)(?= |$)/u, Duration.hours(1)],
  [/(\d{1,2}) (?:day|days|दिन)(?= |$)/u, Duration.days(1)]
]

/** How long from now a caller wants to be left in peace: so many minutes, hours or days, tomorrow, or the usual time. */
export const callbackDelay = (text: string): Duration.Duration => {
  const words = wordsOf(text)
  for (const [pattern, unit] of units) {
    const count = Number(pattern.exec(words)?.[1] ?? 0)
    if (count > 0) return Duration.times(unit, count)
  }
  return / (?:tomorrow|कल) /u.test(` ${words} `) ? Duration.days(1) : usualCallback
}
