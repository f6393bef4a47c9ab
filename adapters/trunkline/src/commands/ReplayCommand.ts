import { AppId, AttemptId, CampaignId, type Scope, unchecked } from "@trunkline/kernel"
import { LanguageModel, type Model } from "@trunkline/models"
import {
  addReplay,
  CallTraces,
  decodeTrace,
  emptySummary,
  renderReplay,
  renderSummary,
  replayCall,
  replayCalls,
  type ReplayResult,
  type ReplaySummary
} from "@trunkline/replay"
import { Effect, Either, ManagedRuntime, Option } from "effect"
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { anyTime, findCalls } from "../promises/replays/FindCalls.js"
import { partsFor } from "../promises/replays/ReplayMethods.js"
import { StartError } from "../server/Explain.js"
import { readText } from "../server/LoadConfig.js"
import type { CommandCall } from "./Call.js"
import {
  agentNamed,
  catalogOf,
  costOf,
  type NamedAgent,
  type ReplayConfig,
  replayConfig,
  traceKeys,
  workspaceOf
} from "./replay/ReplayAgents.js"
import { openResults } from "./replay/ResultsFile.js"
import { besideTraces } from "./SharedStores.js"

/** Largest file that is read as a trace, in bytes. */
const maxFile = 16_000_000

/** A replay that a command line asks for. */
interface Job {
  readonly call: CommandCall
  readonly config: ReplayConfig
  readonly namedAgent: NamedAgent
  readonly scope: Scope
  readonly model: Model | null
}

/** The text of a trace: that of a file, or that of a call of the data folder or database. */
export const traceText = async (call: CommandCall, config: ReplayConfig, scope: Scope): Promise<string> => {
  const [name = ""] = call.operands
  if (name === "") throw new StartError("Name a call by the id of its attempt, or the file of a trace")
  const file = resolve(call.folder, name)
  const foundStats = statSync(file, { throwIfNoEntry: false })
  if (foundStats?.isFile() === true) {
    if (foundStats.size > maxFile) throw new StartError(`${name} is too large for a trace`)
    return readText(file)
  }
  const text = await besideTraces(
    call,
    traceKeys(call, config),
    Effect.flatMap(CallTraces, ({ find }) => find(scope, AttemptId.make(name, unchecked)))
  )
  return Option.getOrThrowWith(text, () =>
    new StartError(
      `There is no trace of the call ${name} in ${scope.org_id}/${scope.workspace_id}: traces are kept with `
        + `"traces": { "keep": true } in the configuration, for calls that begin after that`
    ))
}

const parallelOf = ({ flags }: CommandCall): number => {
  const count = Number(flags["parallel"] ?? 8)
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count
  throw new StartError("--parallel: Must be a number from 1 to 64")
}

const momentOf = ({ flags }: CommandCall, flag: "from" | "to"): number => {
  const value = flags[flag]
  if (value === undefined) return anyTime[flag]
  const moment = Date.parse(String(value))
  if (Number.isNaN(moment)) {
    throw new StartError(`--${flag}: Must be a time in ISO 8601, such as 2026-11-30 or 2026-11-30T18:00:00Z`)
  }
  return moment
}

const one = async ({ call, config, model, namedAgent, scope }: Job): Promise<number> => {
  const text = await traceText(call, config, scope)
  if (call.flags["trace"] === true) {
    call.print(text.trimEnd())
    return 0
  }
  const trace = decodeTrace(text)
  if (Either.isLeft(trace)) throw new StartError(trace.left.message)
  const replay = await Effect.runPromise(
    Effect.gen(function*() {
      const parts = yield* partsFor({ scope, ...namedAgent, model })(trace.right)
      return typeof parts === "string" ? parts : yield* replayCall(trace.right, parts)
    }).pipe(Effect.provide(catalogOf(config, namedAgent)))
  )
  if (typeof replay === "string") {
    throw new StartError(`${replay}: name a configuration with --config, or an agent with --agent`)
  }
  call.print(call.flags["json"] === true ? JSON.stringify(replay, null, 2) : renderReplay(replay))
  return call.flags["check"] === true && replay.status !== "same" ? 1 : 0
}

/** Replays calls, which go on where a file of results ends. */
const replayMany = (
  { call, config, namedAgent, scope }: Job,
  ids: ReadonlyArray<AttemptId>,
  { from, model, onResult }: {
    readonly model: Model | null
    readonly from: ReplaySummary
    readonly onResult?: (result: ReplayResult) => void
  }
): Promise<ReplaySummary> =>
  besideTraces(
    call,
    traceKeys(call, config),
    Effect.flatMap(CallTraces, ({ find }) => {
      const catalog = catalogOf(config, namedAgent)
      return Effect.provide(
        replayCalls({
          ids,
          from,
          concurrency: parallelOf(call),
          traceOf: (id) => find(scope, id),
          partsOf: (trace) => Effect.provide(partsFor({ scope, ...namedAgent, model })(trace), catalog),
          ...(onResult !== undefined && { onResult: (result) => Effect.sync(() => onResult(result)) })
        }),
        catalog
      )
    })
  )

/** Tokens that a model would take for the calls, in words. */
const estimateText = (config: ReplayConfig, { open, tokens_expected: tokens }: ReplaySummary): string => {
  const cost = costOf(config, tokens)
  return `${open} calls would ask the model, for about ${tokens.input} tokens in and ${tokens.output} out, as before: ${
    cost ?? "their price is unknown"
  }`
}

const many = async (job: Job): Promise<number> => {
  const { call, config, model, namedAgent, scope } = job
  const { flags, print } = call
  const campaign = flags["campaign"]
  const agents = typeof flags["of"] === "string" ? [flags["of"]] : config.agents.map(({ app_id }) => app_id)
  if (agents.length === 0) {
    throw new StartError("Name the agent that had the calls with --of, or a configuration with --config")
  }
  const selectedAttemptIds = await besideTraces(
    call,
    traceKeys(call, config),
    findCalls({
      scope,
      agents: agents.map((id) => AppId.make(id, unchecked)),
      campaign: typeof campaign === "string" ? CampaignId.make(campaign, unchecked) : null,
      from: momentOf(call, "from"),
      to: momentOf(call, "to")
    })
  )
  if (selectedAttemptIds.length === 0 && (campaign !== undefined || flags["check"] === true)) {
    throw new StartError("No call is as --campaign, --of, --from, --to and --workspace say: nothing was replayed")
  }
  const kind = JSON.stringify([
    campaign ?? null,
    flags["agent"] ?? null,
    typeof namedAgent.agent === "object" ? namedAgent.agent : null,
    model !== null
  ])
  const results = typeof flags["results"] === "string"
    ? openResults(resolve(call.folder, flags["results"]), kind)
    : null
  const doneIds = new Set(results?.earlierResults.map(({ attempt_id }) => attempt_id))
  const ids = selectedAttemptIds.filter((id) => !doneIds.has(id))
  const from = (results?.earlierResults ?? []).reduce(addReplay, emptySummary)
  if (model !== null && flags["yes"] !== true) {
    const expectedSummary = await replayMany(job, ids, { model: null, from: emptySummary })
    if (flags["json"] === true) print(JSON.stringify({ to_replay: ids.length, expected: expectedSummary }, null, 2))
    else print(`${ids.length} calls to replay. ${estimateText(config, expectedSummary)}. Add --yes to start.`)
    return 0
  }
  const isTold = flags["json"] !== true
  const summary = await replayMany(job, ids, {
    model,
    from,
    onResult: (result) => {
      results?.add(result)
      if (isTold && (result.status === "changed" || result.status === "open")) print(renderReplay(result))
    }
  })
  print(isTold ? renderSummary(summary) : JSON.stringify(summary, null, 2))
  return flags["check"] === true && summary.same < summary.calls ? 1 : 0
}

/** `trunkline replay`: leads an agent through the trace of a call, or through those of many, and tells what would change. */
export const replay = async (call: CommandCall): Promise<number> => {
  const config = await replayConfig(call)
  const namedAgent = agentNamed(call, config)
  const scope = workspaceOf(call, config)
  const start = (model: Model | null) => {
    const job = { call, config, namedAgent, scope, model }
    return call.operands.length > 0 ? one(job) : many(job)
  }
  if (call.flags["model"] !== true) return start(null)
  const runtime = ManagedRuntime.make(config.model)
  try {
    return await start(await runtime.runPromise(LanguageModel))
  } finally {
    await runtime.dispose()
  }
}
