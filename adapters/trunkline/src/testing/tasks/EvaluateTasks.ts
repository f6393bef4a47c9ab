import { agentActions, decodeTasks, passPower, type StandardTask, type TaskFile } from "@trunkline/agent-testing"
import { Either } from "effect"
import { readFile } from "node:fs/promises"
import { agentParts } from "../../options/agents/AgentParts.js"
import { InvalidOption } from "../../options/InvalidOption.js"
import { testAgent } from "../TestAgent.js"
import { runTask } from "./RunTask.js"
import { taskTable } from "./TaskTable.js"
import type { Evaluation, EvaluationOptions, TaskResult, TaskRun, VersionResult } from "./TaskTypes.js"

const owner = "evaluateTasks"

const textOf = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: unknown) => {
    throw new InvalidOption("tasks", error instanceof Error ? error.message : String(error), owner)
  })

/** The tasks of a file, or of a list. Throws `InvalidOption` with the place of a fault. */
const readTasks = async (source: string | ReadonlyArray<unknown>): Promise<TaskFile> =>
  Either.getOrThrowWith(
    decodeTasks(typeof source === "string" ? await textOf(source) : JSON.stringify(source)),
    ({ message }) => new InvalidOption("tasks", typeof source === "string" ? `${source}: ${message}` : message, owner)
  )

/** Reason for which a task cannot be run here; null for one that can. */
const obstacleOf = (task: StandardTask, { environment }: EvaluationOptions): string | null => {
  const { evaluation_criteria, initial_state } = task
  if ((evaluation_criteria?.actions ?? []).some(({ requestor }) => requestor === "user")) {
    return "the caller has to use tools of their own"
  }
  if ((initial_state?.message_history ?? []).length > 0) return "it begins in the middle of a conversation"
  const isAsserted = evaluation_criteria?.reward_basis.includes("ENV_ASSERTION") === true
  const envAssertions = isAsserted ? evaluation_criteria.env_assertions ?? [] : []
  if (environment === undefined) {
    if (initial_state !== null) return "it begins in a state of its own, which needs an environment"
    return envAssertions.length > 0 ? "its assertions need an environment" : null
  }
  const { assertions = {} } = envAssertions.length === 0 ? {} : environment(task)
  const missing = envAssertions.find(({ func_name }) => !Object.hasOwn(assertions, func_name))
  return missing === undefined ? null : `the environment has no assertion ${missing.func_name}`
}

/** Throws `InvalidOption` for options that no run could have, and for a tool of a task that no agent has. */
const checkOptions = (tasks: ReadonlyArray<StandardTask>, options: EvaluationOptions): void => {
  const { agents, model, runs = 1 } = options
  if (!Number.isInteger(runs) || runs < 1) throw new InvalidOption("runs", `${runs} is no number of runs`, owner)
  const versions = Object.entries(agents)
  if (versions.length === 0) {
    throw new InvalidOption("agents", "there is none: give one by the name of its version", owner)
  }
  for (const [version, agent] of versions) {
    const [task] = tasks
    const environment = task === undefined ? undefined : options.environment?.(task)
    testAgent(agent, { model, ...(environment !== undefined && { tools: environment.tools }) })
    const parts = agentParts([agent]).agents.flatMap(({ versions }) => versions)
    if (parts.some(({ mcp_servers = [] }) => mcp_servers.length > 0)) continue
    const names = parts.flatMap(({ tools = [] }) => tools.map(({ name }) => name))
    for (const task of tasks) {
      const unknown = agentActions(task).find(({ name }) => !names.includes(name))
      if (unknown !== undefined) {
        throw new InvalidOption(
          `agents.${version}`,
          `task ${task.id} expects the tool ${unknown.name}, which the agent does not have; it has ${
            names.join(", ") || "none"
          }`,
          owner
        )
      }
    }
  }
}

/** Runs works, so many at a time, and resolves with their results in their order. */
const inParallel = async <A>(
  works: ReadonlyArray<() => Promise<A>>,
  concurrency: number
): Promise<ReadonlyArray<A>> => {
  const results = new Map<number, A>()
  const left = works.entries()
  const work = async () => {
    for (const [index, run] of left) results.set(index, await run())
  }
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work))
  return works.flatMap((_, index) => {
    const result = results.get(index)
    return result === undefined ? [] : [result]
  })
}

/** Results of a version, from its runs in the order of tasks and seeds. */
const versionOf = (
  version: string,
  tasks: ReadonlyArray<StandardTask>,
  taskRuns: ReadonlyArray<TaskRun>
): VersionResult => {
  const count = taskRuns.length / Math.max(1, tasks.length)
  const results = tasks.map(({ id }, index): TaskResult => {
    const runs = taskRuns.slice(index * count, (index + 1) * count)
    return { id, runs, passed: runs.filter(({ isPassed }) => isPassed).length }
  })
  const counts = results.map(({ passed, runs }) => ({ passed, runs: runs.length }))
  return {
    version,
    tasks: results,
    passPowers: Array.from({ length: count }, (_, index) => passPower(counts, index + 1) ?? 0)
  }
}

/**
 * Evaluates versions of an agent over tasks in the form of τ²-bench, in a file or as values, offline except for the models: a model plays the
 * caller of each task, the agent answers in virtual time, and the call is scored as the task says. Rejects with `InvalidOption` for
 * tasks that cannot be read, with the place of the fault.
 *
 * @example
 * ```ts
 * const { table } = await evaluateTasks("tasks.json", { agents: { old, new: changed }, model, caller: { model }, runs: 4 })
 * console.log(table)
 * ```
 */
export const evaluateTasks = async (
  file: string | ReadonlyArray<unknown>,
  options: EvaluationOptions
): Promise<Evaluation> => {
  const { agents, concurrency = 4, runs = 1 } = options
  const { ignored, tasks: given } = await readTasks(file)
  const plans = given.map((task) => ({ task, obstacle: obstacleOf(task, options) }))
  const tasks = plans.flatMap(({ obstacle, task }) => obstacle === null ? [task] : [])
  const skipped = plans.flatMap(({ obstacle, task }) => obstacle === null ? [] : [{ id: task.id, reason: obstacle }])
  checkOptions(tasks, options)
  const seeds = Array.from({ length: runs }, (_, index) => index + 1)
  const versions: Array<VersionResult> = []
  for (const [version, agent] of Object.entries(agents)) {
    const works = tasks.flatMap((task) => seeds.map((seed) => () => runTask(task, agent, options, seed)))
    versions.push(versionOf(version, tasks, await inParallel(works, concurrency)))
  }
  return { versions, skipped, ignored, table: taskTable({ versions, skipped, ignored }) }
}
