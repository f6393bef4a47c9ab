import { ModelRateLimited } from "@trunkline/errors"
import { Deferred, Duration, Effect, FiberId, Stream } from "effect"
import type { Model } from "../LanguageModel.js"
import { unwrapped } from "./DeltaStream.js"

/** Size of a queue and of what is behind it. */
export interface QueueOptions {
  /** Requests that are served at once. */
  readonly concurrency: number
  /** Places that one tenant may hold at once. Default: nine tenths of them, but at least one. */
  readonly perTenant?: number
  /** Requests that may wait for a place. */
  readonly waiting: number
  /** Time that a request waits at most. */
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

/** A tenant's places and waiting requests, the longest waiting first. */
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
 * Makes places that tenants share by fair queueing. A free place goes to the waiting tenant that holds the fewest places,
 * round-robin among equals, and there to the request that waits longest. When the queue is full, a tenant displaces the
 * latest request of the tenant with the most places and waiting requests, if that one has at least two more. No tenant may
 * hold all places, since answers can take minutes; requests without a tenant (null) may. The result makes visits.
 */
export const makePlaces = (
  { concurrency, patience, perTenant = Math.max(1, Math.floor(concurrency * 0.9)), waiting }: QueueOptions
): (tenant: string | null) => Visit => {
  const retryAfter = Duration.decode(patience)
  const refused = (message: string) => new ModelRateLimited({ message, retryAfter })
  const full = refused("Too many requests wait for the model already")
  /** Tenants with a place or a waiting request; the waiting ones in round-robin order. */
  const tenants = new Map<string | null, Tenant>()
  let free = concurrency
  let queued = 0

  const lastInTurn = (name: string | null, tenant: Tenant) => {
    tenants.delete(name)
    tenants.set(name, tenant)
  }

  /** Hands free places on at once, so that a request that arrives meanwhile does not overtake a waiting one. */
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

  /** Displaces a request from a full queue for a tenant with this load; false where that would not be fairer. */
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

/**
 * Limits how many answers a model gives at once. Tenants share the places by fair queueing, and each tenant's requests are
 * served in order (see `makePlaces`). A stream counts until it ends or is abandoned. A request that finds the queue full,
 * is displaced, or has waited for `patience` fails with `ModelRateLimited`, whose `retryAfter` is that patience. Interrupted
 * requests leave the queue at once. Put it around `retrying`, so that retries do not wait outside the queue.
 */
export const queued = (model: Model, options: QueueOptions): Model => {
  const makeVisit = makePlaces(options)
  return {
    generate: (request) =>
      Effect.suspend(() => {
        const { enter, leave } = makeVisit(request.origin?.tenant ?? null)
        return Effect.ensuring(Effect.zipRight(enter, model.generate(request)), leave)
      }),
    stream: (request) =>
      Stream.suspend(() => {
        const { enter, leave } = makeVisit(request.origin?.tenant ?? null)
        return Stream.ensuring(unwrapped(Effect.map(enter, () => model.stream(request))), leave)
      })
  }
}
