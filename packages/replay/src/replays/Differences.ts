import { canonical } from "../trace/Fingerprint.js"
import type { CallSummary, ToolUsed } from "./CallSummary.js"

/** Difference between a call and its replay; null stands for nothing on that side. */
export interface ReplayDifference {
  /** `outcome` is how the call ended, `variable` a value of it, `tool` a use of one, `words` a line of the agent. */
  readonly kind: "outcome" | "variable" | "tool" | "words"
  /** Name of the field, of the variable or of the tool; of words, always `agent`. */
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** Most lines of words that a report lists for a call. */
const maxWords = 40

const outcomeFields = ["completion_status", "ended_by", "fault", "business_retry", "reschedule_at"] as const

const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value)

const differing = (
  kind: ReplayDifference["kind"],
  name: string,
  [before, after]: readonly [unknown, unknown]
): ReadonlyArray<ReplayDifference> =>
  textOf(before) === textOf(after) ? [] : [{ kind, name, before: textOf(before), after: textOf(after) }]

const useOf = ({ arguments: args, name, outcome }: ToolUsed): string => `${name}(${canonical(args)}) ${outcome}`

/** Pairs of the items that only one of two lists has, in order; common ones are the longest sequence that both have. */
const pairsOf = (
  some: ReadonlyArray<string>,
  others: ReadonlyArray<string>
): ReadonlyArray<readonly [before: string | null, after: string | null]> => {
  // Most calls have the same lines but some, so both ends are cut off first.
  let head = 0
  while (head < some.length && head < others.length && some[head] === others[head]) head += 1
  let tail = 0
  while (
    tail < some.length - head && tail < others.length - head &&
    some[some.length - 1 - tail] === others[others.length - 1 - tail]
  ) tail += 1
  const left = some.slice(head, some.length - tail)
  const right = others.slice(head, others.length - tail)
  const lengths = left.map(() => new Uint16Array(right.length + 1))
  lengths.push(new Uint16Array(right.length + 1))
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      const longest = left[row] === right[column]
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1))
      lengths[row]?.fill(longest, column, column + 1)
    }
  }
  const pairs: Array<readonly [string | null, string | null]> = []
  let removedLines: Array<string> = []
  let addedLines: Array<string> = []
  const flush = () => {
    for (let index = 0; index < Math.max(removedLines.length, addedLines.length); index++) {
      pairs.push([removedLines[index] ?? null, addedLines[index] ?? null])
    }
    removedLines = []
    addedLines = []
  }
  let [row, column] = [0, 0]
  while (row < left.length || column < right.length) {
    const [one, other] = [left[row], right[column]]
    if (one !== undefined && one === other) {
      flush()
      row += 1
      column += 1
    } else if (one !== undefined && (other === undefined || at(row + 1, column) >= at(row, column + 1))) {
      removedLines.push(one)
      row += 1
    } else if (other !== undefined) {
      addedLines.push(other)
      column += 1
    }
  }
  flush()
  return pairs
}

const agentLines = ({ words }: CallSummary): ReadonlyArray<string> =>
  words.flatMap(({ role, text }) => role === "agent" ? [text] : [])

/** Compares a call with its replay: how it ended, its variables, the tools that it used, and what the agent said. */
export const differencesBetween = (before: CallSummary, after: CallSummary): ReadonlyArray<ReplayDifference> => {
  const names = new Set([...Object.keys(before.variables), ...Object.keys(after.variables)])
  return [
    ...outcomeFields.flatMap((name) => differing("outcome", name, [before[name], after[name]])),
    ...Array.from(names).toSorted().flatMap((name) =>
      differing("variable", name, [before.variables[name], after.variables[name]])
    ),
    ...pairsOf(before.tools.map(useOf), after.tools.map(useOf)).map(([one, other]): ReplayDifference => ({
      kind: "tool",
      name: (other ?? one ?? "").split("(")[0] ?? "",
      before: one,
      after: other
    })),
    ...pairsOf(agentLines(before), agentLines(after)).slice(0, maxWords).map(([one, other]): ReplayDifference => ({
      kind: "words",
      name: "agent",
      before: one,
      after: other
    }))
  ]
}
