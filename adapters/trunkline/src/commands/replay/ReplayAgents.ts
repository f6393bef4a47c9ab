import { type Agent, AgentCatalog, decodeAgent, definitionIssues } from "@trunkline/agents"
import type { RecordingKeys } from "@trunkline/engine"
import { type Entropy, findPrice, type PricedUnit, type ProviderPriceTable, Scope } from "@trunkline/kernel"
import { conversationModel, type LanguageModel } from "@trunkline/models"
import { ScriptedModel } from "@trunkline/scripted-model"
import { Effect, Either, Layer, Redacted, Schema } from "effect"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { recordingKeysOf } from "../../assembly/Assemble.js"
import { DataFolderUnusable, makeSecret, openDataFolder } from "../../assembly/DataFolder.js"
import { secretsFrom } from "../../assembly/Secrets.js"
import { agentParts } from "../../options/agents/AgentParts.js"
import { modelLayer } from "../../options/ModelLayer.js"
import { openAiProvider } from "../../options/ModelProviders.js"
import { priceTable } from "../../options/speech/Prices.js"
import { recordingOf } from "../../options/speech/RecordingParts.js"
import { StartError } from "../../server/Explain.js"
import { withoutComments } from "../../server/JsonComments.js"
import { loadConfig, loadEnvironment, readText } from "../../server/LoadConfig.js"
import { modelOf } from "../../server/Model.js"
import { recordingOptionsOf } from "../../server/settings/RecordingSettings.js"
import type { CommandCall } from "../Call.js"
import { dataFolder } from "../DataFolders.js"

/** Part of a configuration that replays need. */
export interface ReplayConfig {
  readonly agents: ReadonlyArray<Agent>
  readonly model: Layer.Layer<LanguageModel, Error>
  readonly prices: ProviderPriceTable
  /** Provider of the model and its name there; null for one of the host. */
  readonly providerModel: { readonly provider: string; readonly model: string } | null
  readonly recordingKeys: ReadonlyArray<Redacted.Redacted>
  /** First workspace, as `org/workspace`. */
  readonly workspace: string
}

const decodeAll = (agents: ReadonlyArray<unknown>): ReadonlyArray<Agent> =>
  agents.map((agent) =>
    Either.getOrThrowWith(decodeAgent(agent), (error) => new StartError(definitionIssues(error).join("\n")))
  )

const nothing: ReplayConfig = {
  agents: [],
  model: ScriptedModel.layer(),
  prices: priceTable(),
  providerModel: { provider: "scripted", model: "*" },
  recordingKeys: [],
  workspace: "main/main"
}

const nameOf = (workspaces: ReadonlyArray<{ readonly org_id: string; readonly workspace_id: string }> = []): string => {
  const [first] = workspaces
  return first === undefined ? "main/main" : `${first.org_id}/${first.workspace_id}`
}

/** Reads the configuration of a command; without a file, it has no agents and the scripted model. */
export const replayConfig = async ({ environment, flags, folder }: CommandCall): Promise<ReplayConfig> => {
  const configPath = flags["config"] ?? (environment["TRUNKLINE_CONFIG"] || undefined)
  const file = resolve(folder, String(configPath ?? "trunkline.config.json"))
  if (configPath === undefined && !existsSync(file)) return nothing
  loadEnvironment(file)
  const loadedConfig = await loadConfig(file, environment)
  if (loadedConfig.kind === "json") {
    const { agents, model, prices, recording, workspaces } = loadedConfig.config
    const priceSource = model.kind === "scripted" ? nothing.providerModel : openAiProvider(model.base_url, model.models)
    return {
      agents,
      model: modelOf(model),
      prices: priceTable(prices),
      providerModel: priceSource !== null && "modelOf" in priceSource
        ? { provider: priceSource.provider, model: priceSource.modelOf(conversationModel) }
        : priceSource,
      recordingKeys: recordingOptionsOf(recording, environment).recordingKeys ?? [],
      workspace: nameOf(workspaces)
    }
  }
  const { access, agents = [], model, prices = [], recording, workspace } = loadedConfig.options
  return {
    agents: decodeAll(agentParts(agents).agents),
    model: model === undefined ? nothing.model : modelLayer(model),
    prices: priceTable(prices.map((price) => ({ model: "*", per: 1, ...price }))),
    providerModel: model !== undefined && "provider" in model && model.provider === "openai"
      ? { provider: "openai", model: model.options?.model ?? "*" }
      : null,
    recordingKeys: recording === undefined ? [] : recordingOf(recording).recordingKeys ?? [],
    workspace: workspace ?? nameOf(access?.workspaces)
  }
}

/** The secret that seals the traces of a server, which is only read: a new one beside old data would be of no use. */
const sealKeyOf = (call: CommandCall, recordingKeys: ReplayConfig["recordingKeys"]) => {
  const secret = call.environment["TRUNKLINE_SECRET"]
  if (secret) return Effect.succeed(secretsFrom(Redacted.make(secret)).sealKey)
  const folder = dataFolder(call)
  if (existsSync(join(folder, "seal-key"))) return Effect.map(openDataFolder(folder), ({ sealKey }) => sealKey)
  if (recordingKeys.length > 0) return Effect.sync(makeSecret)
  const reason = "it has no seal-key, by which traces are decrypted: name the data folder of the server with --data, "
    + "or its secret as TRUNKLINE_SECRET"
  return Effect.fail(new DataFolderUnusable({ folder, reason, cause: null }))
}

/** The keys by which traces of a data folder or database are decrypted. */
export const traceKeys = (
  call: CommandCall,
  { recordingKeys }: ReplayConfig
): Layer.Layer<RecordingKeys, DataFolderUnusable, Entropy> =>
  Layer.unwrapEffect(Effect.map(
    Effect.suspend(() => sealKeyOf(call, recordingKeys)),
    (sealKey) => recordingKeysOf(recordingKeys, sealKey)
  ))

/** A price of tokens in words; null where it is unknown. */
export const costOf = (
  { providerModel, prices }: ReplayConfig,
  tokens: { readonly input: number; readonly output: number }
): string | null => {
  if (providerModel === null) return null
  const amountOf = (unit: PricedUnit, quantity: number) => {
    const price = findPrice(prices, { service: "model", ...providerModel, unit })
    return price === null || price.amount === null
      ? null
      : { amount: price.amount * quantity / price.per, currency: price.currency }
  }
  const [input, output] = [amountOf("input_token", tokens.input), amountOf("output_token", tokens.output)]
  return input === null || output === null ? null : `${input.currency} ${(input.amount + output.amount).toFixed(4)}`
}

const isScope = Schema.decodeUnknownEither(Scope)

/** The workspace of a command. */
export const workspaceOf = ({ flags }: CommandCall, { workspace }: ReplayConfig): Scope => {
  const [org_id, workspace_id, more] = String(flags["workspace"] ?? workspace).split("/")
  const scope = isScope({ org_id, workspace_id })
  if (Either.isRight(scope) && more === undefined) return scope.right
  throw new StartError("--workspace: Must be an organisation and a workspace, such as acme/main")
}

/** An agent that a command names, and the number of its version; undefined for the latest one. */
export interface NamedAgent {
  readonly agent: string | Agent | undefined
  readonly version: number | undefined
}

/** An agent in a file: a definition with versions, or one version in short. */
export const agentIn = (file: string): Agent => {
  const text = readText(file)
  const json = Either.try((): unknown => JSON.parse(withoutComments(text)))
  if (Either.isLeft(json) || typeof json.right !== "object" || json.right === null) {
    throw new StartError(`The file ${file} is no agent: it must be a JSON object with app_id`)
  }
  const definition = "versions" in json.right
    ? json.right
    : (({ app_id, ...version }: { readonly app_id?: unknown }) => ({
      app_id,
      versions: [{ app_version: 1, committed: true, ...version }]
    }))(json.right)
  const result = decodeAgent(definition)
  if (Either.isRight(result)) return result.right
  throw new StartError([`The agent in ${file} cannot be used:`, ...definitionIssues(result.left)].join("\n  "))
}

/** Reads `--agent`: an id with or without `@version`, or a JSON file. */
export const agentNamed = ({ flags, folder }: CommandCall, { agents }: ReplayConfig): NamedAgent => {
  const reference = flags["agent"]
  if (typeof reference !== "string") return { agent: undefined, version: undefined }
  const file = resolve(folder, reference)
  if (/\.jsonc?$/.test(reference) || existsSync(file)) return { agent: agentIn(file), version: undefined }
  const [id = "", number, more] = reference.split("@")
  const version = number === undefined ? undefined : Number(number)
  if (more !== undefined || (version !== undefined && !Number.isInteger(version))) {
    throw new StartError("--agent: Must be an id such as reminder or reminder@3, or a JSON file")
  }
  if (!agents.some(({ app_id }) => app_id === id)) {
    const knownText = agents.map(({ app_id }) => app_id).join(", ")
    throw new StartError(
      `--agent: There is no agent ${id}${
        knownText === "" ? ": name a configuration with --config" : `: there are ${knownText}`
      }`
    )
  }
  return { agent: id, version }
}

/** The agents of a configuration, and one beside them. */
export const catalogOf = ({ agents }: ReplayConfig, { agent }: NamedAgent) =>
  AgentCatalog.layerOf(
    typeof agent === "object" ? [agent, ...agents.filter(({ app_id }) => app_id !== agent.app_id)] : agents
  )
