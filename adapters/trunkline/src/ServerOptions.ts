import { Effect, Either, Schema } from "effect"
import { decode } from "./promises/Decode.js"
import type { HandlerOptions, Trunkline } from "./TrunklineTypes.js"

/** A field that may be absent or undefined. */
const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(schema)

const handler = {
  prefix: optional(Schema.String),
  bodyPace: optional(Schema.Struct({
    idleTimeout: optional(Schema.Number.pipe(Schema.positive())),
    minimumRate: optional(Schema.Number.pipe(Schema.nonNegative()))
  }))
} satisfies Record<keyof HandlerOptions, unknown>

/** Ports of TCP, and 0 for a free one. */
const Port = Schema.Unknown.pipe(
  Schema.filter((port) => Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535, {
    message: () => "Must be a whole number from 0 to 65535, where 0 takes a free port; use Number() for one from a text"
  })
)

/** Options as they are; throws `Invalid` for what is unknown or of another type. */
const checkerOf = <A>(schema: Schema.Schema<A>) => {
  const read = decode(schema, "options")
  return <Given>(options: Given): Given => {
    const result = Effect.runSync(Effect.either(read(options)))
    if (Either.isLeft(result)) throw result.left
    return options
  }
}

/** Checks the options of a handler. Throws `Invalid`. */
export const checkHandler = checkerOf(Schema.Struct(handler))

/** Checks the options of a server. Throws `Invalid`. */
export const checkServer = checkerOf(Schema.Struct(
  { ...handler, port: optional(Port), host: optional(Schema.NonEmptyString) } satisfies Record<
    keyof NonNullable<Parameters<Trunkline["listen"]>[0]>,
    unknown
  >
))
