import { CallLimitSettings, hasAllRoles, readRoles } from "@trunkline/engine"
import { issuesOf, unknownFields } from "@trunkline/errors"
import { Callee, SimulatorRule } from "@trunkline/telephony"
import { Either, Schema } from "effect"
import { shortestSecret } from "../assembly/Secrets.js"
import { isRedisUrl } from "../postgres/SharedParts.js"
import { InvalidOption } from "./InvalidOption.js"
import { levelNames } from "./LoggerLayer.js"
import type { TrunklineOptions } from "./TrunklineOptions.js"

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const isFunction = (value: unknown): boolean => typeof value === "function"

/** A value that a predicate accepts, and the message about another one. */
const matching = (isValid: (value: unknown) => boolean, message: string) =>
  Schema.Unknown.pipe(Schema.filter(isValid, { message: () => message }))

/** An object with methods of these names: all of them, where they are not optional. Instances of classes are fine. */
const withMethods = (noun: string, required: ReadonlyArray<string>, optional: ReadonlyArray<string> = []) =>
  Schema.Unknown.pipe(Schema.filter((value) => {
    if (!isObject(value)) return `${noun} is an object`
    const lacking = required.find((name) => !isFunction(Reflect.get(value, name)))
    if (lacking !== undefined) return `${noun} needs the method ${lacking}`
    const wrong = optional.find((name) =>
      Reflect.get(value, name) !== undefined && !isFunction(Reflect.get(value, name))
    )
    return wrong === undefined ? undefined : `${wrong} of ${noun} is a method`
  }))

/** A result of `openai`, `espeak` and the like, or an object with methods. */
const providedOr = (plain: Schema.Schema<unknown>) => {
  const check = Schema.validateEither(plain)
  return Schema.Unknown.pipe(Schema.filter((value) => {
    if (isObject(value) && "provider" in value) return undefined
    return Either.match(check(value), {
      onLeft: (error) => issuesOf(error, "body")[0].msg,
      onRight: () => undefined
    })
  }))
}

const others = { key: Schema.String, value: Schema.Unknown }
const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(schema)

const tools = optional(Schema.Array(withMethods("a tool", ["run"])))

const Agent = Schema.Struct({
  tools,
  versions: optional(Schema.NonEmptyArray(Schema.Struct({ tools }, others)))
}, others)

const Line = Schema.Struct({
  connection_id: Schema.String,
  provider: Schema.String,
  phone_numbers: Schema.Array(Schema.String),
  carrier: optional(withMethods("a carrier", ["place"], ["end", "offers"]))
}, others)

const speed = Schema.Number.pipe(
  Schema.filter((value) => Number.isFinite(value) && value > 0, { message: () => "must be a number above 0" })
)

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
    model: optional(providedOr(withMethods("a model", [], ["generate", "stream"]))),
    voices: optional(Schema.Array(providedOr(withMethods("a voice", ["speak"])))),
    transcriber: optional(providedOr(withMethods("a transcriber", ["transcribe"]))),
    access: Schema.Unknown,
    workspace: optional(
      matching(
        (value) => typeof value === "string" && /^[^/]+\/[^/]+$/.test(value),
        "must be of the form org/workspace"
      )
    ),
    onCallEnded: optional(matching(isFunction, "must be a function")),
    onError: optional(matching(isFunction, "must be a function")),
    simulator: optional(Schema.Struct({
      rules: optional(Schema.Array(SimulatorRule)),
      default: optional(Callee),
      speed: optional(speed)
    })),
    mail: optional(Schema.Struct({
      host: Schema.String,
      port: optional(Schema.Number),
      tls: optional(Schema.Literal("starttls", "implicit")),
      user: optional(Schema.String),
      password: optional(Schema.String),
      from: Schema.Struct({ address: Schema.String, name: optional(Schema.String) })
    })),
    responses: optional(Schema.Struct({
      textWithoutFormat: optional(
        matching((value) => value === "refused" || value === "plain", "must be refused or plain")
      )
    })),
    logger: optional(withMethods("a logger", ["debug", "info", "warn", "error"])),
    logLevel: optional(
      matching(
        (value) => typeof value === "string" && levelNames.includes(value),
        `must be one of ${levelNames.join(", ")}`
      )
    ),
    callLimits: optional(Schema.typeSchema(CallLimitSettings)),
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
