import { ConnectionId, PhoneNumber, type Scope } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Schema } from "effect"

/** A phone line: a provider account or trunk, and the numbers that belong to it (shapes 12). */
export class Connection extends Schema.Class<Connection>("Connection")({
  connection_id: ConnectionId,
  /** The carrier adapter that serves it, such as `simulator`. */
  provider: Schema.NonEmptyString,
  phone_numbers: Schema.Array(PhoneNumber),
  /** Calls that the line carries at once; absent means no limit of its own. */
  max_channels: Schema.optional(Schema.Int.pipe(Schema.positive())),
  /** The carrier adapter's own settings. */
  options: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), { default: () => ({}) })
}) {}

/** Which phone lines a workspace may use. */
export class Connections extends Context.Tag("@trunkline/telephony/Connections")<Connections, {
  /** The connection of this id, when the workspace may use it. */
  readonly find: (scope: Scope, id: ConnectionId) => Effect.Effect<Option.Option<Connection>>
  /** Every connection there is, of whichever workspace: what is looked after in the background. */
  readonly all: Effect.Effect<ReadonlyArray<Connection>>
}>() {
  /** The given connections, usable by every workspace. */
  static readonly layerOf = (connections: ReadonlyArray<Connection>) => {
    const byId = new Map(connections.map((connection) => [connection.connection_id, connection]))
    return Layer.succeed(Connections, {
      find: (_scope, id) => Effect.succeed(Option.fromNullable(byId.get(id))),
      all: Effect.succeed(connections)
    })
  }
}
