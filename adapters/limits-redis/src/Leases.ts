import type { Bucket, TakeResult } from "@trunkline/rate-limits"
import type { Grant } from "./TakeScript.js"

/** Takes up to `want` units from a bucket, at least one; undefined when nobody could be asked. */
export type Fetch = (
  ask: { readonly key: string; readonly bucket: Bucket; readonly want: number },
  done: (grant: Grant | undefined) => void
) => void

type Answer = (taken: TakeResult | undefined) => void

interface Lease {
  /** Units that may be served. */
  left: number
  /** How many units the last fetch wanted beside those that were asked for, and one. */
  size: number
  /** When the last fetch began, in milliseconds of `now`. */
  since: number
  grant: Grant
  waiting: Array<Answer>
  fetching: boolean
}

/** The largest lease is what refills in this long, and never more than this many units (reliability 2.2). */
const leasedMicros = 250_000
const mostLeased = 32

/** A lease is served for this long (reliability 2.2). */
const lifeMillis = 1_000

/** A lease that is used up sooner than this makes the next one twice as large. */
const briskMillis = 250

/** Leases that are kept; beyond it the oldest goes, with what is left of it. */
const mostKept = 10_000

const nothing: Grant = { at: 0, granted: 0, remaining: 0, retryAfter: 0, resetAfter: 0 }

/** How many units may be taken ahead for a bucket; 1 means none but those that are asked for. */
export const largestLease = ({ burst, interval }: Bucket): number =>
  Math.max(1, Math.min(mostLeased, Math.floor(leasedMicros / interval), burst))

/**
 * Units that were taken ahead, so that not every decision is a round trip.
 *
 * The first lease of a bucket is one unit. One that is used up within 250 ms makes the next twice as large, up to
 * `largestLease`; one that is not used up within 1 s is lost, and the next is one unit again. So what is lost follows
 * how much is asked for in this process, and not how many processes there are.
 */
export class Leases {
  readonly #kept = new Map<string, Lease>()
  readonly #fetch: Fetch
  readonly #now: () => number

  constructor(options: {
    readonly fetch: Fetch
    /** Milliseconds that never go back. */
    readonly now: () => number
  }) {
    this.#fetch = options.fetch
    this.#now = options.now
  }

  /** Serves from the lease when it holds as many units. */
  serve(key: string, cost: number): TakeResult | undefined {
    const lease = this.#kept.get(key)
    if (lease === undefined || lease.left < cost) return undefined
    const age = this.#now() - lease.since
    if (age >= lifeMillis) return undefined
    return served(lease, cost, Math.floor(age * 1000))
  }

  /** Answers one unit's ask by the next fetch, which everyone shares who asks before it is sent. */
  join(key: string, bucket: Bucket, answer: Answer): void {
    const lease = this.#kept.get(key) ?? this.#open(key)
    lease.waiting.push(answer)
    this.#refill(key, bucket, lease)
  }

  #open(key: string): Lease {
    const lease = { left: 0, size: 1, since: -Infinity, grant: nothing, waiting: [], fetching: false }
    this.#kept.set(key, lease)
    return lease
  }

  #refill(key: string, bucket: Bucket, lease: Lease): void {
    if (lease.fetching) return
    lease.fetching = true
    queueMicrotask(() => {
      const now = this.#now()
      lease.size = nextSize(lease, now, largestLease(bucket))
      lease.since = now
      lease.left = 0
      this.#keep(key, lease, now)
      const asking = lease.waiting.splice(0)
      this.#fetch({ key, bucket, want: asking.length + lease.size - 1 }, (grant) => {
        lease.fetching = false
        if (grant === undefined) {
          for (const answer of asking.concat(lease.waiting.splice(0))) answer(undefined)
          return
        }
        lease.grant = grant
        lease.left = grant.granted
        const late = lease.waiting.splice(0)
        for (const answer of asking) answer(lease.left > 0 ? served(lease, 1, 0) : refused(grant, bucket))
        for (const answer of late) {
          if (lease.left > 0) answer(served(lease, 1, 0))
          else lease.waiting.push(answer)
        }
        if (lease.waiting.length > 0) this.#refill(key, bucket, lease)
      })
    })
  }

  /** Makes it the newest of those that are kept, and forgets the oldest where they are over or too many. */
  #keep(key: string, lease: Lease, now: number): void {
    this.#kept.delete(key)
    this.#kept.set(key, lease)
    for (const [oldest, { since }] of this.#kept) {
      if (now - since < lifeMillis && this.#kept.size <= mostKept) return
      this.#kept.delete(oldest)
    }
  }
}

const nextSize = (lease: Lease, now: number, largest: number): number => {
  const age = now - lease.since
  if (age >= lifeMillis) return 1
  return Math.min(age < briskMillis ? lease.size * 2 : lease.size, largest)
}

const served = (lease: Lease, cost: number, sinceGrant: number): TakeResult => {
  lease.left -= cost
  const { at, remaining, resetAfter } = lease.grant
  return {
    admitted: true,
    remaining: remaining + lease.left,
    retryAfter: 0,
    resetAfter: Math.max(0, resetAfter - sinceGrant),
    at: at + sinceGrant
  }
}

const refused = ({ at, remaining, resetAfter }: Grant, { burst, interval }: Bucket): TakeResult => ({
  admitted: false,
  remaining,
  retryAfter: resetAfter + interval * (1 - burst),
  resetAfter,
  at
})
