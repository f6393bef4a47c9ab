import { Agent } from "@trunkline/agents"
import { Access, callLimitsOf, type Engine } from "@trunkline/engine"
import { ReferenceDocs } from "@trunkline/http-api"
import type { NotificationDeliveryOptions } from "@trunkline/notifications"
import { Load, RateLimits } from "@trunkline/rate-limits"
import { type Duration, Effect, Layer, Redacted, Schema, type Stream } from "effect"
import { agentToolsLayer } from "../assembly/AgentToolsLayer.js"
import type { SqliteEngineOptions } from "../assembly/Assemble.js"
import { chartsLayer } from "../assembly/OptionalPackages.js"
import type { EngineTelemetry } from "../assembly/telemetry/TelemetryLayer.js"
import { configToolOptions } from "../assembly/ToolSettings.js"
import { layerPostgres } from "../databases/LayerPostgres.js"
import { layerSqlite } from "../databases/LayerSqlite.js"
import { loggerLayer } from "../options/LoggerLayer.js"
import { sileroLayer } from "../options/speech/DetectorLayer.js"
import { costLayers } from "../options/speech/Prices.js"
import { soundRealtimeLayer } from "../options/speech/RealtimeLayer.js"
import { smartTurnLayer } from "../options/speech/TurnModelLayer.js"
import { mailerOf } from "./Mail.js"
import { modelOf } from "./Model.js"
import { type ServerConfig, speedOf } from "./ServerConfig.js"
import type { ServerSettings } from "./ServerSettings.js"
import { recordingOptionsOf } from "./settings/RecordingSettings.js"
import { retentionLayer, retentionOf } from "./settings/RetentionSettings.js"
import { providedRealtimeOf } from "./speech/RealtimeSettings.js"
import { recognizerOf, synthesizerOf } from "./speech/Speech.js"

const encodeAgents = Schema.encodeSync(Schema.Array(Agent))

const encodeAccess = Schema.encodeSync(Access)

/**
 * Ends the process at once when another one has taken over its data folder: nothing that it writes is stored any more,
 * and the other process has taken over its work.
 */
const endProcess = (message: string) =>
  Effect.sync((): void => {
    console.error(`Stopped: ${message}`)
    process.exit(1)
  })

/** Options of `engineOf`. */
interface EngineOptions
  extends
    Pick<ServerSettings, "data" | "database" | "files" | "redis" | "roles" | "secret">,
    Partial<Pick<ServerSettings, "logFormat" | "logLevel">>
{
  readonly lease: Duration.DurationInput
  /** Export of traces; none by default. */
  readonly telemetry?: EngineTelemetry
  /** Lower speeds than that of the configuration, which business time takes later; none by default. */
  readonly speeds?: Stream.Stream<number>
}

/** The detector of speech; energy alone when it is null. */
const detectorOf = (detector: ServerConfig["detector"]) => {
  if (detector === null) return Layer.empty
  const { always, model } = detector
  return Layer.mapError(
    sileroLayer({ always, ...(model !== undefined && { model }) }),
    ({ message }) => new Error(`detector: ${message}`)
  )
}

/** The model of turns; words and silence alone when it is null. */
const turnModelOf = (model: ServerConfig["turn_model"]) =>
  model === null
    ? Layer.empty
    : Layer.mapError(smartTurnLayer({ model: model.model }), ({ message }) => new Error(`turn_model: ${message}`))

/** The model that hears and speaks; the chain alone when it is null. */
const realtimeOf = (settings: ServerConfig["realtime"]) =>
  settings === null ? Layer.empty : soundRealtimeLayer(providedRealtimeOf(settings, process.env))

/** The engine of a server: SQLite or PostgreSQL, and the phone lines and the model of the configuration file. */
export const engineOf = (
  config: ServerConfig,
  { data, database, files, lease, logFormat, logLevel, redis, roles, secret, speeds, telemetry }: EngineOptions,
  notifications: NotificationDeliveryOptions = {}
): Layer.Layer<Engine, Error> => {
  const domain = config.mail?.from.address.split("@")[1]
  const addresses = { allowInsecureUrls: config.allow_insecure_urls, allowPrivateUrls: config.allow_private_urls }
  const options: SqliteEngineOptions = {
    data,
    lease,
    roles,
    ...(files !== null && { files }),
    onLost: endProcess,
    agents: encodeAgents(config.agents),
    connections: config.connections,
    access: encodeAccess(config),
    simulator: config.simulator,
    speed: speedOf(config),
    ...(speeds !== undefined && { speeds }),
    addresses,
    chatHosts: config.chat_hosts ?? "any",
    model: modelOf(config.model),
    charts: chartsLayer(),
    optOutBySpeech: config.opt_out_by_speech,
    mailer: mailerOf(config.mail),
    synthesizer: synthesizerOf(config.speech),
    ...recognizerOf(config.transcriber),
    notifications: { ...notifications, ...(domain !== undefined && { messageIdDomain: domain }) },
    responses: { textWithoutFormat: config.responses.text_without_format },
    speech: { allowPitchRateMatch: true },
    ...(telemetry?.traced !== undefined && { traced: telemetry.traced }),
    ...callLimitsOf(config.call_limits),
    keepModelInputs: config.keep_model_inputs,
    checkCalls: config.check_calls,
    ...recordingOptionsOf(config.recording, process.env),
    traces: config.traces,
    browserCalls: config.browser_calls,
    ...(!config.limits.enabled && { limits: RateLimits.layerUnlimited, load: Load.layerUnlimited })
  }
  const live = database === null
    ? layerSqlite(options)
    : layerPostgres({
      ...options,
      database,
      ...(redis !== null && { redis }),
      ...(secret !== null && { secret: Redacted.make(secret) })
    })
  const tools = agentToolsLayer({ ...configToolOptions(config, process.env), addresses })
  // Standard output belongs to the person who started us.
  const logs = loggerLayer({ ...(logFormat && { logFormat }), ...(logLevel && { logLevel }) })
  return Layer.provideMerge(retentionLayer(retentionOf(config)), live).pipe(
    Layer.provide(detectorOf(config.detector)),
    Layer.provide(turnModelOf(config.turn_model)),
    Layer.provide(realtimeOf(config.realtime)),
    Layer.provide(tools),
    Layer.provide(telemetry?.layer ?? Layer.empty),
    Layer.provide(logs),
    Layer.provideMerge(
      costLayers({ prices: config.prices, currency: config.currency, rates: config.exchange_rates })
    ),
    Layer.merge(Layer.succeed(ReferenceDocs, config.docs))
  )
}
