import { Duration } from "effect"
import { type AudibleCall, type AudibleTurn, gapAfter } from "./AudibleCall.js"

const secondsOf = (millis: number): string => (millis / 1000).toFixed(2)

/** The whole call as a table. */
const tableOf = ({ report, turns }: AudibleCall): string => {
  const rowOf = (cells: ReadonlyArray<string>, role: string, text: string) =>
    `${cells.map((cell) => cell.padStart(8)).join("")}  ${role.padEnd(5)}  ${text}`.trimEnd()
  return [
    "The call, in seconds since the answer:",
    rowOf(["from", "to", "gap"], "", ""),
    ...turns.map((turn) => {
      const gap = gapAfter(turn, turns)
      return rowOf(
        [secondsOf(turn.from), secondsOf(turn.to), gap === null ? "" : secondsOf(gap)],
        turn.role,
        turn.text
      )
    }),
    `Ended by: ${report.ended_by}${report.fault === null ? "" : `, with a fault: ${report.fault}`}`
  ].join("\n")
}

/** Throws the faults of a call with the call itself, if there are any. */
const failWith = (call: AudibleCall, faults: ReadonlyArray<string>): void => {
  if (faults.length > 0) throw new Error([...faults, "", tableOf(call)].join("\n"))
}

const entryOf = ({ role, text }: AudibleTurn): string => `${role}: ${text}`

const matches = (entry: string | undefined, pattern: string | undefined): boolean =>
  pattern?.endsWith("…") === true
    ? entry?.startsWith(pattern.slice(0, -1)) === true
    : entry === pattern

/**
 * Asserts the turns of both sides, in the order in which they began: `agent: Hello.` or `user: Hi.`, each with its whole
 * text. An entry that ends with `…` matches every turn that begins so, such as one that was cut off. Throws an `Error` that
 * shows the first difference and the whole call.
 *
 * @example
 * ```ts
 * assertTurns(call, ["agent: Hello. We…", "user: Are you open?", "agent: We are open until nine."])
 * ```
 */
export const assertTurns = (call: AudibleCall, expected: ReadonlyArray<string>): void => {
  const entries = call.turns.map(entryOf)
  const count = Math.max(entries.length, expected.length)
  const at = Array.from({ length: count }).findIndex((_, index) => !matches(entries[index], expected[index]))
  if (at < 0) return
  failWith(call, [
    `Turn ${at + 1} is not as expected.`,
    `  expected  ${expected[at] ?? "no further turn"}`,
    `  found     ${entries[at] ?? "no further turn"}`
  ])
}

/**
 * Asserts that the agent answered, and each time within some time after the end of the caller's line. Throws an `Error` that
 * shows the gaps beyond the limits and the whole call.
 *
 * @param least - Shortest gap; default 0.
 * @param most - Longest gap.
 */
export const assertGaps = (
  call: AudibleCall,
  { least = 0, most }: { readonly least?: Duration.DurationInput; readonly most: Duration.DurationInput }
): void => {
  const [from, to] = [Duration.toMillis(least), Duration.toMillis(most)]
  const beyond = call.gaps.filter((gap) => gap < from || gap > to)
  failWith(call, [
    ...(call.gaps.length === 0 ? ["The agent answered no line of the caller."] : []),
    ...beyond.map((gap) => `A gap of ${secondsOf(gap)} s is not within ${secondsOf(from)} to ${secondsOf(to)} s.`)
  ])
}

/** Options of `assertHeard`: parts of the text, or patterns. */
export interface AssertHeardOptions {
  /** Words that the caller heard, each of them. Default: none. */
  readonly words?: string | RegExp | ReadonlyArray<string | RegExp>
  /** Words that the caller did not hear, none of them. Default: none. */
  readonly not?: string | RegExp | ReadonlyArray<string | RegExp>
}

const listOf = (words: AssertHeardOptions["words"] = []): ReadonlyArray<string | RegExp> =>
  typeof words === "string" || words instanceof RegExp ? [words] : words

const isIn = (text: string, words: string | RegExp): boolean =>
  typeof words === "string" ? text.includes(words) : text.search(words) >= 0

const nameOf = (words: string | RegExp): string => typeof words === "string" ? `"${words}"` : String(words)

/**
 * Asserts which words of the agent the caller heard, and which they did not. Words may go over several turns, with a space
 * in between. Throws an `Error` that shows the words and the whole call.
 *
 * @example
 * ```ts
 * assertHeard(call, { words: ["open until nine", /goodbye/i], not: "we do not take cards" })
 * ```
 */
export const assertHeard = (call: AudibleCall, { not, words }: AssertHeardOptions): void =>
  failWith(call, [
    ...listOf(words).filter((some) => !isIn(call.heardText, some)).map((some) =>
      `The caller did not hear ${nameOf(some)}.`
    ),
    ...listOf(not).filter((some) => isIn(call.heardText, some)).map((some) => `The caller heard ${nameOf(some)}.`)
  ])
