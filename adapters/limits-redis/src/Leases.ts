import type { Bucket, TakeResult } from "@trunkline/rate-limits"
import type { LeaseGrant } from "./LuaScripts.js"

/** Takes up to `want` units, at least one, from a bucket; calls back with undefined when Redis is unavailable. */
type Fetch = (
  request: { readonly key: string; readonly bucket: Bucket; readonly want: number },
  onGrant: (grant: LeaseGrant | undefined) => void
) => void

type Callback = (result: TakeResult | undefined) => void

interface Lease {
  /** Remaining units. */
  remaining: number
  /** Size of the last lease: units fetched beyond the pending requests, plus one. */
  size: number
  /** Start of the last fetch, in milliseconds of `now`. */
  since: number
  grant: LeaseGrant
  waiting: Array<Callback>
  fetching: boolean
}

/** Limits of a lease: the refill of this time, and this number of units. */
const maxLeaseMicros = 250_000
const maxLeaseUnits = 32

/** Lifetime of a lease. */
const lifetimeMillis = 1_000

/** A lease used up within this time doubles the next one. */
const growWithinMillis = 250

/** Maximum number of leases; beyond it the oldest is dropped with its remaining units. */
const maxLeases = 10_000

const emptyGrant: LeaseGrant = { at: 0, granted: 0, remaining: 0, retryAfter: 0, resetAfter: 0 }

/** Maximum lease of a bucket in units; 1 means that nothing is leased ahead. */
export const largestLease = ({ burst, interval }: Bucket): number =>
  Math.max(1, Math.min(maxLeaseUnits, Math.floor(maxLeaseMicros / interval), burst))

/**
 * Units leased ahead, so that not every decision needs a round trip.
 *
 * The first lease of a bucket is one unit. A lease that is used up within 250 ms doubles the next one, up to
 * `largestLease`; a lease that is not used up within 1 s is lost, and the next one is one unit again. Losses therefore
 * follow the demand of this process, not the number of processes.
 */
export class Leases {
  readonly #leases = new Map<string, Lease>()
  readonly #fetch: Fetch
  readonly #now: () => number

  constructor(options: {
    readonly fetch: Fetch
    /** Monotonic time in milliseconds. */
    readonly now: () => number
  }) {
    this.#fetch = options.fetch
    this.#now = options.now
  }

  /** Serves a request from the lease; undefined when it has too few units or has expired. */
  serve(key: string, cost: number): TakeResult | undefined {
    const lease = this.#leases.get(key)
    if (lease === undefined || lease.remaining < cost) return undefined
    const age = this.#now() - lease.since
    if (age >= lifetimeMillis) return undefined
    return admit(lease, cost, Math.floor(age * 1000))
  }

  /** Requests one unit from the next fetch, which is shared by all requests made before it is sent. */
  join(key: string, bucket: Bucket, callback: Callback): void {
    const lease = this.#leases.get(key) ?? this.#open(key)
    lease.waiting.push(callback)
    this.#refill(key, bucket, lease)
  }

  #open(key: string): Lease {
    const lease = { remaining: 0, size: 1, since: -Infinity, grant: emptyGrant, waiting: [], fetching: false }
    this.#leases.set(key, lease)
    return lease
  }

  #refill(key: string, bucket: Bucket, lease: Lease): void {
    if (lease.fetching) return
    lease.fetching = true
    queueMicrotask(() => {
      const now = this.#now()
      lease.size = nextSize(lease, now, largestLease(bucket))
      lease.since = now
      lease.remaining = 0
      this.#keep(key, lease, now)
      const callbacks = lease.waiting.splice(0)
      this.#fetch({ key, bucket, want: callbacks.length + lease.size - 1 }, (grant) => {
        lease.fetching = false
        if (grant === undefined) {
          for (const callback of callbacks.concat(lease.waiting.splice(0))) callback(undefined)
          return
        }
        lease.grant = grant
        lease.remaining = grant.granted
        const lateCallbacks = lease.waiting.splice(0)
        for (const callback of callbacks) callback(lease.remaining > 0 ? admit(lease, 1, 0) : reject(grant, bucket))
        for (const callback of lateCallbacks) {
          if (lease.remaining > 0) callback(admit(lease, 1, 0))
          else lease.waiting.push(callback)
        }
        if (lease.waiting.length > 0) this.#refill(key, bucket, lease)
      })
    })
  }

  /** Makes a lease the newest and drops the oldest ones that have expired or are too many. */
  #keep(key: string, lease: Lease, now: number): void {
    this.#leases.delete(key)
    this.#leases.set(key, lease)
    for (const [oldest, { since }] of this.#leases) {
      if (now - since < lifetimeMillis && this.#leases.size <= maxLeases) return
      this.#leases.delete(oldest)
    }
  }
}

const nextSize = (lease: Lease, now: number, max: number): number => {
  const age = now - lease.since
  if (age >= lifetimeMillis) return 1
  return Math.min(age < growWithinMillis ? lease.size * 2 : lease.size, max)
}

const admit = (lease: Lease, cost: number, sinceGrant: number): TakeResult => {
  lease.remaining -= cost
  const { at, remaining, resetAfter } = lease.grant
  return {
    isAdmitted: true,
    remaining: remaining + lease.remaining,
    retryAfter: 0,
    resetAfter: Math.max(0, resetAfter - sinceGrant),
    at: at + sinceGrant
  }
}

const reject = ({ at, remaining, resetAfter }: LeaseGrant, { burst, interval }: Bucket): TakeResult => ({
  isAdmitted: false,
  remaining,
  retryAfter: resetAfter + interval * (1 - burst),
  resetAfter,
  at
})
