import { AgentTools } from "@trunkline/conversation"
import { callLimitsOf } from "@trunkline/engine"
import { ReferenceDocs } from "@trunkline/http-api"
import { EngineFaults } from "@trunkline/kernel"
import type { Mailer } from "@trunkline/notifications"
import { Load, RateLimits } from "@trunkline/rate-limits"
import { Cause, Effect, Either, Layer, Redacted } from "effect"
import type { SqliteEngineOptions } from "./assembly/Assemble.js"
import { isHosted } from "./assembly/HostedProviders.js"
import { chartsLayer, isInstalled } from "./assembly/OptionalPackages.js"
import type { Access, MailOptions } from "./generated/Resources.js"
import { agentParts } from "./options/AgentParts.js"
import { lineParts } from "./options/CarrierParts.js"
import { checkOptions } from "./options/CheckOptions.js"
import { InvalidOption } from "./options/InvalidOption.js"
import type { Line } from "./options/LineOptions.js"
import { modelLayer } from "./options/ModelLayer.js"
import { isStreaming, listenerLayer, transcriberLayer } from "./options/TranscriberLayer.js"
import type { TrunklineOptions } from "./options/TrunklineOptions.js"
import { voicesLayer } from "./options/VoiceLayer.js"
import type { TranscriberOption } from "./options/VoiceOptions.js"
import { layerPostgres } from "./postgres/LayerPostgres.js"
import { callEndedSender, callEndedUrl } from "./promises/CallEndedSender.js"
import type { EndedCalls } from "./promises/CallMethods.js"
import { layerSqlite } from "./sqlite/LayerSqlite.js"
import type { OtelVariables } from "./telemetry/OtelVariables.js"
import { missingExporter, telemetryOf } from "./telemetry/TelemetryLayer.js"

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

/** The check of the options of a line; undefined for the simulated network and for carriers of the host. */
const settingsCheckOf = async (
  provider: string
): Promise<undefined | ((options: Record<string, unknown>) => Either.Either<unknown, ReadonlyArray<string>>)> => {
  if (provider === "http") {
    const { connectionSettings } = await import("@trunkline/carrier-http")
    return (options) => connectionSettings({ options }, process.env)
  }
  if (provider === "sip") {
    const { connectionSettings } = await import("@trunkline/carrier-sip")
    return (options) => connectionSettings({ options }, process.env)
  }
  if (!isHosted(provider)) return undefined
  const { connectionSettings } = await import("@trunkline/carrier-media-websocket")
  return (options) => connectionSettings({ provider, options }, process.env)
}

/** Fails at lines with wrong options, or whose secrets are not in the environment. */
const checkLines = async (lines: ReadonlyArray<Line>): Promise<void> => {
  for (const [index, { options = {}, provider }] of lines.entries()) {
    const check = await settingsCheckOf(provider)
    if (check === undefined) continue
    const settings = check(options)
    if (Either.isRight(settings)) continue
    const [path = "options", ...reason] = settings.left.map((problem) => `lines.${index}.${problem}`).join("\n  ")
      .split(": ")
    throw new InvalidOption(path, reason.join(": "))
  }
}

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
    callLimits = {},
    data,
    database,
    docs = true,
    files,
    limits = true,
    lines = [],
    mail,
    model,
    onCallEnded,
    onError,
    redis,
    responses,
    roles,
    secret,
    simulator = {},
    telemetry,
    transcriber,
    voices
  } = options
  const { default: callee = "answer", rules = [], speed = 1 } = simulator
  const { agents, tools } = agentParts(agentOptions)
  const { carriers, connections } = lineParts(lines)
  if (speed !== 1 && lines.some(({ provider }) => provider !== "simulator")) {
    throw new InvalidOption("simulator.speed", "time can only be accelerated when all lines are simulated")
  }
  await checkLines(lines)
  checkFiles(files)
  checkRedis(redis)
  const missing = telemetry === undefined ? undefined : missingExporter()
  if (missing !== undefined) throw new InvalidOption("telemetry", missing)
  const traces = await telemetryOf(telemetry, {
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
    addresses,
    charts: chartsLayer(),
    onCallEnded: endedCalls.ended,
    speech: { allowPitchRateMatch: true },
    ...callLimitsOf(callLimits),
    ...(traces.traced !== undefined && { traced: traces.traced }),
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
  const layer = database === undefined
    ? layerSqlite(engine)
    : layerPostgres({
      ...engine,
      database,
      ...(redis !== undefined && { redis }),
      ...(secret !== undefined && { secret: Redacted.make(secret) })
    })
  return layer.pipe(
    Layer.provide(Layer.succeed(AgentTools, tools)),
    Layer.provide(faultsLayer(onError)),
    Layer.provide(traces.layer),
    Layer.merge(Layer.succeed(ReferenceDocs, { enabled: docs }))
  )
}
