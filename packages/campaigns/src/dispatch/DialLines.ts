import { BusinessTime } from "@trunkline/kernel"
import { CallSlots, type Connection, Connections, LineHealth, type TakenSlot } from "@trunkline/telephony"
import { Effect, Option } from "effect"
import type { DialLine } from "../campaign/Campaign.js"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import type { LineFact } from "../gate/Check.js"

/** One of a campaign's lines, by its place in the list, with its connection where that is configured. */
export interface KnownLine {
  readonly index: number
  readonly line: DialLine
  readonly connection: Option.Option<Connection>
}

/** A line that a call may be made on. */
export interface TakenLine {
  readonly index: number
  readonly line: DialLine
  readonly connection: Connection
  /** Gives the line back when the call is over. */
  readonly release: Effect.Effect<void>
  /** Gives it back because it was not dialled after all. */
  readonly giveUp: Effect.Effect<void>
}

/** No line can be taken: why, and what to wait for. */
export interface NoLine {
  readonly fact: Exclude<LineFact, { readonly _tag: "Free" }>
  /** Completes when a line may have become free; never when none is in use. */
  readonly freed: Effect.Effect<void>
  /** When a paused line is tried again, epoch milliseconds of business time; infinity when none is paused. */
  readonly until: number
}

/** The lines that campaigns dial from: which are configured, in health and free. */
export const makeDialLines = Effect.gen(function*() {
  const connections = yield* Connections
  const slots = yield* CallSlots
  const health = yield* LineHealth

  const known = ({ campaign, scope }: OwnedCampaign): Effect.Effect<ReadonlyArray<KnownLine>> =>
    Effect.forEach(
      campaign.app_config.connection_configs,
      (line, index) =>
        Effect.map(connections.find(scope, line.connection_id), (connection) => ({ index, line, connection }))
    )

  const slotOn = (owned: OwnedCampaign, connection: Connection) =>
    slots.tryTake(owned.scope, connection, { _tag: "Campaign", campaign_id: owned.campaign.campaign_id })

  /** Asks the breaker last, since a permit has to be used. */
  const permitted = (slot: TakenSlot, { connection_id }: Connection) =>
    Effect.flatMap(
      health.permit(connection_id),
      (permit) => permit._tag === "Paused" ? Effect.as(slot.release, permit.until) : Effect.succeed(null)
    )

  /** The first line in this order that can be dialled on. */
  const take = (
    owned: OwnedCampaign,
    lines: ReadonlyArray<KnownLine>
  ): Effect.Effect<TakenLine | NoLine> =>
    Effect.gen(function*() {
      const freed: Array<Effect.Effect<void>> = []
      const now = yield* BusinessTime.now
      let until = Infinity
      for (const { connection: found, index, line } of lines) {
        if (Option.isNone(found)) continue
        const connection = found.value
        const { paused_until } = yield* health.state(connection.connection_id)
        if (paused_until !== null && paused_until > now) {
          until = Math.min(until, paused_until)
          continue
        }
        const slot = yield* slotOn(owned, connection)
        if (!slot.taken) {
          freed.push(slot.freed)
          continue
        }
        const pausedUntil = yield* permitted(slot, connection)
        if (pausedUntil === null) {
          const unused = health.report(connection.connection_id, "none")
          return { index, line, connection, release: slot.release, giveUp: Effect.zipRight(unused, slot.release) }
        }
        until = Math.min(until, pausedUntil)
      }
      const fact = freed.length > 0
        ? { _tag: "Busy" } as const
        : until < Infinity
        ? { _tag: "Paused", until } as const
        : { _tag: "Missing" } as const
      return { fact, freed: freed.length > 0 ? Effect.raceAll(freed) : Effect.never, until }
    })

  return { known, take }
})
