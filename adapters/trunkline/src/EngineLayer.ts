import { callLimitsOf } from "@trunkline/engine"
import { ReferenceDocs } from "@trunkline/http-api"
import { EngineFaults } from "@trunkline/kernel"
import type { Mailer } from "@trunkline/notifications"
import { Load, RateLimits } from "@trunkline/rate-limits"
import { Cause, Duration, Effect, Layer, Redacted } from "effect"
import { agentToolsLayer, toolOptionsOf, toolProblems } from "./assembly/AgentToolsLayer.js"
import type { SqliteEngineOptions } from "./assembly/Assemble.js"
import { chartsLayer, isInstalled } from "./assembly/OptionalPackages.js"
import type { OtelVariables } from "./assembly/telemetry/OtelVariables.js"
import { missingExporter, telemetryOf } from "./assembly/telemetry/TelemetryLayer.js"
import { layerSqlite } from "./databases/LayerSqlite.js"
import type { Access, MailOptions } from "./generated/Resources.js"
import type { AgentOptions } from "./options/AgentOptions.js"
import { agentParts, functionParts } from "./options/agents/AgentParts.js"
import { lineParts } from "./options/CarrierParts.js"
import { checkLanguages, checkLines } from "./options/CheckLines.js"
import { checkOptions } from "./options/CheckOptions.js"
import { InvalidOption } from "./options/InvalidOption.js"
import { modelLayer } from "./options/ModelLayer.js"
import { detectorLayer } from "./options/speech/DetectorLayer.js"
import { costLayers } from "./options/speech/Prices.js"
import { realtimeLayer } from "./options/speech/RealtimeLayer.js"
import { recordingOf } from "./options/speech/RecordingParts.js"
import { isStreaming, listenerLayer, transcriberLayer } from "./options/speech/TranscriberLayer.js"
import { turnModelLayer } from "./options/speech/TurnModelLayer.js"
import { voicesLayer } from "./options/speech/VoiceLayer.js"
import type { TranscriberOption } from "./options/speech/VoiceOptions.js"
import type { TrunklineOptions } from "./options/TrunklineOptions.js"
import { callEndedSender, callEndedUrl } from "./promises/CallEndedSender.js"
import type { EndedCalls } from "./promises/CallMethods.js"

/** Access of an engine whose options name none: one account with one workspace, and no keys. */
const defaultAccess: Access = {
  accounts: [{ account_id: "main", plan: "business" }],
  workspaces: [{ org_id: "main", workspace_id: "main", account_id: "main" }],
  keys: []
}

/** The mailer. Its package is loaded now, so that a missing one is reported at the start. */
const mailerLayer = async ({ password, ...mail }: MailOptions): Promise<Layer.Layer<Mailer, Error>> => {
  if (!isInstalled("nodemailer")) throw new InvalidOption("mail", "mail needs a package: npm i nodemailer")
  const { MailerSmtp } = await import("@trunkline/mailer-smtp")
  return MailerSmtp.layer({
    port: undefined,
    tls: undefined,
    user: undefined,
    ...mail,
    password: password === undefined ? undefined : Redacted.make(password),
    allowInsecure: false
  })
}

/** The part of an option. Whatever prevents it is the fault of that option. */
const partOf = <A, E>(option: string, make: () => Layer.Layer<A, E>): Layer.Layer<A, InvalidOption> => {
  const fault = (error: unknown) =>
    error instanceof InvalidOption
      ? error
      : new InvalidOption(option, error instanceof Error ? error.message : String(error))
  try {
    return Layer.catchAllCause(make(), (cause) => Layer.fail(fault(Cause.squash(cause))))
  } catch (error) {
    throw fault(error)
  }
}

/** The part that hears callers: live, or turn by turn with the transcriber. */
const recognizerOf = (transcriber: TranscriberOption) =>
  isStreaming(transcriber)
    ? { listener: partOf("transcriber", () => listenerLayer(transcriber)) }
    : { transcriber: partOf("transcriber", () => transcriberLayer(transcriber)) }

/** Fails at files in S3 where the package of its client is not installed. */
const checkFiles = (files = ""): void => {
  if (!files.startsWith("s3:") || isInstalled("@aws-sdk/client-s3")) return
  throw new InvalidOption("files", "S3 needs a package: npm i @aws-sdk/client-s3")
}

/** Fails at Redis where the package of its client is not installed. */
const checkRedis = (redis: string | undefined): void => {
  if (redis !== undefined && !isInstalled("redis")) {
    throw new InvalidOption("redis", "Redis needs a package: npm i redis")
  }
}

/** The workspace of methods whose options name none. */
export const workspaceOf = ({ access = defaultAccess, workspace }: TrunklineOptions): string => {
  const names = access.workspaces.map(({ org_id, workspace_id }) => `${org_id}/${workspace_id}`)
  const [first = "main/main"] = names
  return workspace ?? first
}

/** A path among the agents as their options have it: the short form of an agent has no versions. */
const optionPathOf = (path: ReadonlyArray<string | number>, agents: ReadonlyArray<AgentOptions>): string => {
  const [root, index, ...rest] = path
  const agent = root === "agents" ? agents[Number(index)] : undefined
  return agent !== undefined && !("versions" in agent) ? [root, index, ...rest.slice(2)].join(".") : path.join(".")
}

/** Calls `onError` with what the engine could not do. */
const faultsLayer = (onError: TrunklineOptions["onError"]): Layer.Layer<never> =>
  onError === undefined
    ? Layer.empty
    : EngineFaults.layer((fault) => Effect.promise(async () => onError(fault)))

/** Name of the provider of a model in the conventions of OpenTelemetry. */
const providerOf = (model: TrunklineOptions["model"]): string =>
  model === undefined
    ? "trunkline"
    : !("provider" in model)
    ? "custom"
    : model.provider === "openai"
    ? "openai"
    : "trunkline"

/** The engine of the options. Throws `InvalidOption`. */
export const engineLayer = async (
  options: TrunklineOptions,
  endedCalls: EndedCalls,
  variables?: OtelVariables
) => {
  checkOptions(options)
  const {
    access = defaultAccess,
    agents: agentOptions = [],
    allowInsecureUrls = false,
    allowPrivateUrls = false,
    browserCalls,
    callLimits = {},
    checkCalls,
    currency = "USD",
    data,
    database,
    detector,
    docs = true,
    exchangeRates: rates = {},
    files,
    keepModelInputs,
    leaseSeconds,
    limits = true,
    lines = [],
    mail,
    mcpServers = [],
    model,
    onCallEnded,
    onError,
    optOutBySpeech = true,
    prices = [],
    realtime,
    recording,
    redis,
    responses,
    roles,
    secret,
    simulator = {},
    telemetry,
    toolSecrets = {},
    traces,
    transcriber,
    turnModel,
    voices,
    workspaceAgents = {}
  } = options
  const { default: callee = "answer", rules = [], speed = 1 } = simulator
  const { agents, tools: functions } = agentParts(agentOptions)
  const { carriers, connections } = lineParts(lines)
  if (speed !== 1 && lines.some(({ provider }) => provider !== "simulator")) {
    throw new InvalidOption("simulator.speed", "time can only be accelerated when all lines are simulated")
  }
  const tools = toolOptionsOf({
    agents,
    functions,
    servers: mcpServers,
    secrets: toolSecrets,
    offer: {
      functions: functionParts(workspaceAgents.functions ?? []),
      secrets: workspaceAgents.secrets ?? [],
      mcpServers: workspaceAgents.mcpServers ?? []
    }
  })
  const [problem] = toolProblems(tools, (path) => optionPathOf(path, agentOptions))
  if (problem !== undefined) throw new InvalidOption(problem.path, problem.message)
  await checkLines(lines)
  checkLanguages(options)
  checkFiles(files)
  checkRedis(redis)
  const missing = telemetry === undefined ? undefined : missingExporter()
  if (missing !== undefined) throw new InvalidOption("telemetry", missing)
  const exportedTelemetry = await telemetryOf(telemetry, {
    provider: providerOf(model),
    ...(variables !== undefined && { variables })
  })
  const addresses = { allowInsecureUrls, allowPrivateUrls }
  const engine: SqliteEngineOptions = {
    data,
    agents,
    connections,
    access,
    carriers,
    simulator: { rules, default: callee },
    speed,
    ...(leaseSeconds !== undefined && { lease: Duration.seconds(leaseSeconds) }),
    addresses,
    charts: chartsLayer(),
    onCallEnded: endedCalls.ended,
    optOutBySpeech,
    speech: { allowPitchRateMatch: true },
    ...callLimitsOf(callLimits),
    ...(keepModelInputs !== undefined && { keepModelInputs }),
    ...(checkCalls !== undefined && { checkCalls }),
    ...(recording !== undefined && recordingOf(recording)),
    ...(traces !== undefined && { traces }),
    ...(browserCalls !== undefined && { browserCalls }),
    ...(exportedTelemetry.traced !== undefined && { traced: exportedTelemetry.traced }),
    ...(files !== undefined && { files }),
    ...(roles !== undefined && { roles }),
    ...(responses?.textWithoutFormat !== undefined &&
      { responses: { textWithoutFormat: responses.textWithoutFormat } }),
    ...(model !== undefined && { model: partOf("model", () => modelLayer(model)) }),
    ...(voices !== undefined && { synthesizer: partOf("voices", () => voicesLayer(voices)) }),
    ...(transcriber !== undefined && recognizerOf(transcriber)),
    ...(mail !== undefined && { mailer: await mailerLayer(mail) }),
    ...(!limits && { limits: RateLimits.layerUnlimited, load: Load.layerUnlimited }),
    ...(onCallEnded !== undefined && {
      callEndedWebhook: { url: callEndedUrl, secret: null },
      sender: callEndedSender(onCallEnded, addresses)
    })
  }
  // The client of PostgreSQL is loaded where it is used, so that a program on SQLite starts sooner.
  const layer = database === undefined
    ? layerSqlite(engine)
    : (await import("./databases/LayerPostgres.js")).layerPostgres({
      ...engine,
      database,
      ...(redis !== undefined && { redis }),
      ...(secret !== undefined && { secret: Redacted.make(secret) })
    })
  return layer.pipe(
    Layer.provide(agentToolsLayer({ ...tools, addresses })),
    Layer.provide(detector === undefined ? Layer.empty : partOf("detector", () => detectorLayer(detector))),
    Layer.provide(turnModel === undefined ? Layer.empty : partOf("turnModel", () => turnModelLayer(turnModel))),
    Layer.provide(realtime === undefined ? Layer.empty : partOf("realtime", () => realtimeLayer(realtime))),
    Layer.provide(faultsLayer(onError)),
    Layer.provide(exportedTelemetry.layer),
    Layer.provideMerge(
      costLayers({ currency, rates, prices: prices.map((price) => ({ model: "*", per: 1, ...price })) })
    ),
    Layer.merge(Layer.succeed(ReferenceDocs, { enabled: docs }))
  )
}
