import {
  agentActions,
  checkActions,
  checkState,
  checkWords,
  type StandardTask,
  type TaskCheck
} from "@trunkline/agent-testing"
import type { TestedCall } from "../../generated/Testing.js"
import type { AgentOptions } from "../../options/AgentOptions.js"
import { playedBy, type PlayedCaller } from "../models/PlayedCaller.js"
import { testAgent } from "../TestAgent.js"
import type { EvaluationOptions, TaskEnvironment, TaskRun } from "./TaskTypes.js"

/** The caller of a task. */
const callerOf = (
  { user_scenario: { instructions, persona } }: StandardTask,
  { caller: { maxTurns, model, modelName } }: EvaluationOptions,
  seed: number
): PlayedCaller => {
  const scenario = typeof instructions === "string" ? { goal: instructions } : {
    goal: [
      instructions.reason_for_call,
      instructions.task_instructions,
      ...instructions.unknown_info === null ? [] : [`You do not know: ${instructions.unknown_info}`]
    ].join("\n"),
    ...(instructions.known_info !== null && { facts: { "about yourself": instructions.known_info } })
  }
  return {
    model,
    seed,
    ...scenario,
    ...(persona !== null && { temper: persona }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(modelName !== undefined && { modelName })
  }
}

/** The state of a fresh environment after the actions of a task. A tool that fails leaves it as it is. */
const expectedState = async (
  task: StandardTask,
  { state, tools }: TaskEnvironment,
  now: Date
): Promise<unknown> => {
  for (const { arguments: input, name } of agentActions(task)) {
    try {
      await tools[name]?.(input, { now })
    } catch {
      // An action of a task may be one that the environment refuses.
    }
  }
  return state?.()
}

const stateChecks = async (
  task: StandardTask,
  call: TestedCall,
  { environment, options: { environment: fresh } }: RunContext
): Promise<ReadonlyArray<TaskCheck>> =>
  environment?.state === undefined || fresh === undefined
    ? checkActions(task, call, "DB")
    : [checkState(environment.state(), await expectedState(task, fresh(task), new Date(call.startedAt)))]

const assertionChecks = async (
  task: StandardTask,
  call: TestedCall,
  { environment }: RunContext
): Promise<ReadonlyArray<TaskCheck>> => {
  const checks: Array<TaskCheck> = []
  for (const { arguments: input, assert_value, func_name } of task.evaluation_criteria?.env_assertions ?? []) {
    const isTrue = await environment?.assertions?.[func_name]?.(input, { now: new Date(call.startedAt) })
    checks.push({
      basis: "ENV_ASSERTION",
      expected: `leaves ${func_name} ${assert_value}`,
      isMet: (isTrue === true) === assert_value
    })
  }
  return checks
}

const judgedChecks = async (
  { evaluation_criteria }: StandardTask,
  call: TestedCall,
  { options: { judge } }: RunContext
): Promise<ReadonlyArray<TaskCheck>> => {
  const checks: Array<TaskCheck> = []
  for (const rubric of evaluation_criteria?.nl_assertions ?? []) {
    const isMet = judge === undefined ? null : (await judge.ask(call, rubric)).passes
    checks.push({ basis: "NL_ASSERTION", expected: rubric, isMet })
  }
  return checks
}

interface RunContext {
  readonly options: EvaluationOptions
  readonly environment: TaskEnvironment | undefined
}

/** The parts of a score that a task names as its basis. */
const checksOf = async (
  task: StandardTask,
  call: TestedCall,
  context: RunContext
): Promise<ReadonlyArray<TaskCheck>> => {
  const basis = task.evaluation_criteria?.reward_basis ?? []
  return [
    ...basis.includes("ACTION") ? checkActions(task, call, "ACTION") : [],
    ...basis.includes("DB") ? await stateChecks(task, call, context) : [],
    ...basis.includes("ENV_ASSERTION") ? await assertionChecks(task, call, context) : [],
    ...basis.includes("COMMUNICATE") ? checkWords(task, call) : [],
    ...basis.includes("NL_ASSERTION") ? await judgedChecks(task, call, context) : []
  ]
}

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

/** Runs a task once with an agent, and scores the call. A failure counts as a run that has not passed. */
export const runTask = async (
  task: StandardTask,
  agent: AgentOptions,
  options: EvaluationOptions,
  seed: number
): Promise<TaskRun> => {
  const { at, direction = "inbound", model, variables } = options
  let call: TestedCall | null = null
  try {
    const environment = options.environment?.(task)
    call = await testAgent(agent, { model, ...(environment !== undefined && { tools: environment.tools }) }).call(
      playedBy(callerOf(task, options, seed)),
      { seed, rules: false, direction, ...(at !== undefined && { at }), ...(variables !== undefined && { variables }) }
    )
    const checks = await checksOf(task, call, { options, environment })
    const failure = call.fault
    return { seed, checks, call, failure, isPassed: failure === null && checks.every(({ isMet }) => isMet !== false) }
  } catch (error) {
    return { seed, checks: [], call, failure: messageOf(error), isPassed: false }
  }
}
