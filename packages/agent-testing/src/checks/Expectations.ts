import { inLine, turnEntry } from "../record/PrintCall.js"
import type { TestedCall, TestedTurn, ToolTurn } from "../record/TestedCall.js"
import { hasAtLeast, hasEntry, hasWords, isTurn, type Pattern, patternName } from "./Matching.js"

/** Difference between a call and an expectation, and its place. */
export interface Fault {
  readonly message: string
  /** Index of the turn; null for the end of the call. */
  readonly turn: number | null
}

type Faults = ReadonlyArray<Fault>

const none: Faults = []

const fault = (message: string, turn: number | null = null): Faults => [{ message, turn }]

/** Faults of a call in which these turns do not come one after the other; others may come between. */
export const orderFaults = ({ turns }: TestedCall, entries: ReadonlyArray<Pattern>): Faults => {
  let from = 0
  for (const [index, entry] of entries.entries()) {
    const at = turns.findIndex((turn, place) => place >= from && hasEntry(turn, entry))
    if (at < 0) {
      const before = entries[index - 1]
      const after = before === undefined ? "" : ` after ${patternName(before)}`
      const early = turns.findIndex((turn) => hasEntry(turn, entry))
      return early < 0
        ? fault(`There is no turn ${patternName(entry)}.`)
        : fault(`The turn ${patternName(entry)} did not come${after}, but before.`, early)
    }
    from = at + 1
  }
  return none
}

/** Faults of a call that has other turns than these. */
export const turnFaults = ({ turns }: TestedCall, entries: ReadonlyArray<Pattern>): Faults => {
  const differs = (index: number): boolean => {
    const [turn, entry] = [turns[index], entries[index]]
    return turn === undefined || entry === undefined || !isTurn(turn, entry)
  }
  const at = Array.from({ length: Math.max(turns.length, entries.length) }, (_, index) => index).find(differs)
  if (at === undefined) return none
  const [turn, entry] = [turns[at], entries[at]]
  const expected = entry === undefined ? "no further turn" : patternName(entry)
  const actual = turn === undefined ? "no further turn" : `"${turnEntry(turn)}"`
  return fault(`Turn ${at + 1} should be ${expected}, and is ${actual}.`, turn === undefined ? null : at)
}

const wordsOfAgent = (turns: ReadonlyArray<TestedTurn>): string =>
  turns.flatMap((turn) => turn.role === "agent" ? [turn.text] : []).join(" ")

/** Faults of a call in which the caller did not hear some words, which may go over several turns. */
export const heardFaults = ({ turns }: TestedCall, words: ReadonlyArray<Pattern>): Faults => {
  const agentWords = wordsOfAgent(turns)
  return words.flatMap((some) =>
    hasWords(agentWords, some) ? none : fault(`The caller did not hear ${patternName(some)}.`)
  )
}

/** Faults of a call in which the agent said some words, or was about to. */
export const saidFaults = ({ turns }: TestedCall, words: ReadonlyArray<Pattern>): Faults =>
  turns.flatMap((turn, index) =>
    turn.role !== "agent" ?
      none :
      words.flatMap((some) => hasWords(turn.meant, some) ? fault(`The agent said ${patternName(some)}.`, index) : none)
  )

interface Use {
  readonly turn: ToolTurn
  readonly index: number
}

const usesOf = ({ turns }: TestedCall, name: string): ReadonlyArray<Use> =>
  turns.flatMap((turn, index) => turn.role === "tool" && turn.name === name ? [{ turn, index }] : [])

/** Faults of a call in which a tool was not used with at least these arguments, or not so many times. */
export const useFaults = (call: TestedCall, name: string, input?: unknown, times?: number): Faults => {
  const uses = usesOf(call, name)
  const fitting = input === undefined ? uses : uses.filter(({ turn }) => hasAtLeast(turn.input, input))
  const arguments_ = input === undefined ? "" : ` with ${inLine(input)}`
  if (times !== undefined) {
    return fitting.length === times
      ? none
      : fault(
        `The tool ${name} was used ${fitting.length} times${arguments_}, and should be ${times} times.`,
        fitting.at(-1)?.index ?? null
      )
  }
  if (fitting.length > 0) return none
  const [nearest] = uses
  return nearest === undefined
    ? fault(`The tool ${name} was not used.`)
    : fault(`The tool ${name} was used with ${inLine(nearest.turn.input)}, and not${arguments_}.`, nearest.index)
}

/** Faults of a call in which a tool was used. */
export const notUsedFaults = (call: TestedCall, name: string): Faults =>
  usesOf(call, name).flatMap(({ index }) => fault(`The tool ${name} was used.`, index))

/** Seconds from the end of the caller's words to the agent's next ones, with the index of these. */
const gapsOf = ({ turns }: TestedCall): ReadonlyArray<{ readonly seconds: number; readonly turn: number }> =>
  turns.flatMap((turn, index) => {
    if (turn.role !== "caller" || turn.does !== "says") return []
    const next = turns.findIndex((other, place) => place > index && other.role !== "tool" && other.from >= turn.to)
    const answer = turns[next]
    return answer?.role === "agent" ? [{ seconds: answer.from - turn.to, turn: next }] : []
  })

/** Faults of a call whose agent answered too early or too late, in seconds after the caller's words. */
export const gapFaults = (call: TestedCall, least: number, most: number): Faults => {
  const gaps = gapsOf(call)
  if (gaps.length === 0) return fault("The agent answered no words of the caller.")
  return gaps.flatMap(({ seconds, turn }) =>
    seconds >= least && seconds <= most
      ? none
      : fault(`The agent answered after ${seconds.toFixed(2)} s, and not within ${least} to ${most} s.`, turn)
  )
}

/** Faults of values that are not at least those that are expected. */
export const valueFaults = (
  kind: string,
  values: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>
): Faults =>
  Object.entries(expected).flatMap(([name, value]) =>
    hasAtLeast(values[name], value)
      ? none
      : fault(
        `The ${kind} ${name} is ${Object.hasOwn(values, name) ? inLine(values[name]) : "not set"}, and should be ${
          value instanceof RegExp ? String(value) : inLine(value)
        }.`
      )
  )

/** Faults of a call with another fact than the expected one. */
export const factFaults = (name: string, actual: unknown, expected: unknown): Faults =>
  Object.is(actual, expected) ? none : fault(`The ${name} is ${inLine(actual)}, and should be ${inLine(expected)}.`)
