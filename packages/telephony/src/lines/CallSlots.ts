import { BusinessTime, type CampaignId, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Duration, Effect, Layer } from "effect"
import type { Connection } from "../carriers/Connection.js"
import { type ClaimantState, type ConnectionState, INBOUND, SlotAllocator } from "./SlotAllocator.js"

/** Calls that a workspace holds at once unless the embedder says otherwise (shapes 11). */
export const DEFAULT_MAX_CONCURRENT_CALLS = 10

/** The share of a workspace's lines that is kept for calls that come in, unless the embedder says otherwise. */
export const DEFAULT_INBOUND_SHARE = 0.1

/** How many lines there are, and for whom. */
export interface CallSlotsOptions {
  /** Calls that a workspace holds at once; default 10 (shapes 11). */
  readonly maxConcurrentCalls?: number
  /**
   * The share of them that calls going out never use, from 0 to 1, rounded up to whole lines; default 0.1. One line is
   * left for calls going out whatever the share, and a workspace with a single line keeps none.
   */
  readonly inboundShare?: number
}

/** For whom a line is taken. Campaigns, and all single calls together, have equal claims within a workspace. */
export type Claimant =
  | { readonly _tag: "Inbound" }
  | { readonly _tag: "Campaign"; readonly campaign_id: CampaignId }
  | { readonly _tag: "Single" }

/** A line that was taken. Giving it back a second time does nothing. */
export interface TakenSlot {
  readonly taken: true
  readonly release: Effect.Effect<void>
}

/** What came of wanting a line. */
export type SlotAnswer =
  | TakenSlot
  | {
    readonly taken: false
    /** Whose lines are all in use. */
    readonly why: "workspace" | "connection"
    /**
     * Waits until it is this claimant's turn on this connection; the line is kept for it for 5 s of business time at
     * least. Who waits for one of several connections races their effects.
     */
    readonly freed: Effect.Effect<void>
  }

/**
 * The lines that are free: per workspace, and per connection where it has `max_channels` (shapes 11).
 *
 * Who finds no line free waits behind the others. A line that becomes free goes to the claimant with the fewest, so that
 * while all of them want lines nobody has two more than another; among equals it goes to who has waited longest. Nobody
 * passes those who wait.
 */
export class CallSlots extends Context.Tag("@trunkline/telephony/CallSlots")<CallSlots, {
  /** Takes a line when one is free; otherwise says how to wait until one may be. */
  readonly tryTake: (scope: Scope, connection: Connection, claimant: Claimant) => Effect.Effect<SlotAnswer>
  /**
   * Waits for a line and takes it. Waiting can be broken off even where the caller cannot, so that a line is either
   * taken and given to the caller or not taken.
   */
  readonly take: (scope: Scope, connection: Connection, claimant: Claimant) => Effect.Effect<TakenSlot>
  /** Counts a call that is going on already, even over the limit. */
  readonly force: (scope: Scope, connection: Connection, claimant: Claimant) => Effect.Effect<TakenSlot>
  /** Calls going on in a workspace. */
  readonly inUse: (scope: Scope) => Effect.Effect<number>
  /** Calls going on over a connection, of every workspace. */
  readonly use: (connection: Connection) => Effect.Effect<number>
}>() {
  /** Counts in this process. */
  static readonly layer = (options: CallSlotsOptions = {}) => Layer.scoped(CallSlots, make(options))
}

/** How long a line is kept for whoever was called, at least, in business time. */
const RESERVATION_TIME = Duration.seconds(5)

const make = (options: CallSlotsOptions) =>
  Effect.gen(function*() {
    const { inboundShare = DEFAULT_INBOUND_SHARE, maxConcurrentCalls: limit = DEFAULT_MAX_CONCURRENT_CALLS } = options
    const allocator = new SlotAllocator(limit, Math.max(0, Math.min(Math.ceil(limit * inboundShare), limit - 1)))
    const scope = yield* Effect.scope
    let sweeping = false

    const find = (
      workspace: Scope,
      connection: Connection,
      claimant: Claimant
    ): readonly [ClaimantState, ConnectionState] => [
      allocator.claimant(scopeKey(workspace), keyOf(claimant)),
      allocator.connection(connection.connection_id, connection.max_channels ?? Infinity)
    ]

    /** Gives up, from time to time, what was kept for those who were called and do not come. */
    const sweep: Effect.Effect<void> = Effect.suspend(() => {
      const kept = Array.from(allocator.reservations)
      if (kept.length === 0) return Effect.sync(() => void (sweeping = false))
      const lapse = Effect.sync(() => kept.forEach((turn) => allocator.expire(turn)))
      return BusinessTime.sleep(RESERVATION_TIME).pipe(Effect.zipRight(lapse), Effect.zipRight(sweep))
    })

    const scheduleSweep = Effect.suspend(() => {
      if (sweeping || allocator.reservations.size === 0) return Effect.void
      sweeping = true
      return Effect.forkIn(sweep, scope)
    })

    const slot = (taker: ClaimantState, line: ConnectionState): TakenSlot => {
      let held = true
      const release = Effect.suspend(() => {
        if (!held) return Effect.void
        held = false
        allocator.release(taker, line)
        return scheduleSweep
      })
      return { taken: true, release: Effect.asVoid(release) }
    }

    /** Waits to be called; who leaves before leaves the queue. */
    const called = (taker: ClaimantState, line: ConnectionState, handed: boolean, call: () => void) =>
      Effect.async<void>((resume) => {
        const leave = allocator.wait(taker, line, {
          takesAtOnce: handed,
          notify: () => {
            call()
            resume(Effect.void)
          }
        })
        return Effect.sync(leave)
      })

    return CallSlots.of({
      tryTake: (workspace, connection, claimant) =>
        Effect.sync((): SlotAnswer => {
          const [taker, line] = find(workspace, connection, claimant)
          const why = allocator.exhaustedBy(taker, line) ?? "workspace"
          if (allocator.tryTake(taker, line)) return slot(taker, line)
          const freed = Effect.suspend(() => {
            const [taker, line] = find(workspace, connection, claimant)
            return allocator.exhaustedBy(taker, line) === null ? Effect.void : called(taker, line, false, () => {})
          })
          return { taken: false, why, freed }
        }),
      take: (workspace, connection, claimant) =>
        Effect.uninterruptible(
          Effect.suspend(() => {
            const [taker, line] = find(workspace, connection, claimant)
            const ours = slot(taker, line)
            if (allocator.exhaustedBy(taker, line) === null) {
              allocator.take(taker, line)
              return Effect.succeed(ours)
            }
            let isOurs = false
            const wait = called(taker, line, true, () => void (isOurs = true))
            return Effect.interruptible(wait).pipe(
              Effect.onInterrupt(() => isOurs ? ours.release : Effect.void),
              Effect.as(ours)
            )
          })
        ),
      force: (workspace, connection, claimant) =>
        Effect.sync(() => {
          const [taker, line] = find(workspace, connection, claimant)
          allocator.take(taker, line)
          return slot(taker, line)
        }),
      inUse: (workspace) => Effect.sync(() => allocator.inUse(scopeKey(workspace))),
      use: (connection) => Effect.sync(() => allocator.channelsInUse(connection.connection_id))
    })
  })

const keyOf = (claimant: Claimant): string => {
  switch (claimant._tag) {
    case "Inbound":
      return INBOUND
    case "Campaign":
      return `campaign ${claimant.campaign_id}`
    case "Single":
      return "single"
  }
}
