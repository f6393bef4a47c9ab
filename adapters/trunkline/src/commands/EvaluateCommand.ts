import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { StartError } from "../server/Explain.js"
import { guarded } from "../testing/suites/GuardedRun.js"
import { defaultTimeout, maxTimeout } from "../testing/suites/Suite.js"
import { evaluateTasks } from "../testing/tasks/EvaluateTasks.js"
import type { EvaluationOptions } from "../testing/tasks/TaskTypes.js"
import { thrownText } from "../testing/ThrownText.js"
import type { CommandRun } from "./Call.js"

const isOptions = (value: unknown): value is EvaluationOptions =>
  typeof value === "object" && value !== null && "model" in value && "caller" in value &&
  "agents" in value && typeof value.agents === "object" && value.agents !== null

/** The options that a module exports. */
const loadOptions = async (file: string): Promise<EvaluationOptions> => {
  const load = (): Promise<{ readonly default?: unknown; readonly evaluation?: unknown }> =>
    import(pathToFileURL(file).href)
  const module = await guarded(defaultTimeout, load).catch((error: unknown) => {
    throw new StartError(`${file} cannot be loaded: ${thrownText(error)}`)
  })
  const options = module.evaluation ?? module.default
  if (isOptions(options)) return options
  throw new StartError(
    `${file} exports no evaluation: write export const evaluation = { agents, model, caller: { model } }`
  )
}

/** Options with those versions alone that a list names. */
const withVersions = (options: EvaluationOptions, list: string | boolean | undefined): EvaluationOptions => {
  if (typeof list !== "string") return options
  const entries = list.split(",").map((version) => {
    const agent = options.agents[version]
    if (agent !== undefined) return [version, agent] as const
    throw new StartError(`--version: there is no ${version}; there are ${Object.keys(options.agents).join(", ")}`)
  })
  return { ...options, agents: Object.fromEntries(entries) }
}

const runsOf = (text: string | boolean | undefined): { readonly runs?: number } => {
  if (typeof text !== "string") return {}
  const runs = Number(text)
  if (Number.isInteger(runs) && runs > 0) return { runs }
  throw new StartError(`--runs: ${text} is no number of runs`)
}

/** `trunkline evaluate`: evaluates versions of an agent over a file of tasks, and prints a table. */
export const evaluate: CommandRun = async ({ flags, folder, print }) => {
  const { agents, json, runs, tasks, version } = flags
  if (typeof tasks !== "string") throw new StartError("Name the file of tasks with --tasks")
  if (typeof agents !== "string") throw new StartError("Name the module that exports the agents with --agents")
  for (const [flag, path] of Object.entries({ tasks, agents })) {
    if (!existsSync(resolve(folder, path))) throw new StartError(`--${flag}: There is no file ${path}`)
  }
  const options = withVersions(await loadOptions(resolve(folder, agents)), version)
  const run = () => evaluateTasks(resolve(folder, tasks), { ...options, ...runsOf(runs) })
  const evaluation = await guarded(maxTimeout, run).catch((error: unknown) => {
    throw error instanceof RangeError ? error : new StartError(thrownText(error))
  })
  print(json === true ? JSON.stringify(evaluation, null, 2) : evaluation.table)
  return 0
}
