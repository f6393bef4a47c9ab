import { Agent } from "@trunkline/agents"
import { Access, callLimitsOf, type Engine } from "@trunkline/engine"
import { ReferenceDocs } from "@trunkline/http-api"
import type { NotificationDeliveryOptions } from "@trunkline/notifications"
import { Load, RateLimits } from "@trunkline/rate-limits"
import { type Duration, Effect, Layer, Redacted, Schema } from "effect"
import type { SqliteEngineOptions } from "../assembly/Assemble.js"
import { chartsLayer } from "../assembly/OptionalPackages.js"
import { loggerLayer } from "../options/LoggerLayer.js"
import { layerPostgres } from "../postgres/LayerPostgres.js"
import { layerSqlite } from "../sqlite/LayerSqlite.js"
import type { EngineTelemetry } from "../telemetry/TelemetryLayer.js"
import { mailerOf } from "./Mail.js"
import { modelOf } from "./Model.js"
import { retentionLayer, retentionOf } from "./RetentionSettings.js"
import { type ServerConfig, speedOf } from "./ServerConfig.js"
import type { ServerSettings } from "./ServerSettings.js"
import { recognizerOf, synthesizerOf } from "./Speech.js"

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
}

/** The engine of a server: SQLite or PostgreSQL, and the phone lines and the model of the configuration file. */
export const engineOf = (
  config: ServerConfig,
  { data, database, files, lease, logFormat, logLevel, redis, roles, secret, telemetry }: EngineOptions,
  notifications: NotificationDeliveryOptions = {}
): Layer.Layer<Engine, Error> => {
  const domain = config.mail?.from.address.split("@")[1]
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
    addresses: { allowInsecureUrls: config.allow_insecure_urls, allowPrivateUrls: config.allow_private_urls },
    chatHosts: config.chat_hosts ?? "any",
    model: modelOf(config.model),
    charts: chartsLayer(),
    mailer: mailerOf(config.mail),
    synthesizer: synthesizerOf(config.speech),
    ...recognizerOf(config.transcriber),
    notifications: { ...notifications, ...(domain !== undefined && { messageIdDomain: domain }) },
    responses: { textWithoutFormat: config.responses.text_without_format },
    speech: { allowPitchRateMatch: true },
    ...(telemetry?.traced !== undefined && { traced: telemetry.traced }),
    ...callLimitsOf(config.call_limits),
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
  // Standard output belongs to the person who started us.
  const logs = loggerLayer({ ...(logFormat && { logFormat }), ...(logLevel && { logLevel }) })
  return Layer.provideMerge(retentionLayer(retentionOf(config)), live).pipe(
    Layer.provide(telemetry?.layer ?? Layer.empty),
    Layer.provide(logs),
    Layer.merge(Layer.succeed(ReferenceDocs, config.docs))
  )
}
