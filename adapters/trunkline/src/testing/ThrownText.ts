import { reasonOfThrown } from "@trunkline/kernel"

/** Longest text of a failure, in UTF-16 units: a report with many of them stays readable. */
const maxText = 100_000

/** Text of what a test threw: the whole message of an error, and a reason for any other value, also one that cannot be shown. */
export const thrownText = (thrown: unknown): string => {
  try {
    const message: unknown = thrown instanceof Error ? thrown.message : thrown
    const text = typeof message === "string" && message !== "" ? message : reasonOfThrown(thrown)
    return text.length <= maxText ? text : `${text.slice(0, maxText)}…`
  } catch {
    return "It threw a value that cannot be shown"
  }
}
