import { type AttemptId, type CampaignId, MemoryTable, type PhoneNumber, trusted } from "@trunkline/kernel"
import { Array, Context, Effect, HashMap, Layer, Option, Order, RedBlackTree } from "effect"
import { Contact, type ContactState } from "./Contact.js"
import type { RetryCounters } from "./RetryPolicy.js"
import type { RosterCursor } from "./Roster.js"

/** How many people of a campaign are where. */
export type ContactCounts = Readonly<Record<ContactState, number>>

/** Keeps who is called when. Every write joins the running transaction. */
export class DispatchStore extends Context.Tag("@trunkline/campaigns/DispatchStore")<DispatchStore, {
  /** Adds people, leaving out numbers that the campaign has already, and remembers how far the roster has been read. */
  readonly enrol: (
    campaign: CampaignId,
    contacts: ReadonlyArray<Contact>,
    cursor: RosterCursor
  ) => Effect.Effect<void>
  /** How far the roster has been read. */
  readonly cursor: (campaign: CampaignId) => Effect.Effect<RosterCursor | null>
  /** The person who has waited longest: by due time, then in roster order. */
  readonly nextWaiting: (campaign: CampaignId) => Effect.Effect<Option.Option<Contact>>
  /** From `waiting` to `calling`; false when they are not waiting any more. */
  readonly claim: (options: {
    readonly campaign_id: CampaignId
    readonly user_phone_number: PhoneNumber
    readonly attempt_id: AttemptId
    readonly from: PhoneNumber
  }) => Effect.Effect<boolean>
  /** From `calling` with this attempt to `waiting` with a new due time, or to `finished` without one. */
  readonly settle: (options: {
    readonly campaign_id: CampaignId
    readonly user_phone_number: PhoneNumber
    readonly attempt_id: AttemptId
    readonly next: { readonly due_at: number; readonly counters: RetryCounters } | null
  }) => Effect.Effect<void>
  /** From `calling` with this attempt back to `waiting`, as if it had never been claimed: it was not dialled. */
  readonly release: (options: {
    readonly campaign_id: CampaignId
    readonly user_phone_number: PhoneNumber
    readonly attempt_id: AttemptId
  }) => Effect.Effect<void>
  /** From `waiting` to `finished` because they were stopped; who does not wait stays as they are. */
  readonly stop: (campaign: CampaignId, numbers: ReadonlyArray<PhoneNumber>) => Effect.Effect<void>
  /** How far the stop files have been read. */
  readonly stopCursor: (campaign: CampaignId) => Effect.Effect<RosterCursor | null>
  /** Remembers how far the stop files have been read. */
  readonly setStopCursor: (campaign: CampaignId, cursor: RosterCursor) => Effect.Effect<void>
  readonly find: (campaign: CampaignId, number: PhoneNumber) => Effect.Effect<Option.Option<Contact>>
  readonly counts: (campaign: CampaignId) => Effect.Effect<ContactCounts>
}>() {
  /** Keeps contacts in memory. */
  static readonly layerMemory = Layer.sync(DispatchStore, () => {
    const contacts = MemoryTable.make<string, Contact>()
    const queues = MemoryTable.make<CampaignId, WaitingQueue>()
    const key = (campaign: CampaignId, number: PhoneNumber) => `${campaign} ${number}`
    const queueOf = (campaign: CampaignId) => queues.get(campaign) ?? emptyQueue

    const change = (before: Contact | undefined, after: Contact) =>
      Effect.zipRight(
        contacts.set(key(after.campaign_id, after.user_phone_number), after),
        queues.set(after.campaign_id, moved(queueOf(after.campaign_id), before, after))
      )

    return DispatchStore.of({
      enrol: (campaign, people, cursor) =>
        Effect.forEach(
          people,
          (contact) =>
            contacts.has(key(campaign, contact.user_phone_number)) ? Effect.void : change(undefined, contact),
          { discard: true }
        ).pipe(Effect.zipRight(Effect.suspend(() => queues.set(campaign, { ...queueOf(campaign), cursor })))),
      cursor: (campaign) => Effect.sync(() => queueOf(campaign).cursor),
      nextWaiting: (campaign) =>
        Effect.sync(() =>
          Option.flatMap(
            RedBlackTree.first(queueOf(campaign).waiting),
            ([_place, number]) => Option.fromNullable(contacts.get(key(campaign, number)))
          )
        ),
      claim: ({ attempt_id, campaign_id, from, user_phone_number }) =>
        Effect.suspend(() => {
          const contact = contacts.get(key(campaign_id, user_phone_number))
          if (contact?.state !== "waiting") return Effect.succeed(false)
          return Effect.as(change(contact, calledFrom(contact, attempt_id, from)), true)
        }),
      settle: ({ attempt_id, campaign_id, next, user_phone_number }) =>
        Effect.suspend(() => {
          const contact = contacts.get(key(campaign_id, user_phone_number))
          return contact?.attempt_id === attempt_id ? change(contact, settled(contact, next)) : Effect.void
        }),
      release: ({ attempt_id, campaign_id, user_phone_number }) =>
        Effect.suspend(() => {
          const contact = contacts.get(key(campaign_id, user_phone_number))
          return contact?.attempt_id === attempt_id ? change(contact, released(contact)) : Effect.void
        }),
      stop: (campaign, numbers) =>
        Effect.suspend(() => {
          const waiting = Array.filterMap(
            new Set(numbers),
            (number) =>
              Option.fromNullable(contacts.get(key(campaign, number))).pipe(
                Option.filter(({ state }) => state === "waiting")
              )
          )
          return Effect.forEach(waiting, (contact) => change(contact, stopped(contact)), { discard: true })
        }),
      stopCursor: (campaign) => Effect.sync(() => queueOf(campaign).stopCursor),
      setStopCursor: (campaign, stopCursor) =>
        Effect.suspend(() => queues.set(campaign, { ...queueOf(campaign), stopCursor })),
      find: (campaign, number) => Effect.sync(() => Option.fromNullable(contacts.get(key(campaign, number)))),
      counts: (campaign) => Effect.sync(() => queueOf(campaign).counts)
    })
  })
}

/** A contact who is now on the phone. */
export const calledFrom = (contact: Contact, attempt_id: AttemptId, from: PhoneNumber): Contact =>
  new Contact({
    ...contact,
    state: "calling",
    attempt_id,
    attempts: contact.attempts + 1,
    called_from: [...contact.called_from, from]
  }, trusted)

/** A contact whose claimed attempt was never dialled. */
export const released = (contact: Contact): Contact =>
  new Contact({
    ...contact,
    state: "waiting",
    attempt_id: null,
    attempts: contact.attempts - 1,
    called_from: contact.called_from.slice(0, -1)
  }, trusted)

/** A contact whose call is over. */
export const settled = (
  contact: Contact,
  next: { readonly due_at: number; readonly counters: RetryCounters } | null
): Contact =>
  new Contact({
    ...contact,
    attempt_id: null,
    ...(next === null
      ? { state: "finished" }
      : { state: "waiting", due_at: next.due_at, counters: next.counters })
  }, trusted)

/** A contact who waited, and is not to be called any more. */
export const stopped = (contact: Contact): Contact =>
  new Contact({ ...contact, state: "finished", finished_because: "stopped" }, trusted)

/** Where someone stands in the line: due time first, then the order of arrival. */
type Place = readonly [due: number, order: number]

/** The people of one campaign who wait, and how many are where. Immutable, so that a transaction can be undone. */
interface WaitingQueue {
  readonly waiting: RedBlackTree.RedBlackTree<Place, PhoneNumber>
  readonly places: HashMap.HashMap<PhoneNumber, Place>
  readonly arrivals: number
  readonly counts: ContactCounts
  readonly cursor: RosterCursor | null
  readonly stopCursor: RosterCursor | null
}

const emptyQueue: WaitingQueue = {
  waiting: RedBlackTree.empty(Order.tuple(Order.number, Order.number)),
  places: HashMap.empty(),
  arrivals: 0,
  counts: { waiting: 0, calling: 0, finished: 0 },
  cursor: null,
  stopCursor: null
}

const moved = (queue: WaitingQueue, before: Contact | undefined, after: Contact): WaitingQueue => {
  const number = after.user_phone_number
  const counts = { ...queue.counts }
  if (before !== undefined) counts[before.state] -= 1
  counts[after.state] += 1
  const left = Option.match(HashMap.get(queue.places, number), {
    onNone: () => queue,
    onSome: (place) => ({
      ...queue,
      waiting: RedBlackTree.removeFirst(queue.waiting, place),
      places: HashMap.remove(queue.places, number)
    })
  })
  if (after.state !== "waiting") return { ...left, counts }
  const place: Place = [after.due_at, queue.arrivals]
  return {
    ...left,
    counts,
    waiting: RedBlackTree.insert(left.waiting, place, number),
    places: HashMap.set(left.places, number, place),
    arrivals: queue.arrivals + 1
  }
}
