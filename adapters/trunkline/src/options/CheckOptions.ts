import { BrowserCallSettings, CallLimitSettings, hasAllRoles, readRoles } from "@trunkline/engine"
import { issuesOf, unknownFields } from "@trunkline/errors"
import { RedactRule } from "@trunkline/replay/trace"
import { Either, Schema } from "effect"
import { shortestSecret } from "../assembly/Secrets.js"
import { InvalidOption } from "./InvalidOption.js"
import { formatNames, levelNames } from "./LoggerOptions.js"
import {
  MailOptions,
  McpServer,
  OfferedSecret,
  OfferedServer,
  ResponsesOptions,
  SimulatorOptions,
  TelemetryOptions
} from "./OptionSchemas.js"
import { isFunction, isObject, isRedisUrl, matching, providedOr, withMethods } from "./OptionShapes.js"
import { CurrencyCode, ExchangeRates, OwnPrice, priceProblem } from "./speech/Prices.js"
import { recordingShape } from "./speech/RecordingParts.js"
import type { TrunklineOptions } from "./TrunklineOptions.js"

const others = { key: Schema.String, value: Schema.Unknown }
const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(schema)

const policies = ["timeout_seconds", "filler", "once", "on_interruption"]

const functionTool = withMethods("a tool", {
  required: ["run"],
  others: ["name", "description", "parameters", "jsonSchema", "repeatable", ...policies]
})

const httpTool = withMethods("a tool over HTTP", {
  required: [],
  others: ["name", "description", "parameters", "http", ...policies]
})

const isHttp = (value: unknown): boolean => isObject(value) && "http" in value && !("run" in value)

const [checkHttp, checkFunction] = [Schema.validateEither(httpTool), Schema.validateEither(functionTool)]

const tool = Schema.Unknown.pipe(
  Schema.filter((value) =>
    Either.match(isHttp(value) ? checkHttp(value) : checkFunction(value), {
      onLeft: (error) => {
        const [{ loc, msg }] = issuesOf(error, "body")
        return { path: loc.slice(1), message: msg }
      },
      onRight: () => undefined
    })
  )
)

const tools = optional(Schema.Array(tool))

const Agent = Schema.Struct({
  tools,
  versions: optional(Schema.NonEmptyArray(Schema.Struct({ tools }, others)))
}, others)

const Line = Schema.Struct({
  connection_id: Schema.String,
  provider: Schema.String,
  phone_numbers: Schema.Array(Schema.String),
  max_channels: Schema.Unknown,
  options: Schema.Unknown,
  carrier: optional(
    withMethods("a carrier", { required: ["place"], optional: ["end", "offers"], others: ["protocol"] })
  )
})

/** Shapes of the options, as far as the engine does not check them itself. */
const Options = Schema.Struct(
  {
    data: Schema.Unknown,
    database: optional(
      matching(
        (value) => typeof value === "string" && /^postgres(ql)?:\/\/./.test(value),
        "must be a URL that begins with postgres://"
      )
    ),
    files: optional(matching((value) => typeof value === "string" && value !== "", "must be a folder or a URL")),
    secret: optional(
      matching(
        (value) => value === undefined || (typeof value === "string" && value.length >= shortestSecret),
        `must have at least ${shortestSecret} characters, such as those of openssl rand -hex 32`
      )
    ),
    redis: optional(
      matching(
        (value) => typeof value === "string" && isRedisUrl(value),
        "must be a URL that begins with redis:// or rediss://"
      )
    ),
    leaseSeconds: optional(
      matching(
        (value) => typeof value === "number" && value >= 1 && value <= 3_600,
        "must be a number of seconds from 1 to 3600"
      )
    ),
    roles: optional(Schema.Array(Schema.String)),
    agents: optional(Schema.Array(Agent)),
    lines: optional(Schema.Array(Line)),
    model: optional(providedOr(withMethods("a model", { required: [], optional: ["generate", "stream"], others: [] }))),
    voices: optional(
      Schema.Array(
        providedOr(withMethods("a voice", { required: ["speak"], others: ["name", "languages", "rate", "cloning"] }))
      )
    ),
    transcriber: optional(providedOr(withMethods("a transcriber", { required: ["transcribe"], others: [] }))),
    detector: optional(
      Schema.Struct({ provider: Schema.Unknown, options: optional(Schema.Record(others)) })
    ),
    turnModel: optional(Schema.Struct({ provider: Schema.Unknown, options: Schema.Record(others) })),
    realtime: optional(Schema.Struct({ provider: Schema.Unknown, options: Schema.Record(others) })),
    access: Schema.Unknown,
    workspace: optional(
      matching(
        (value) => typeof value === "string" && /^[^/]+\/[^/]+$/.test(value),
        "must be of the form org/workspace"
      )
    ),
    onCallEnded: optional(matching(isFunction, "must be a function")),
    onError: optional(matching(isFunction, "must be a function")),
    prices: optional(
      Schema.Array(Schema.encodedBoundSchema(OwnPrice).pipe(Schema.filter((price) => priceProblem(price))))
    ),
    currency: optional(CurrencyCode),
    exchangeRates: optional(ExchangeRates),
    mcpServers: optional(Schema.Array(Schema.typeSchema(McpServer))),
    toolSecrets: optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
    workspaceAgents: optional(
      Schema.Struct({
        functions: optional(Schema.Array(functionTool)),
        secrets: optional(Schema.Array(OfferedSecret)),
        mcpServers: optional(Schema.Array(OfferedServer))
      })
    ),
    simulator: optional(SimulatorOptions),
    mail: optional(MailOptions),
    responses: optional(ResponsesOptions),
    logger: optional(withMethods("a logger", { required: ["debug", "info", "warn", "error"] })),
    logLevel: optional(
      matching(
        (value) => levelNames.some((name) => name === value),
        `must be one of ${levelNames.join(", ")}`
      )
    ),
    logFormat: optional(
      matching(
        (value) => formatNames.some((name) => name === value),
        `must be one of ${formatNames.join(", ")}`
      )
    ),
    telemetry: optional(TelemetryOptions),
    browserCalls: optional(Schema.typeSchema(BrowserCallSettings)),
    callLimits: optional(Schema.typeSchema(CallLimitSettings)),
    keepModelInputs: optional(Schema.Boolean),
    checkCalls: optional(Schema.Boolean),
    recording: optional(
      Schema.Struct({ ...recordingShape, mayRecord: optional(matching(isFunction, "must be a function")) })
    ),
    traces: optional(
      Schema.Struct({ keep: Schema.Boolean, redact: optional(Schema.Array(Schema.typeSchema(RedactRule))) })
    ),
    docs: optional(Schema.Boolean),
    limits: optional(Schema.Boolean),
    optOutBySpeech: optional(Schema.Boolean),
    allowInsecureUrls: optional(Schema.Boolean),
    allowPrivateUrls: optional(Schema.Boolean)
  } satisfies Record<keyof TrunklineOptions, unknown>
)

const findUnknown = unknownFields(Options)

const checkShapes = Schema.decodeUnknownEither(Options, { onExcessProperty: "error" })

const checkUnique = (
  list: string,
  { items, key }: { readonly items: ReadonlyArray<unknown>; readonly key: string }
): void => {
  const ids = items.map((item) => isObject(item) ? Reflect.get(item, key) : undefined)
  const again = ids.findIndex((id, index) => id !== undefined && ids.indexOf(id) < index)
  if (again > 0) throw new InvalidOption(`${list}.${again}.${key}`, `"${String(ids[again])}" is listed twice`)
}

const checkRoles = ({ database, roles }: TrunklineOptions): void => {
  if (roles === undefined) return
  const read = readRoles(roles)
  if (typeof read === "string") throw new InvalidOption("roles", read)
  if (database === undefined && !hasAllRoles(roles)) {
    throw new InvalidOption("roles", "must be all without a database, which other processes could share")
  }
}

/** Checks options that no compiler has seen. Throws `InvalidOption` for what is unknown, missing or of another kind. */
export const checkOptions = (options: TrunklineOptions): void => {
  if (!isObject(options)) throw new InvalidOption("options", "pass an object with the option data")
  const [unknown] = findUnknown(options, [])
  if (unknown !== undefined) throw new InvalidOption(unknown.loc.join("."), unknown.msg)
  if (typeof options.data !== "string" || options.data === "") {
    throw new InvalidOption("data", "name the folder that everything is kept in, or :memory:")
  }
  if (options.database !== undefined && options.data === ":memory:") {
    throw new InvalidOption("data", "name a folder: an engine with a database keeps warehouses and secrets there")
  }
  if (options.database === undefined && options.secret !== undefined) {
    throw new InvalidOption("secret", "is for engines with a database; others keep their keys in the folder of data")
  }
  if (options.database === undefined && options.redis !== undefined) {
    throw new InvalidOption("redis", "is for engines with a database, which share it; one with a folder is alone")
  }
  const shapes = checkShapes(options)
  if (Either.isLeft(shapes)) {
    const [{ loc, msg }] = issuesOf(shapes.left, "body")
    throw new InvalidOption(loc.slice(1).join("."), msg)
  }
  checkRoles(options)
  checkUnique("agents", { items: options.agents ?? [], key: "app_id" })
  checkUnique("mcpServers", { items: options.mcpServers ?? [], key: "name" })
  checkUnique("workspaceAgents.functions", { items: options.workspaceAgents?.functions ?? [], key: "name" })
  checkUnique("lines", { items: options.lines ?? [], key: "connection_id" })
}
