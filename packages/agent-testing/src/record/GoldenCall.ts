import { inLine, turnEntry } from "./PrintCall.js"
import type { TestedCall } from "./TestedCall.js"

/** The call as a text that stays the same as long as the agent does: its turns without their times, and how it came out. */
export const goldenText = (call: TestedCall): string =>
  [
    ...call.turns.map(turnEntry),
    "",
    `outcome: ${call.outcome}, ended by ${call.endedBy}`,
    ...Object.entries(call.outputs).toSorted(([one], [other]) => one < other ? -1 : 1).map(([name, value]) =>
      `${name}: ${inLine(value)}`
    ),
    ""
  ].join("\n")

/** Length of the longest common subsequence from each pair of places on. */
const commonLengths = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<Uint32Array> => {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let one = before.length - 1; one >= 0; one--) {
    for (let other = after.length - 1; other >= 0; other--) {
      const [row, next] = [lengths[one], lengths[one + 1]]
      if (row === undefined) continue
      row[other] = before[one] === after[other]
        ? (next?.[other + 1] ?? 0) + 1
        : Math.max(next?.[other] ?? 0, row[other + 1] ?? 0)
    }
  }
  return lengths
}

/**
 * The difference of two texts line by line: lines with `-` are missing, those with `+` are new, and others are the same. Null when
 * the texts are equal.
 */
export const differenceOf = (before: string, after: string): string | null => {
  if (before === after) return null
  const [old, now] = [before.split("\n"), after.split("\n")]
  const lengths = commonLengths(old, now)
  const lines: Array<string> = []
  let [one, other] = [0, 0]
  while (one < old.length || other < now.length) {
    const isSame = one < old.length && other < now.length && old[one] === now[other]
    const isMissing = one < old.length &&
      (other >= now.length || (lengths[one + 1]?.[other] ?? 0) >= (lengths[one]?.[other + 1] ?? 0))
    if (isSame) {
      lines.push(`  ${old[one++]}`)
      other += 1
    } else if (isMissing) lines.push(`- ${old[one++]}`)
    else lines.push(`+ ${now[other++]}`)
  }
  return lines.map((line) => line.trimEnd()).join("\n").trimEnd()
}
