import { type Contact, newContact } from "@trunkline/campaigns"
import { type CampaignId, CohortId, PhoneNumber, type Processes, StoreBusy } from "@trunkline/kernel"
import { Credits } from "@trunkline/rate-limits"
import { Array, type Context, Effect, Layer, Option, type Scope as EffectScope } from "effect"
import type { Stores } from "../StoresSql.js"
import type { ProcessLayer } from "./Processes.laws.js"

/** Stores and credits of one of four processes. */
export type Abilities = Credits | Processes | Stores

/** Them, as a process has built them. */
export type Services = Context.Context<Abilities>

/** Micro-credits for a character of `talk`. */
export const price = 3

/** The phone number of a contact. */
export const numberOf = (index: number) => PhoneNumber.make(`+91${9_876_500_000 + index}`)

/** Contacts of a campaign, all due at the moment 100. */
export const contactsOf = (campaign_id: CampaignId, count: number): ReadonlyArray<Contact> =>
  Array.makeBy(count, (index) =>
    newContact(campaign_id, {
      user_phone_number: numberOf(index),
      user_identifier: `user-${index}`,
      cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
      agent_variables: {},
      app_overrides: {}
    }, 100))

/** Four processes on a database of their own, and a service of the first one. */
export const joinFour = <E>(database: Effect.Effect<ProcessLayer<E>, never, EffectScope.Scope>) =>
  Effect.flatMap(database, (layer) =>
    Effect.all(
      Array.makeBy(
        4,
        () =>
          Layer.build(Layer.fresh(Layer.provideMerge(Credits.layer({ prices: { talk: { character: price } } }), layer)))
      ),
      { concurrency: 1 }
    )).pipe(Effect.orDie)

/** Runs an effect in each process, all at the same time. */
export const inEach = <A>(
  processes: ReadonlyArray<Services>,
  work: (process: number) => Effect.Effect<A, never, Abilities>
): Effect.Effect<ReadonlyArray<A>> =>
  Effect.forEach(processes, (services, process) => Effect.provide(work(process), services), {
    concurrency: "unbounded"
  })

/** Runs an effect in the first process. */
export const inFirst = <A, E>(processes: ReadonlyArray<Services>, work: Effect.Effect<A, E, Abilities>) =>
  Effect.flatMap(
    Effect.orDie(Array.head(processes)),
    (services) => Effect.orDie(Effect.provide(work, services))
  )

/**
 * Repeats work that a store has given up, of which nothing was done: on a busy machine, transactions that meet each other may
 * take longer than a store waits.
 */
export const untilStored = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchSomeDefect(work, (defect) => defect instanceof StoreBusy ? Option.some(untilStored(work)) : Option.none())

/** Repeats an effect until it finds nothing more; returns all that it has found. */
export const untilNone = <A, R>(
  find: Effect.Effect<ReadonlyArray<A>, never, R>
): Effect.Effect<ReadonlyArray<A>, never, R> =>
  Effect.flatMap(
    find,
    (items) => items.length === 0 ? Effect.succeed([]) : Effect.map(untilNone(find), (more) => [...items, ...more])
  )
