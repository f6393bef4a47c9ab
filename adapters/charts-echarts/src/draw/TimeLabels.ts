import { readTime } from "@trunkline/charts"

const day = 86_400_000

/** What is written under a moment of an axis that reaches over this many milliseconds. */
export const timeLabel = (at: number, span: number): string => {
  if (span > 300 * day) return readTime(at, "month", true)
  if (at % day === 0) return readTime(at, "day", false)
  return readTime(at, "minute", false).replace(/^.*, /, "")
}
