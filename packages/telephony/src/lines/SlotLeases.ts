import { Context, type Duration, type Effect } from "effect"

/** The slots that a process needs of a limit that processes share. */
export interface SlotRequest {
  /** Name of the limit, such as `connection trunk-1`. */
  readonly resource: string
  /** Calls at a time, over all processes. */
  readonly limit: number
  /** Slots that this process uses now, or may use before this is settled. */
  readonly used: number
  /** True if it has held one lately, so that it is the turn of others where there are too few for all. */
  readonly hadSlots: boolean
  /** True while calls of this process wait for a slot. */
  readonly isWanted: boolean
}

/** The slots that a process holds of a limit. */
export interface SlotLease {
  readonly slots: number
  /** True while the process waits for more than it was given. */
  readonly wanted: boolean
}

/** The result of a request. */
export interface SlotGrant extends SlotLease {
  /** Slots that this process may use; fewer than it holds while it makes room for others. */
  readonly usable: number
  /** True while calls of other processes wait for a slot. */
  readonly isContested: boolean
}

/** Slots that stay with a process that makes calls beyond those in use, for its next call. */
const spareSlots = 1

/**
 * Divides a limit between a process and the leases of the others. Slots in use stay with their process, also beyond the
 * limit, as those of calls that it has taken over. Of the free ones, a process that wants more gets half. While others wait
 * for some, a process uses at most its equal share; where that is less than one slot, whoever has held one lets it go.
 */
export const grantSlots = (
  { hadSlots, isWanted, limit, used }: Omit<SlotRequest, "resource">,
  others: ReadonlyArray<SlotLease>
): SlotGrant => {
  const free = Math.max(0, limit - used - others.reduce((sum, { slots }) => sum + slots, 0))
  const isContested = others.some(({ wanted }) => wanted)
  const users = 1 + others.filter(({ slots, wanted }) => slots > 0 || wanted).length
  const share = limit < users ? (hadSlots ? 0 : 1) : Math.ceil(limit / users)
  const spare = used > 0 && !isContested ? spareSlots : 0
  const extra = isWanted ? Math.max(spareSlots, Math.ceil(free / 2)) : spare
  const slots = used + Math.min(free, extra, isContested ? Math.max(0, share - used) : free)
  return {
    slots,
    usable: isContested ? Math.min(slots, share) : slots,
    wanted: isWanted && slots === used,
    isContested
  }
}

/**
 * Leases of call slots for processes that share the stores. Null, the default, for a process that has all slots for
 * itself.
 */
export class SlotLeases extends Context.Reference<SlotLeases>()("@trunkline/telephony/SlotLeases", {
  defaultValue: (): SlotLeases.Service | null => null
}) {}

export declare namespace SlotLeases {
  /** Leases of call slots. */
  export interface Service {
    /** Settles each request by `grantSlots` against the leases of the other processes, one process at a time. */
    readonly settle: (requests: ReadonlyArray<SlotRequest>) => Effect.Effect<ReadonlyArray<SlotGrant>>
    /** Names of the limits of which this process holds slots, or waits for some. */
    readonly limitNames: Effect.Effect<ReadonlyArray<string>>
    /** Interval at which leases are settled again, in real time. */
    readonly every: Duration.Duration
  }
}
