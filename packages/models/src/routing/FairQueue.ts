import { ModelRateLimited } from "@trunkline/errors"
import { Deferred, Duration, Effect, FiberId, Stream } from "effect"
import type { Model } from "../LanguageModel.js"
import { unwrapStream } from "./DeltaStream.js"

/** Size of a queue and of what is behind it. */
export interface QueueOptions {
  /** Requests that are served at once. */
  readonly concurrency: number
  /** Places that one tenant may hold at once. Default: nine tenths of them, but at least one. */
  readonly perTenant?: number
  /** Requests that may wait for a place. */
  readonly waiting: number
  /** Time that a request waits at most. */
  readonly timeout: Duration.DurationInput
}

/** One visit: a place is asked for once, and given back once. */
export interface Ticket {
  /** Comes to an end when there is a place, and fails when there will be none in time. */
  readonly acquire: Effect.Effect<void, ModelRateLimited>
  /** Gives the place back, or leaves the queue. To be run whatever becomes of `enter`. */
  readonly release: Effect.Effect<void>
}

/** A visit that waits for its place. */
interface Waiter {
  readonly admit: () => void
  readonly reject: () => void
}

/** A tenant's places and waiting requests, the longest waiting first. */
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
 * Makes places that tenants share by fair queueing. A free place goes to the waiting tenant that holds the fewest places,
 * round-robin among equals, and there to the request that waits longest. When the queue is full, a tenant displaces the
 * latest request of the tenant with the most places and waiting requests, if that one has at least two more. No tenant may
 * hold all places, since answers can take minutes; requests without a tenant (null) may. The result makes visits.
 */
export const makeFairQueue = (
  { concurrency, timeout: patience, perTenant = Math.max(1, Math.floor(concurrency * 0.9)), waiting }: QueueOptions
): (tenant: string | null) => Ticket => {
  const retryAfter = Duration.decode(patience)
  const refused = (message: string) => new ModelRateLimited({ message, retryAfter })
  const full = refused("Too many requests wait for the model already")
  /** Tenants with a place or a waiting request; the waiting ones in round-robin order. */
  const tenants = new Map<string | null, Tenant>()
  let free = concurrency
  let waitingCount = 0

  const moveToBack = (name: string | null, tenant: Tenant) => {
    tenants.delete(name)
    tenants.set(name, tenant)
  }

  /** Hands free places on at once, so that a request that arrives meanwhile does not overtake a waiting one. */
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
    let most: Tenant | undefined
    for (const tenant of tenants.values()) {
      if (tenant.waiters.size > 0 && tenant.load >= (most?.load ?? load + 2)) most = tenant
    }
    const latest = Array.from(most?.waiters ?? []).at(-1)
    latest?.reject()
    return latest !== undefined
  }

  return (name) => {
    const called = Deferred.unsafeMake<void, ModelRateLimited>(FiberId.none)
    let tenant: Tenant | undefined
    let isInside = false

    const take = (tenant: Tenant) => {
      free -= 1
      tenant.slots += 1
      isInside = true
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
          Deferred.unsafeDone(called, Effect.void)
        },
        reject: () => {
          leaveQueue()
          Deferred.unsafeDone(called, full)
        }
      }
      if (tenant.waiters.size === 0) moveToBack(name, tenant)
      tenant.waiters.add(waiter)
      waitingCount += 1
      return Effect.timeoutFail(Deferred.await(called), {
        duration: patience,
        onTimeout: () => refused("The model had no time for the request within the time it may wait")
      }).pipe(Effect.onExit(() => Effect.sync(leaveQueue)))
    }

    return {
      acquire: Effect.suspend(() => {
        tenant = tenants.get(name) ?? new Tenant(name === null ? concurrency : perTenant)
        if (free > 0 && tenant.hasFreeSlot) {
          take(tenant)
          tenants.set(name, tenant)
          return Effect.void
        }
        return waitingCount < waiting || displaceLatest(tenant.load) ? wait(tenant) : full
      }),
      release: Effect.sync(() => {
        if (tenant === undefined) return
        if (isInside) {
          tenant.slots -= 1
          free += 1
        }
        if (tenant.load === 0 && tenants.get(name) === tenant) tenants.delete(name)
        admitNext()
      })
    }
  }
}

/**
 * Limits how many answers a model gives at once. Tenants share the places by fair queueing, and each tenant's requests are
 * served in order (see `makePlaces`). A stream counts until it ends or is abandoned. A request that finds the queue full,
 * is displaced, or has waited for `patience` fails with `ModelRateLimited`, whose `retryAfter` is that patience. Interrupted
 * requests leave the queue at once. Put it around `retrying`, so that retries do not wait outside the queue.
 */
export const withQueue = (model: Model, options: QueueOptions): Model => {
  const makeVisit = makeFairQueue(options)
  return {
    generate: (request) =>
      Effect.suspend(() => {
        const { acquire: enter, release: leave } = makeVisit(request.origin?.tenant ?? null)
        return Effect.ensuring(Effect.zipRight(enter, model.generate(request)), leave)
      }),
    stream: (request) =>
      Stream.suspend(() => {
        const { acquire: enter, release: leave } = makeVisit(request.origin?.tenant ?? null)
        return Stream.ensuring(unwrapStream(Effect.map(enter, () => model.stream(request))), leave)
      })
  }
}
