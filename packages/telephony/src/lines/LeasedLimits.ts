import { retryForever } from "@trunkline/kernel"
import { Deferred, Effect, FiberId, Queue, type Scope } from "effect"
import type { SlotLeases, SlotRequest } from "./SlotLeases.js"
import type { SlotLimits } from "./SlotStates.js"

/** The limits of a process that shares them with others. */
export interface LeasedLimits extends SlotLimits {
  /** Asks for more slots of these resources at once; the result completes when that has been settled. */
  readonly ask: (resources: ReadonlyArray<LeasedResource>) => Effect.Effect<void>
}

/** A limit that processes share. */
export interface LeasedResource extends Pick<SlotRequest, "limit" | "resource"> {}

/** The slots of this process that belong to a resource. */
export interface ResourceUse {
  readonly used: number
  /** True while calls wait for one of them. */
  readonly hasWaiters: boolean
}

interface Leased {
  readonly limit: number
  usable: number
  /** True while other processes wait for slots. */
  isContested: boolean
  /** Round in which this process has held a slot last. */
  heldIn: number
  /** True from a call that found no slot until the next settlement. */
  isAsked: boolean
}

interface Question {
  readonly resources: ReadonlyArray<LeasedResource>
  readonly reply: Deferred.Deferred<void>
}

/** Where the limits are used. */
interface Users {
  readonly useOf: (resource: string) => ResourceUse
  /** Called when more calls may be able to begin. */
  readonly onGrown: () => void
}

/** Share of the slots in use that stay for the next calls while nobody else waits, so that few calls must ask for one. */
const reserveShare = 0.25

/** Rounds between two looks for slots of this process that nothing in it knows of. */
const lostRounds = 20

/** Rounds for which a process that has let the only slot go leaves it to others. */
const turnRounds = 2

/** The resources of the calls of a workspace and of a connection. */
export const totalOf = (workspace: string): string => `workspace ${workspace}`
export const outboundOf = (workspace: string): string => `outbound ${workspace}`
export const channelsOf = (connection: string): string => `connection ${connection}`

/**
 * Limits by leases: the slots that this process holds of each limit, in memory, which are settled with the other processes
 * when a call finds no slot, and from time to time.
 */
export const makeLeasedLimits = (
  leases: SlotLeases.Service,
  { onGrown, useOf }: Users
): Effect.Effect<LeasedLimits, never, Scope.Scope> =>
  Effect.gen(function*() {
    const ownLeases = new Map<string, Leased>()
    const questions = yield* Queue.unbounded<Question>()
    let round = 0

    const requestOf = (resource: string): ReadonlyArray<SlotRequest> => {
      const lease = ownLeases.get(resource)
      if (lease === undefined) return []
      const { hasWaiters, used: inUse } = useOf(resource)
      const used = inUse +
        (lease.isContested ? 0 : Math.min(Math.ceil(inUse * reserveShare), Math.max(0, lease.usable - inUse)))
      // No call begins on a slot that this settlement may give back.
      lease.usable = Math.min(lease.usable, used)
      return [{
        resource,
        limit: lease.limit,
        hadSlots: round - lease.heldIn < turnRounds,
        used,
        isWanted: lease.isAsked || hasWaiters
      }]
    }

    /** Settles resources, again while that lets waiting calls begin. */
    const settle = (names: ReadonlyArray<string>): Effect.Effect<void> =>
      Effect.suspend(() => {
        const requests = names.flatMap(requestOf)
        return requests.length === 0 ? Effect.void : Effect.flatMap(leases.settle(requests), (grants) => {
          for (const [index, { resource }] of requests.entries()) {
            const [ownLease, grant] = [ownLeases.get(resource), grants[index]]
            if (ownLease === undefined || grant === undefined) continue
            if (grant.slots > 0) ownLease.heldIn = round
            ownLease.usable = grant.usable
            ownLease.isContested = grant.isContested
            ownLease.isAsked = false
            if (grant.slots === 0 && !grant.wanted) ownLeases.delete(resource)
          }
          onGrown()
          const servedSlotRequests = requests.filter(({ resource, used }) => {
            const now = useOf(resource)
            return now.hasWaiters && now.used > used
          })
          return settle(servedSlotRequests.map(({ resource }) => resource))
        })
      })

    const note = ({ limit, resource }: LeasedResource): void => {
      const lease = ownLeases.get(resource)
      ownLeases.set(resource, { usable: 0, isContested: false, heldIn: -Infinity, ...lease, limit, isAsked: true })
    }

    /** Settles the resources of all questions that wait, in one step. */
    const answer = Effect.gen(function*() {
      const batch = yield* Queue.takeBetween(questions, 1, Infinity)
      const resources = [...batch].flatMap((question) => question.resources)
      for (const resource of resources) note(resource)
      yield* Effect.ensuring(
        settle(inOrder(resources.map(({ resource }) => resource))),
        Effect.forEach(batch, ({ reply }) => Deferred.succeed(reply, undefined), { discard: true })
      )
    })

    /** Resources of which slots were held at the last look that nothing here knew of. */
    let suspects: ReadonlySet<string> = new Set()

    /**
     * Notes slots that this process has taken over from a dead one, but that belong to no call of it, so that the next
     * settlement gives them back. Calls that are taken over know their slots by the second look.
     */
    const noteLost = Effect.map(leases.limitNames, (heldResources) => {
      const unknownResources = heldResources.filter((resource) => !ownLeases.has(resource))
      for (const resource of unknownResources.filter((one) => suspects.has(one))) {
        ownLeases.set(resource, { limit: 0, usable: 0, isContested: false, heldIn: -Infinity, isAsked: false })
      }
      suspects = new Set(unknownResources)
    })

    const again = Effect.zipRight(
      Effect.sleep(leases.every),
      Effect.suspend(() => {
        round += 1
        const settleAll = Effect.suspend(() => settle(inOrder(ownLeases.keys())))
        return round % lostRounds === 0 ? Effect.zipRight(noteLost, settleAll) : settleAll
      })
    )

    yield* Effect.forkScoped(retrySettling(Effect.forever(answer)))
    yield* Effect.forkScoped(retrySettling(Effect.forever(again)))
    const usable = (resource: string) => ownLeases.get(resource)?.usable ?? 0
    return {
      total: (workspace) => usable(totalOf(workspace)),
      outbound: (workspace) => usable(outboundOf(workspace)),
      channels: (connection) => usable(channelsOf(connection)),
      ask: (resources) => {
        const reply = Deferred.unsafeMake<void>(FiberId.none)
        questions.unsafeOffer({ resources, reply })
        return Deferred.await(reply)
      }
    }
  })

/** Processes settle resources in the same order, so that they never wait for each other in a circle. */
const inOrder = (resources: Iterable<string>): ReadonlyArray<string> => [...new Set(resources)].sort()

const retrySettling = retryForever({
  message: "Call slots could not be settled with the other processes",
  initialDelay: "250 millis",
  maxDelay: "5 seconds"
})
