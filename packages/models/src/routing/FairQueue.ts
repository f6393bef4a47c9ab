import { ModelRateLimited } from "@trunkline/errors"
import { bracketNow, ensurePull, flatMapNow, mapNow, suspendSource, unwrapSource } from "@trunkline/kernel"
import { Deferred, Duration, Effect, FiberId } from "effect"
import type { Model } from "../LanguageModel.js"

/** Size of a queue. */
export interface QueueOptions {
  /** Requests served at once. */
  readonly concurrency: number
  /** Slots that one tenant may hold at once. Default: nine tenths of `concurrency`, at least one. */
  readonly perTenant?: number
  /** Requests that may wait for a slot. */
  readonly waiting: number
  /** Time that a request waits at most. */
  readonly timeout: Duration.DurationInput
}

/** A ticket of one request: its slot is acquired once and released once. */
export interface QueueTicket {
  /** Waits for a slot; fails if there is none in time. */
  readonly acquire: () => Effect.Effect<void, ModelRateLimited>
  /** Releases the slot, or leaves the queue. Must run whatever the outcome of `acquire`. */
  readonly release: () => void
}

/** A request that waits for its slot. */
interface Waiter {
  readonly admit: () => void
  readonly reject: () => void
}

/** Slots and waiting requests of a tenant, the longest waiting first. */
class Tenant {
  slots = 0
  readonly waiters = new Set<Waiter>()

  constructor(readonly maxSlots: number) {}

  get load(): number {
    return this.slots + this.waiters.size
  }

  get hasFreeSlot(): boolean {
    return this.slots < this.maxSlots
  }
}

/**
 * Makes a fair queue for slots that tenants share. A free slot goes to the waiting tenant that holds the fewest slots,
 * round-robin among equals, and there to the request that waits longest. When the queue is full, a tenant displaces the
 * latest request of the tenant with the most slots and waiting requests, if that one has at least two more. No tenant
 * may hold all slots, since answers can take minutes; requests without a tenant (null) may. The result makes tickets.
 */
const makeFairQueue = (
  { concurrency, timeout, perTenant = Math.max(1, Math.floor(concurrency * 0.9)), waiting }: QueueOptions
): (tenant: string | null) => QueueTicket => {
  const retryAfter = Duration.decode(timeout)
  const rateLimited = (message: string) => new ModelRateLimited({ message, retryAfter })
  const full = rateLimited("Too many requests wait for the model already")
  /** Tenants with a slot or a waiting request; the waiting ones in round-robin order. */
  const tenants = new Map<string | null, Tenant>()
  let free = concurrency
  let waitingCount = 0

  const moveToBack = (name: string | null, tenant: Tenant) => {
    tenants.delete(name)
    tenants.set(name, tenant)
  }

  /** Hands free slots on at once, so that a request that arrives meanwhile does not overtake a waiting one. */
  const admitNext = () => {
    while (free > 0) {
      let next: Tenant | undefined
      for (const tenant of tenants.values()) {
        const isCandidate = tenant.waiters.size > 0 && tenant.hasFreeSlot
        if (isCandidate && tenant.slots < (next?.slots ?? Infinity)) next = tenant
      }
      const [first] = next?.waiters ?? []
      if (first === undefined) return
      first.admit()
    }
  }

  /** Displaces a request from a full queue for a tenant with this load; false where that would not be fairer. */
  const displaceLatest = (load: number): boolean => {
    let busiest: Tenant | undefined
    for (const tenant of tenants.values()) {
      if (tenant.waiters.size > 0 && tenant.load >= (busiest?.load ?? load + 2)) busiest = tenant
    }
    const latest = Array.from(busiest?.waiters ?? []).at(-1)
    latest?.reject()
    return latest !== undefined
  }

  return (name) => {
    const admission = Deferred.unsafeMake<void, ModelRateLimited>(FiberId.none)
    let tenant: Tenant | undefined
    let hasSlot = false

    const take = (tenant: Tenant) => {
      free -= 1
      tenant.slots += 1
      hasSlot = true
    }

    const wait = (tenant: Tenant) => {
      const leaveQueue = () => {
        if (tenant.waiters.delete(waiter)) waitingCount -= 1
      }
      const waiter: Waiter = {
        admit: () => {
          leaveQueue()
          take(tenant)
          moveToBack(name, tenant)
          Deferred.unsafeDone(admission, Effect.void)
        },
        reject: () => {
          leaveQueue()
          Deferred.unsafeDone(admission, full)
        }
      }
      if (tenant.waiters.size === 0) moveToBack(name, tenant)
      tenant.waiters.add(waiter)
      waitingCount += 1
      return Effect.timeoutFail(Deferred.await(admission), {
        duration: timeout,
        onTimeout: () => rateLimited("The model had no time for the request within the time it may wait")
      }).pipe(Effect.onExit(() => Effect.sync(leaveQueue)))
    }

    return {
      acquire: () => {
        tenant = tenants.get(name) ?? new Tenant(name === null ? concurrency : perTenant)
        if (free > 0 && tenant.hasFreeSlot) {
          take(tenant)
          tenants.set(name, tenant)
          return Effect.void
        }
        return waitingCount < waiting || displaceLatest(tenant.load) ? wait(tenant) : full
      },
      release: () => {
        if (tenant === undefined) return
        if (hasSlot) {
          tenant.slots -= 1
          free += 1
        }
        if (tenant.load === 0 && tenants.get(name) === tenant) tenants.delete(name)
        admitNext()
      }
    }
  }
}

/**
 * Limits how many answers a model gives at once. Tenants share the slots by fair queueing, and each tenant's requests
 * are served in order (see `makeFairQueue`). A stream holds its slot until it ends or is abandoned. A request that
 * finds the queue full, is displaced, or has waited for `timeout` fails with `ModelRateLimited`, whose `retryAfter` is
 * that timeout. Interrupted requests leave the queue at once. Put it around `withRetries`, so that a request keeps its
 * slot meanwhile.
 *
 * @example
 * const model = withQueue(inner, { concurrency: 16, waiting: 64, timeout: "10 seconds" })
 */
export const withQueue = (model: Model, options: QueueOptions): Model => {
  const makeTicket = makeFairQueue(options)
  return {
    generate: (request) =>
      bracketNow(() => {
        const { acquire, release } = makeTicket(request.origin?.tenant ?? null)
        return { work: () => flatMapNow(acquire(), () => model.generate(request)), end: release }
      }),
    stream: (request) =>
      suspendSource(() => {
        const { acquire, release } = makeTicket(request.origin?.tenant ?? null)
        const answer = suspendSource(() => unwrapSource(mapNow(acquire(), () => model.stream(request))))
        return ensurePull(answer, Effect.sync(release))
      })
  }
}
