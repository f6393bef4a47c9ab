import type { Scope } from "@trunkline/kernel"
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import { Carriers, unknownLineState } from "../carriers/Carrier.js"
import { type Connection, Connections } from "../carriers/Connection.js"
import { CallSlots } from "./CallSlots.js"
import type { LineDetail } from "./LineDetail.js"
import { LineHealth } from "./LineHealth.js"

/** Technical time between two looks at the lines, for those who watch. */
const lookEvery = "1 second"

/** The phone lines of a workspace with their state. */
export class Lines extends Context.Tag("@trunkline/telephony/Lines")<Lines, {
  /** All lines that a workspace can use. */
  readonly list: (workspace: Scope) => Effect.Effect<ReadonlyArray<LineDetail>>
  /**
   * Lines whose state changes from now on: health, registration and reachability, looked at every second. Changes of `calls`
   * and of lateness alone are not told.
   */
  readonly changes: (workspace: Scope) => Stream.Stream<LineDetail>
}>() {
  static readonly layer = Layer.effect(
    Lines,
    Effect.gen(function*() {
      const connections = yield* Connections
      const carriers = yield* Carriers
      const slots = yield* CallSlots
      const health = yield* LineHealth

      const detailOf = (connection: Connection): Effect.Effect<LineDetail> =>
        Effect.gen(function*() {
          const { connection_id, max_channels = null, phone_numbers, provider } = connection
          const state = yield* health.state(connection_id)
          const carrier = Option.getOrUndefined(carriers.find(provider))
          const { lateness_millis, registration, ...told } = yield* carrier?.lineState?.(connection) ??
            Effect.succeed(unknownLineState)
          return {
            connection_id,
            provider,
            phone_numbers,
            max_channels,
            health: state.health,
            paused_until: momentOf(state.paused_until),
            reason: state.reason,
            calls: yield* slots.use(connection),
            registration: registration && {
              status: registration.status,
              registered_until: momentOf(registration.registered_until)
            },
            reachable: told.reachable,
            last_failure: told.last_failure && {
              at: DateTime.unsafeMake(told.last_failure.at),
              reason: told.last_failure.reason
            },
            lateness_milliseconds: lateness_millis
          }
        })

      const list = (workspace: Scope) =>
        Effect.flatMap(
          connections.list,
          (lines) =>
            Effect.filter(lines, ({ connection_id }) =>
              Effect.map(connections.find(workspace, connection_id), Option.isSome))
        ).pipe(
          Effect.flatMap((workspaceLines) =>
            Effect.forEach(workspaceLines, detailOf)
          )
        )

      const changes = (workspace: Scope): Stream.Stream<LineDetail> =>
        Stream.unwrap(Effect.map(list(workspace), (first) => {
          const statuses = new Map(first.map((line) => [line.connection_id, statusOf(line)]))
          const look = Effect.map(list(workspace), (lines) =>
            lines.filter((line) => {
              const status = statusOf(line)
              const isNew = statuses.get(line.connection_id) !== status
              statuses.set(line.connection_id, status)
              return isNew
            }))
          return Stream.flattenIterables(Stream.repeatEffect(Effect.delay(look, lookEvery)))
        }))

      return Lines.of({ list, changes })
    })
  )
}

const momentOf = (at: number | null): DateTime.Utc | null => at === null ? null : DateTime.unsafeMake(Math.floor(at))

/** Text of what a watcher is told of; the time until which a registration holds moves with each refresh. */
const statusOf = ({ health, last_failure, reachable, reason, registration }: LineDetail): string =>
  JSON.stringify([health, reason, registration?.status, reachable, last_failure])
