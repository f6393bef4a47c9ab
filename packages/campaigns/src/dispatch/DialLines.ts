import { BusinessTime, type PhoneNumber } from "@trunkline/kernel"
import {
  type CallSlot,
  CallSlots,
  type Connection,
  Connections,
  LineHealth,
  type SlotResult
} from "@trunkline/telephony"
import { Effect, Either, Option } from "effect"
import type { AppConfig, DialLine } from "../campaign/Campaign.js"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import type { LineBlocker } from "../gate/Blocker.js"

/** A configured line of a campaign, by its position in the list, with its connection if that exists. */
export interface KnownLine {
  readonly index: number
  readonly line: DialLine
  readonly connection: Option.Option<Connection>
}

/** A line that is reserved for one call. */
export interface TakenLine {
  readonly index: number
  readonly line: DialLine
  readonly connection: Connection
  /** Returns the line after its call. */
  readonly release: Effect.Effect<void>
  /** Returns the line because it was not dialled. */
  readonly giveUp: Effect.Effect<void>
}

/** Finds and reserves the lines that campaigns dial from. */
export const makeDialLines = Effect.gen(function*() {
  const connections = yield* Connections
  const slots = yield* CallSlots
  const health = yield* LineHealth

  const linesOf = ({ campaign, scope }: OwnedCampaign): Effect.Effect<ReadonlyArray<KnownLine>> =>
    Effect.forEach(
      campaign.app_config.connection_configs,
      (line, index) =>
        Effect.map(connections.find(scope, line.connection_id), (connection) => ({ index, line, connection }))
    )

  const slotOn = (ownedCampaign: OwnedCampaign, connection: Connection) =>
    slots.tryTake(ownedCampaign.scope, connection, {
      _tag: "Campaign",
      campaign_id: ownedCampaign.campaign.campaign_id
    })

  /** Asks the circuit breaker for a permit. Comes last, because a permit must be used or reported as unused. */
  const pausedUntil = (slot: CallSlot, { connection_id }: Connection) =>
    Effect.flatMap(
      health.permit(connection_id),
      (permit) => permit._tag === "Paused" ? Effect.as(slot.release, permit.until) : Effect.succeed(null)
    )

  /** Reserves the first of these lines that is configured, healthy and free. */
  const take = (
    ownedCampaign: OwnedCampaign,
    lines: ReadonlyArray<KnownLine>
  ): Effect.Effect<Either.Either<TakenLine, LineBlocker>> =>
    Effect.gen(function*() {
      const busy: Array<Extract<SlotResult, { readonly isTaken: false }>> = []
      const now = yield* BusinessTime.now
      let until = Infinity
      for (const { connection: lineConnection, index, line } of lines) {
        if (Option.isNone(lineConnection)) continue
        const connection = lineConnection.value
        const { paused_until } = yield* health.state(connection.connection_id)
        if (paused_until !== null && paused_until > now) {
          until = Math.min(until, paused_until)
          continue
        }
        const slot = yield* slotOn(ownedCampaign, connection)
        if (!slot.isTaken) {
          busy.push(slot)
          continue
        }
        const pauseEnd = yield* pausedUntil(slot, connection)
        if (pauseEnd === null) {
          const handBack = health.report(connection.connection_id, "none")
          const giveUp = Effect.zipRight(handBack, slot.release)
          return Either.right({ index, line, connection, release: slot.release, giveUp })
        }
        until = Math.min(until, pauseEnd)
      }
      return Either.left(lineBlocker(busy, until))
    })

  return { linesOf, take }
})

/**
 * The blocker of a dial for which no line could be reserved. `busy` has an entry for each busy line, and `until` is when
 * the first paused line is probed, or infinity.
 */
export const lineBlocker = (
  busy: ReadonlyArray<{ readonly turn: Effect.Effect<void>; readonly limit: string }>,
  until: number
): LineBlocker => ({
  _tag: "Line",
  status: busy.length > 0
    ? { _tag: "Busy", limits: busy.map(({ limit }) => limit) }
    : until < Infinity
    ? { _tag: "Paused", until }
    : { _tag: "Missing" },
  vacancy: busy.length > 0 ? Effect.raceAll(busy.map(({ turn }) => turn)) : Effect.never,
  until
})

/** Dials of each line of a campaign, by its position in the list. */
export type DialTally = ReadonlyArray<number>

/** Adds a dial of a line to a tally. */
export const countDial = (tally: DialTally, line: number): DialTally =>
  Array.from(
    { length: Math.max(tally.length, line + 1) },
    (_, index) => (tally[index] ?? 0) + (index === line ? 1 : 0)
  )

/**
 * The positions of the lines, in the order in which they should serve the next dial (weighted round robin): the line
 * furthest below its share comes first, and the earlier one on a tie.
 */
const lineOrder = (lines: ReadonlyArray<DialLine>, tally: DialTally): ReadonlyArray<number> =>
  lines
    .map((line, index) => ({ index, share: ((tally[index] ?? 0) + 1) / line.weight }))
    .sort((a, b) => a.share - b.share || a.index - b.index)
    .map(({ index }) => index)

/** The caller number of the next dial: the line's numbers in turn; with rotation first those in `unusedNumbers`. */
export const callerNumber = (
  line: DialLine,
  dials: number,
  rotation: { readonly calledFrom: ReadonlyArray<PhoneNumber> } | null
): PhoneNumber | undefined => {
  const freshNumbers = rotation === null ? [] : unusedNumbers(line, rotation.calledFrom)
  const numbers = freshNumbers.length > 0 ? freshNumbers : line.phone_numbers
  return numbers[dials % numbers.length]
}

/**
 * The lines to try for the next dial, best first; with rotation only those with a number that the contact has not been
 * called from, if there are any.
 */
export const linesToTry = <A extends Pick<KnownLine, "line">>(
  { connection_configs, phone_rotation }: Pick<AppConfig, "connection_configs" | "phone_rotation">,
  lines: ReadonlyArray<A>,
  tally: DialTally,
  calledFrom: ReadonlyArray<PhoneNumber>
): ReadonlyArray<A> => {
  const order = lineOrder(connection_configs, tally).flatMap((index) => lines[index] ?? [])
  if (!phone_rotation.agent) return order
  const freshLines = order.filter(({ line }) => unusedNumbers(line, calledFrom).length > 0)
  return freshLines.length > 0 ? freshLines : order
}

/** The numbers of a line that a contact has not been called from. */
const unusedNumbers = (line: DialLine, calledFrom: ReadonlyArray<PhoneNumber>): ReadonlyArray<PhoneNumber> =>
  line.phone_numbers.filter((number) => !calledFrom.includes(number))
