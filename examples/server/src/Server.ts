import { Agent } from "@trunkline/agents"
import { ChartsEcharts } from "@trunkline/charts-echarts"
import { Access, callLimitsOf, type Engine } from "@trunkline/engine"
import type { NotificationDeliveryOptions } from "@trunkline/notifications"
import { Load, RateLimits } from "@trunkline/rate-limits"
import { type Duration, Effect, Layer, Logger, Redacted, Schema } from "effect"
import { layerPostgres, layerSqlite, type SqliteEngineOptions } from "trunkline/effect"
import { type Bootstrap, speedOf } from "./Bootstrap.js"
import { mailerOf } from "./Mail.js"
import { modelOf } from "./Model.js"
import type { Options } from "./Options.js"
import { recognizerOf, synthesizerOf } from "./Speech.js"

/** Standard output belongs to the person who started us. */
const logsToStderr = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))

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
interface EngineOptions extends Pick<Options, "data" | "database" | "files" | "redis" | "roles" | "secret"> {
  readonly lease: Duration.DurationInput
}

/** The engine of the reference server: SQLite or PostgreSQL, and the phone lines and the model of the bootstrap file. */
export const engineOf = (
  bootstrap: Bootstrap,
  { data, database, files, lease, redis, roles, secret }: EngineOptions,
  notifications: NotificationDeliveryOptions = {}
): Layer.Layer<Engine, Error> => {
  const domain = bootstrap.mail?.from.address.split("@")[1]
  const options: SqliteEngineOptions = {
    data,
    lease,
    roles,
    ...(files !== null && { files }),
    onLost: endProcess,
    agents: encodeAgents(bootstrap.agents),
    connections: bootstrap.connections,
    access: encodeAccess(bootstrap),
    simulator: bootstrap.simulator,
    speed: speedOf(bootstrap),
    addresses: { allowInsecureUrls: bootstrap.allow_insecure_urls, allowPrivateUrls: bootstrap.allow_private_urls },
    chatHosts: bootstrap.chat_hosts ?? "any",
    model: modelOf(bootstrap.model),
    charts: ChartsEcharts.layer(),
    mailer: mailerOf(bootstrap.mail),
    synthesizer: synthesizerOf(bootstrap.speech),
    ...recognizerOf(bootstrap.transcriber),
    notifications: { ...notifications, ...(domain !== undefined && { messageIdDomain: domain }) },
    responses: { textWithoutFormat: bootstrap.responses.text_without_format },
    speech: { allowPitchRateMatch: true },
    ...callLimitsOf(bootstrap.call_limits),
    ...(!bootstrap.limits.enabled && { limits: RateLimits.layerUnlimited, load: Load.layerUnlimited })
  }
  const live = database === null
    ? layerSqlite(options)
    : layerPostgres({
      ...options,
      database,
      ...(redis !== null && { redis }),
      ...(secret !== null && { secret: Redacted.make(secret) })
    })
  return Layer.provide(live, logsToStderr)
}
