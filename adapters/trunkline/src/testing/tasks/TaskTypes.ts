import type { TestedCall } from "../../generated/Testing.js"
import type { AgentOptions } from "../../options/AgentOptions.js"
import type { Model } from "../../options/ModelOptions.js"
import type { Judge } from "../models/Judge.js"
import type { TestCallOptions } from "../TestTypes.js"

/** Part of a score: the state of the environment, its assertions, rules in words, uses of tools, or words. */
export type TaskBasis = "DB" | "ENV_ASSERTION" | "NL_ASSERTION" | "ACTION" | "COMMUNICATE"

/** A task for an environment, as its file has it. */
export interface EvaluatedTask {
  readonly id: string
  /** State in which the task begins; null for that of each task. */
  readonly initial_state: {
    readonly initialization_data: unknown
    readonly initialization_actions: ReadonlyArray<unknown> | null
  } | null
}

/** A tool of an environment, or an assertion on it. `now` is virtual time. */
export type TaskFunction = (input: Readonly<Record<string, unknown>>, moment: { readonly now: Date }) => unknown

/** The world of one run of a task. */
export interface TaskEnvironment {
  /** Tools of the agent in this run, by name. */
  readonly tools: Readonly<Record<string, TaskFunction>>
  /**
   * State that the tools have left, as plain data. With it, `DB` compares the state after the call with that after the actions of the
   * task in a fresh environment; without, the agent has to use each tool of these actions.
   */
  readonly state?: () => unknown
  /** Assertions of the environment, by the names of their functions. Needed for tasks of which they are a part. */
  readonly assertions?: Readonly<Record<string, TaskFunction>>
}

/** Options of an evaluation, without its tasks. */
export interface EvaluationOptions extends Pick<TestCallOptions, "at" | "direction" | "variables"> {
  /** Agents by the names of their versions, which are the rows of the table. */
  readonly agents: Readonly<Record<string, AgentOptions>>
  /** Model of the agents. */
  readonly model: Model
  /** Model that plays the callers, and the most turns of each; 20 by default. */
  readonly caller: { readonly model: Model; readonly maxTurns?: number; readonly modelName?: string }
  /** Makes the world of a run, anew for each. By default the agents' own tools run, and tasks with a state of their own are left out. */
  readonly environment?: (task: EvaluatedTask) => TaskEnvironment
  /** Judge of rules in words; without one they are not judged, and the result says so. */
  readonly judge?: Pick<Judge, "ask">
  /** Runs of each task, with the seeds 1, 2 and so on; 1 by default. */
  readonly runs?: number
  /** Calls at a time; 4 by default. */
  readonly concurrency?: number
}

/** A part of the score of a run. */
export interface TaskCheck {
  readonly basis: TaskBasis
  /** Sentence about what is expected. */
  readonly expected: string
  /** True when it is met; null when it was not judged. */
  readonly isMet: boolean | null
}

/** A run of a task. */
export interface TaskRun {
  readonly seed: number
  /** All parts are met that were judged, and nothing failed. */
  readonly isPassed: boolean
  readonly checks: ReadonlyArray<TaskCheck>
  /** The call; null when it could not be held. */
  readonly call: TestedCall | null
  /** Reason of a failure that is not the agent's choice, such as that of its model; null without one. */
  readonly failure: string | null
}

/** A task, and its runs with one version. */
export interface TaskResult {
  readonly id: string
  readonly passed: number
  readonly runs: ReadonlyArray<TaskRun>
}

/** Results of a version of an agent. */
export interface VersionResult {
  readonly version: string
  readonly tasks: ReadonlyArray<TaskResult>
  /** Chance that k runs of a task pass all, for k from 1 to the number of runs. */
  readonly passPowers: ReadonlyArray<number>
}

/** Results of an evaluation. */
export interface Evaluation {
  readonly versions: ReadonlyArray<VersionResult>
  /** Tasks that cannot be run here, and why. They count in no result. */
  readonly skipped: ReadonlyArray<{ readonly id: string; readonly reason: string }>
  /** Paths of fields in the file that its form does not have, such as `3.user_scenario.person`. */
  readonly ignored: ReadonlyArray<string>
  /** Table of the versions, and lines about what was left out. */
  readonly table: string
}
