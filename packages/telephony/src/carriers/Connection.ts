import { issuesOf } from "@trunkline/errors"
import { ConnectionId, PhoneNumber, type Scope } from "@trunkline/kernel"
import { Context, Effect, Either, Layer, Option, Schema } from "effect"

/** A phone line: a provider account or trunk and its numbers. */
export class Connection extends Schema.Class<Connection>("Connection")({
  /** Id chosen by the host application, by which calls and campaigns name the line. */
  connection_id: ConnectionId,
  /** Name of the carrier that serves it, such as `simulator`. */
  provider: Schema.NonEmptyString,
  /** Numbers of the line in E.164, such as `+911140000001`. */
  phone_numbers: Schema.Array(PhoneNumber),
  /** Maximum concurrent calls; absent means unlimited. */
  max_channels: Schema.optional(Schema.Int.pipe(Schema.positive())),
  /** Settings of the carrier adapter. */
  options: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), { default: () => ({}) })
}) {}

/** Registry of connections and of the workspaces that can use them. */
export class Connections extends Context.Tag("@trunkline/telephony/Connections")<Connections, {
  /** Finds a connection that the workspace can use. */
  readonly find: (scope: Scope, id: ConnectionId) => Effect.Effect<Option.Option<Connection>>
  /** All connections of all workspaces, for background work. */
  readonly list: Effect.Effect<ReadonlyArray<Connection>>
}>() {
  /** Makes the given connections available to every workspace. */
  static readonly layerOf = (connections: ReadonlyArray<Connection>) => {
    const byId = new Map(connections.map((connection) => [connection.connection_id, connection]))
    return Layer.succeed(Connections, {
      find: (_scope, id) => Effect.succeed(Option.fromNullable(byId.get(id))),
      list: Effect.succeed(connections)
    })
  }
}

/** Decodes the options of a connection; fails with a line for each problem, which contains no values. */
export const decodeOptions = <A, I>(
  schema: Schema.Schema<A, I>
): (connection: Pick<Connection, "options">) => Either.Either<A, ReadonlyArray<string>> => {
  const decode = Schema.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })
  return ({ options }) =>
    Either.mapLeft(
      decode(options),
      (error) => issuesOf(error, "body").map(({ loc, msg }) => `${["options", ...loc.slice(1)].join(".")}: ${msg}`)
    )
}
