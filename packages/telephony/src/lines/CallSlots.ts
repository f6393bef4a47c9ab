import { BusinessTime, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Duration, Effect, Layer } from "effect"
import type { Connection } from "../carriers/Connection.js"
import { makeLeasedSlots } from "./LeasedSlots.js"
import { SlotAllocator } from "./SlotAllocator.js"
import { SlotLeases } from "./SlotLeases.js"
import { type Claimant, type ClaimantState, type ConnectionState, inboundKey, localLimits } from "./SlotStates.js"
import { describeLimit, outboundLimit, withReserve, type WorkspaceLimits } from "./WorkspaceLimits.js"

/** Limits of {@link CallSlots}. */
export interface CallSlotsOptions {
  /** Concurrent calls per workspace, or the limit that each has now; without one, only lines limit calls. */
  readonly maxConcurrentCalls?: number | ((workspace: Scope) => Effect.Effect<number>)
  /**
   * Share of these slots that outbound calls never use, from 0 to 1, rounded up to whole slots; default 0.1. At least
   * one slot is always left for outbound calls, so a workspace with a single slot keeps none for inbound calls.
   */
  readonly inboundShare?: number
}

/** A slot that was taken. Releasing it twice is harmless. */
export interface CallSlot {
  readonly isTaken: true
  readonly release: Effect.Effect<void>
}

/** Result of trying to take a slot. */
export type SlotResult =
  | CallSlot
  | {
    readonly isTaken: false
    /** The limit that is exhausted. */
    readonly limitedBy: "workspace" | "connection"
    /** The same in a clause for people, with its value and where to raise it. */
    readonly limit: string
    /**
     * Waits for this claimant's turn on this connection; a slot then stays reserved for at least 5 s of business time.
     * To wait for one of several connections, race their effects.
     */
    readonly turn: Effect.Effect<void>
  }

/**
 * Concurrency limits for calls: per workspace, and per connection where it sets `max_channels`.
 *
 * Claimants that find no free slot queue up. A released slot goes to the claimant with the fewest slots, so that
 * competing claimants never differ by more than one slot; ties go to the one that has waited longest. New requests
 * never overtake the queue. Where processes share the stores, the limits hold for all of them together: each leases slots,
 * within which this holds.
 *
 * @example
 * ```ts
 * const slots = yield* CallSlots
 * const slot = yield* slots.take(scope, connection, { _tag: "Single" })
 * yield* Effect.ensuring(call, slot.release)
 * ```
 */
export class CallSlots extends Context.Tag("@trunkline/telephony/CallSlots")<CallSlots, {
  /** Takes a slot when one is free; otherwise returns an effect that waits for one. */
  readonly tryTake: (scope: Scope, connection: Connection, claimant: Claimant) => Effect.Effect<SlotResult>
  /**
   * Waits for a slot and takes it. The wait is interruptible even inside an uninterruptible region, and no slot is lost
   * when it is interrupted.
   */
  readonly take: (scope: Scope, connection: Connection, claimant: Claimant) => Effect.Effect<CallSlot>
  /** Takes a slot for a call that is already in progress, even over the limit. */
  readonly force: (scope: Scope, connection: Connection, claimant: Claimant) => Effect.Effect<CallSlot>
  /** Number of calls in progress in a workspace. */
  readonly inUse: (scope: Scope) => Effect.Effect<number>
  /** Number of calls in progress on a connection, across all workspaces. */
  readonly use: (connection: Connection) => Effect.Effect<number>
}>() {
  /** Counts calls in this process. */
  static readonly layer = (options: CallSlotsOptions = {}) => Layer.scoped(CallSlots, make(options))
}

/** Minimum time that a slot stays reserved for a notified claimant, in business time. */
export const reservationTime = Duration.seconds(5)

/** The bookkeeping of slots with these limits, without calls in progress. */
export const makeSlotAllocator = (
  { inboundShare, maxConcurrentCalls }: {
    readonly inboundShare?: number
    /** Concurrent calls per workspace; infinity for no limit. */
    readonly maxConcurrentCalls: number
  }
): SlotAllocator => {
  const limits = withReserve(maxConcurrentCalls, inboundShare)
  return new SlotAllocator(localLimits(() => limits))
}

const make = ({ inboundShare, maxConcurrentCalls = Infinity }: CallSlotsOptions) =>
  Effect.gen(function*() {
    const leases = yield* SlotLeases
    const initial = withReserve(typeof maxConcurrentCalls === "number" ? maxConcurrentCalls : Infinity, inboundShare)
    /** The limits of workspaces at their last look. */
    const current = new Map<string, WorkspaceLimits>()
    const limitsOf = (workspace: string): WorkspaceLimits => current.get(workspace) ?? initial
    const { allocator, ask } = leases === null
      ? { allocator: new SlotAllocator(localLimits(limitsOf)), ask: null }
      : yield* makeLeasedSlots(leases, limitsOf)
    const scope = yield* Effect.scope

    /** Looks up the limit of a workspace; waiters go on where it has grown. */
    const refreshLimit = (workspace: Scope): Effect.Effect<void> =>
      typeof maxConcurrentCalls === "number" ? Effect.void : Effect.map(maxConcurrentCalls(workspace), (limit) => {
        const key = scopeKey(workspace)
        const before = limitsOf(key)
        if (before.limit === limit && current.has(key)) return
        const after = withReserve(limit, inboundShare)
        current.set(key, after)
        if (outboundLimit(after) > outboundLimit(before)) allocator.limitsChanged()
      })
    let sweeping = false

    const find = (
      workspace: Scope,
      connection: Connection,
      claimant: Claimant
    ): readonly [ClaimantState, ConnectionState] => [
      allocator.claimant(scopeKey(workspace), keyOf(claimant)),
      allocator.connection(connection.connection_id, connection.max_channels ?? Infinity)
    ]

    /** Expires unused reservations until there are none left. */
    const sweep: Effect.Effect<void> = Effect.suspend(() => {
      const reservations = Array.from(allocator.reservations)
      if (reservations.length === 0) return Effect.sync(() => void (sweeping = false))
      const expire = Effect.sync(() => reservations.forEach((reservation) => allocator.expire(reservation)))
      return BusinessTime.sleep(reservationTime).pipe(Effect.zipRight(expire), Effect.zipRight(sweep))
    })

    const scheduleSweep = Effect.suspend(() => {
      if (sweeping || allocator.reservations.size === 0) return Effect.void
      sweeping = true
      return Effect.forkIn(sweep, scope)
    })

    const slotOf = (claimant: ClaimantState, connection: ConnectionState): CallSlot => {
      let isHeld = true
      const release = Effect.suspend(() => {
        if (!isHeld) return Effect.void
        isHeld = false
        allocator.release(claimant, connection)
        return scheduleSweep
      })
      return { isTaken: true, release: Effect.asVoid(release) }
    }

    /** Waits in the queue; interruption leaves it. */
    const waitForTurn = (
      [claimant, connection]: readonly [ClaimantState, ConnectionState],
      { askOthers, onTurn = () => {}, takesAtOnce }: {
        readonly takesAtOnce: boolean
        readonly askOthers: () => unknown
        readonly onTurn?: () => void
      }
    ) =>
      Effect.async<void>((resume) => {
        const leave = allocator.wait(claimant, connection, {
          takesAtOnce,
          notify: () => {
            onTurn()
            resume(Effect.void)
          }
        })
        askOthers()
        return Effect.sync(leave)
      })

    const tryTakeNow = (workspace: Scope, line: Connection, claimant: Claimant): SlotResult => {
      const [state, connection] = find(workspace, line, claimant)
      const exhausted = allocator.exhaustedBy(state, connection) ?? "workspace"
      if (allocator.tryTake(state, connection)) return slotOf(state, connection)
      const turn = Effect.suspend(() => {
        const states = find(workspace, line, claimant)
        return allocator.exhaustedBy(...states) === null
          ? Effect.void
          : waitForTurn(states, { takesAtOnce: false, askOthers: () => ask?.(workspace, line, claimant) })
      })
      const limit = describeLimit(exhausted, limitsOf(scopeKey(workspace)), line, claimant._tag === "Inbound")
      return { isTaken: false, limitedBy: exhausted, limit, turn }
    }

    return CallSlots.of({
      tryTake: (workspace, line, claimant) =>
        Effect.flatMap(refreshLimit(workspace), () => {
          const result = tryTakeNow(workspace, line, claimant)
          if (result.isTaken || ask === null) return Effect.succeed(result)
          const answer = ask(workspace, line, claimant)
          // A caller waits for the answer of the others; a campaign, whose transaction is open, looks again later.
          return claimant._tag === "Inbound"
            ? Effect.map(answer, () => tryTakeNow(workspace, line, claimant))
            : Effect.succeed(result)
        }),
      take: (workspace, line, claimant) =>
        Effect.uninterruptible(
          Effect.flatMap(refreshLimit(workspace), () => {
            const [state, connection] = find(workspace, line, claimant)
            const slot = slotOf(state, connection)
            if (allocator.exhaustedBy(state, connection) === null) {
              allocator.take(state, connection)
              return Effect.succeed(slot)
            }
            let isTaken = false
            const turn = waitForTurn([state, connection], {
              takesAtOnce: true,
              askOthers: () => ask?.(workspace, line, claimant),
              onTurn: () => void (isTaken = true)
            })
            return Effect.interruptible(turn).pipe(
              Effect.onInterrupt(() => isTaken ? slot.release : Effect.void),
              Effect.as(slot)
            )
          })
        ),
      force: (workspace, line, claimant) =>
        Effect.sync(() => {
          const [state, connection] = find(workspace, line, claimant)
          allocator.take(state, connection)
          return slotOf(state, connection)
        }),
      inUse: (workspace) => Effect.sync(() => allocator.inUse(scopeKey(workspace))),
      use: (connection) => Effect.sync(() => allocator.channelsInUse(connection.connection_id))
    })
  })

const keyOf = (claimant: Claimant): string => {
  switch (claimant._tag) {
    case "Inbound":
      return inboundKey
    case "Campaign":
      return `campaign ${claimant.campaign_id}`
    case "Single":
      return "single"
  }
}
