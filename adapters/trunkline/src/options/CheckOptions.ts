import { CallLimitSettings, hasAllRoles, readRoles } from "@trunkline/engine"
import { issuesOf, unknownFields } from "@trunkline/errors"
import { Either, Schema } from "effect"
import { shortestSecret } from "../assembly/Secrets.js"
import { InvalidOption } from "./InvalidOption.js"
import { formatNames, levelNames } from "./LoggerOptions.js"
import { MailOptions, ResponsesOptions, SimulatorOptions, TelemetryOptions } from "./OptionSchemas.js"
import { isFunction, isObject, isRedisUrl, matching, providedOr, withMethods } from "./OptionShapes.js"
import type { TrunklineOptions } from "./TrunklineOptions.js"

const others = { key: Schema.String, value: Schema.Unknown }
const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(schema)

const tool = withMethods("a tool", {
  required: ["run"],
  others: ["name", "description", "parameters", "jsonSchema"]
})

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
    access: Schema.Unknown,
    workspace: optional(
      matching(
        (value) => typeof value === "string" && /^[^/]+\/[^/]+$/.test(value),
        "must be of the form org/workspace"
      )
    ),
    onCallEnded: optional(matching(isFunction, "must be a function")),
    onError: optional(matching(isFunction, "must be a function")),
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
    callLimits: optional(Schema.typeSchema(CallLimitSettings)),
    docs: optional(Schema.Boolean),
    limits: optional(Schema.Boolean),
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
  checkUnique("lines", { items: options.lines ?? [], key: "connection_id" })
}
