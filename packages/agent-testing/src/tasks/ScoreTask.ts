import { hasAtLeast, hasWords } from "../checks/Matching.js"
import { inLine } from "../record/PrintCall.js"
import type { TestedCall, ToolTurn } from "../record/TestedCall.js"
import type { StandardTask, TaskAction, TaskBasis } from "./StandardTask.js"

/** A part of a task's score. */
export interface TaskCheck {
  readonly basis: TaskBasis
  /** Sentence about what is expected. */
  readonly expected: string
  /** True when it is met; null when it was not judged. */
  readonly isMet: boolean | null
}

const isEqual = (one: unknown, other: unknown): boolean => hasAtLeast(one, other) && hasAtLeast(other, one)

/** The arguments that count, as an object. */
const countedArguments = (input: unknown, names: ReadonlyArray<string> | null): unknown =>
  names === null || typeof input !== "object" || input === null
    ? input
    : Object.fromEntries(Object.entries(input).filter(([name]) => names.includes(name)))

const isUse = (turn: ToolTurn, { arguments: expected, compare_args, name }: TaskAction): boolean =>
  turn.name === name && isEqual(countedArguments(turn.input, compare_args), countedArguments(expected, compare_args))

/** Actions that a task expects of the agent. */
export const agentActions = ({ evaluation_criteria }: StandardTask): ReadonlyArray<TaskAction> =>
  (evaluation_criteria?.actions ?? []).filter(({ requestor }) => requestor === "assistant")

/** Checks that the agent has used each tool with the arguments that count. Further uses are free. */
export const checkActions = (
  task: StandardTask,
  { turns }: TestedCall,
  basis: "ACTION" | "DB"
): ReadonlyArray<TaskCheck> => {
  const uses = turns.filter((turn) => turn.role === "tool")
  return agentActions(task).map((action) => ({
    basis,
    expected: `uses ${action.name}(${inLine(countedArguments(action.arguments, action.compare_args))})`,
    isMet: uses.some((turn) => isUse(turn, action))
  }))
}

/** Checks that two states of an environment are the same. */
export const checkState = (actual: unknown, expected: unknown): TaskCheck => ({
  basis: "DB",
  expected: "leaves the environment in the state that the actions of the task lead to",
  isMet: isEqual(actual, expected)
})

/** Checks that the caller heard each information: in any case of letters, and without the commas of figures. */
export const checkWords = (
  { evaluation_criteria }: StandardTask,
  { turns }: TestedCall
): ReadonlyArray<TaskCheck> => {
  const texts = turns.flatMap((turn) => turn.role === "agent" ? [turn.text.replaceAll(",", "")] : [])
  return (evaluation_criteria?.communicate_info ?? []).map((words) => ({
    basis: "COMMUNICATE",
    expected: `says "${words}"`,
    isMet: texts.some((text) => hasWords(text, words.replaceAll(",", "")))
  }))
}

/** Share of the ways to choose so many of the runs of a task in which all have passed. */
const allPass = (passes: number, runs: number, sampleSize: number): number => {
  let share = 1
  for (let index = 0; index < sampleSize; index++) share *= Math.max(0, passes - index) / (runs - index)
  return share
}

/**
 * pass^k, without bias: the mean over tasks of the chance that k runs of a task pass all (Yao et al., τ-bench, 2024). Null without a
 * task, or with one of fewer runs.
 */
export const passPower = (
  tasks: ReadonlyArray<{ readonly passed: number; readonly runs: number }>,
  power: number
): number | null =>
  tasks.length === 0 || tasks.some(({ runs }) => runs < power)
    ? null
    : tasks.reduce((sum, { passed, runs }) => sum + allPass(passed, runs, power), 0) / tasks.length
