import { ModelRateLimited } from "@trunkline/errors"
import { Deferred, Duration, Effect, FiberId } from "effect"

/** How many are let in, and who may wait. */
export interface QueueOptions {
  /** How many have a place at once. */
  readonly concurrency: number
  /** How many places one tenant may have at once; default nine tenths of them, or the only one. */
  readonly perTenant?: number
  /** How many wait for one at most. */
  readonly waiting: number
  /** How long each of them waits. */
  readonly patience: Duration.DurationInput
}

/** One visit: a place is asked for once, and given back once. */
export interface Visit {
  /** Comes to an end when there is a place, and fails when there will be none in time. */
  readonly enter: Effect.Effect<void, ModelRateLimited>
  /** Gives the place back, or leaves the queue. To be run whatever becomes of `enter`. */
  readonly leave: Effect.Effect<void>
}

/** A visit that waits for its place. */
interface Waiter {
  readonly call: () => void
  readonly refuse: () => void
}

/** What a tenant has of the places and of the queue; whoever waits longest is the first of its waiters. */
class Tenant {
  places = 0
  readonly waiters = new Set<Waiter>()

  constructor(readonly mostPlaces: number) {}

  get load(): number {
    return this.places + this.waiters.size
  }

  get mayEnter(): boolean {
    return this.places < this.mostPlaces
  }
}

/**
 * Places that tenants share fairly (fair queueing). A free place goes to the tenant who has the fewest, in turn where
 * several have as few, and there to whoever waits longest. When the queue is full, the latest of the tenant with the most
 * places and waiters is turned away for one who has at least two fewer. No tenant has all places, so that those of the
 * others need not wait for answers of hours; requests of nobody in particular (null) may. The result makes visits.
 */
export const makePlaces = (
  { concurrency, patience, perTenant = Math.max(1, Math.floor(concurrency * 0.9)), waiting }: QueueOptions
): (tenant: string | null) => Visit => {
  const retryAfter = Duration.decode(patience)
  const refused = (message: string) => new ModelRateLimited({ message, retryAfter })
  const full = refused("Too many requests wait for the model already")
  /** Those who have a place or wait for one; those who wait, in the order of their turns. */
  const tenants = new Map<string | null, Tenant>()
  let free = concurrency
  let queued = 0

  const lastInTurn = (name: string | null, tenant: Tenant) => {
    tenants.delete(name)
    tenants.set(name, tenant)
  }

  /** Calls whoever is next, as long as there is a place for somebody, so that nobody who comes meanwhile takes it first. */
  const callNext = () => {
    while (free > 0) {
      let next: Tenant | undefined
      for (const tenant of tenants.values()) {
        const isCandidate = tenant.waiters.size > 0 && tenant.mayEnter
        if (isCandidate && tenant.places < (next?.places ?? Infinity)) next = tenant
      }
      const [first] = next?.waiters ?? []
      if (first === undefined) return
      first.call()
    }
  }

  /** Turns somebody away from a full queue for a tenant who has so much; false where that would be no fairer. */
  const makeRoom = (load: number): boolean => {
    let most: Tenant | undefined
    for (const tenant of tenants.values()) {
      if (tenant.waiters.size > 0 && tenant.load >= (most?.load ?? load + 2)) most = tenant
    }
    const latest = Array.from(most?.waiters ?? []).at(-1)
    latest?.refuse()
    return latest !== undefined
  }

  return (name) => {
    const called = Deferred.unsafeMake<void, ModelRateLimited>(FiberId.none)
    let tenant: Tenant | undefined
    let isInside = false

    const take = (tenant: Tenant) => {
      free -= 1
      tenant.places += 1
      isInside = true
    }

    const wait = (tenant: Tenant) => {
      const leaveQueue = () => {
        if (tenant.waiters.delete(waiter)) queued -= 1
      }
      const waiter: Waiter = {
        call: () => {
          leaveQueue()
          take(tenant)
          lastInTurn(name, tenant)
          Deferred.unsafeDone(called, Effect.void)
        },
        refuse: () => {
          leaveQueue()
          Deferred.unsafeDone(called, full)
        }
      }
      if (tenant.waiters.size === 0) lastInTurn(name, tenant)
      tenant.waiters.add(waiter)
      queued += 1
      return Effect.timeoutFail(Deferred.await(called), {
        duration: patience,
        onTimeout: () => refused("The model had no time for the request within the time it may wait")
      }).pipe(Effect.onExit(() => Effect.sync(leaveQueue)))
    }

    return {
      enter: Effect.suspend(() => {
        tenant = tenants.get(name) ?? new Tenant(name === null ? concurrency : perTenant)
        if (free > 0 && tenant.mayEnter) {
          take(tenant)
          tenants.set(name, tenant)
          return Effect.void
        }
        return queued < waiting || makeRoom(tenant.load) ? wait(tenant) : full
      }),
      leave: Effect.sync(() => {
        if (tenant === undefined) return
        if (isInside) {
          tenant.places -= 1
          free += 1
        }
        if (tenant.load === 0 && tenants.get(name) === tenant) tenants.delete(name)
        callNext()
      })
    }
  }
}
