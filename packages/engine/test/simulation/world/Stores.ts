import { AfterCallJobs } from "@trunkline/after-call"
import { CallRecords } from "@trunkline/analytics"
import { CampaignStore, DispatchStores } from "@trunkline/campaigns"
import { CohortStore } from "@trunkline/cohorts"
import { AttemptStore, BlockedNumbersStore, CallEventStore, CallJournalStore } from "@trunkline/telephony"
import { FactsLog } from "@trunkline/warehouse"
import { Outbox, RetiredSecretStore } from "@trunkline/webhooks"
import { Context, Effect, Layer } from "effect"

/** Stores that survive crashes of the engine. */
export const stores = Layer.mergeAll(
  AfterCallJobs.layerMemory,
  AttemptStore.layerMemory,
  BlockedNumbersStore.layerMemory,
  CallEventStore.layerMemory,
  CallJournalStore.layerMemory,
  CampaignStore.layerMemory,
  CohortStore.layerMemory,
  DispatchStores.layerMemory,
  Outbox.layerMemory,
  RetiredSecretStore.layerMemory,
  CallRecords.layerMemory,
  FactsLog.layerMemory
)
export type Stores = Layer.Layer.Success<typeof stores>

/** Call of a method of a store. */
export interface StoreCall {
  /** The store, by the key of its tag. */
  readonly store: string
  readonly method: string
  readonly args: ReadonlyArray<unknown>
}

/** Names of methods that only read. */
const reads =
  /^(find|filter|list|count|total|cursor|stopCursor|ready|next|last|onThePhone|minutes|dialsOf|open|unfinished|of|callOf|users|tally|is|pending|expected|since|read|get|stands|has)/i

/** Wraps every write of every store. */
export const wrapWrites = <S>(
  context: Context.Context<S>,
  around: (call: StoreCall) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
): Context.Context<S> =>
  Context.unsafeMake(
    new Map(Array.from(context.unsafeMap, ([store, service]) => [store, wrapped(store, service, around)]))
  )

const wrapped = (
  store: string,
  service: object,
  around: (call: StoreCall) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
) =>
  new Proxy(service, {
    get: (target, property) => {
      const member: unknown = Reflect.get(target, property)
      const method = String(property)
      if (reads.test(method)) return member
      if (Effect.isEffect(member)) return around({ store, method, args: [] })(member)
      if (typeof member !== "function") return member
      return (...args: ReadonlyArray<unknown>) => {
        const made: unknown = Reflect.apply(member, target, args)
        return Effect.isEffect(made) ? around({ store, method, args })(made) : made
      }
    }
  })
