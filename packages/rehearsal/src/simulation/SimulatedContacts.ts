import {
  type Conclusion,
  DueQueue,
  GateReason,
  noRetries,
  type QueueItem,
  type RetryCounters
} from "@trunkline/campaigns"
import type { PhoneNumber } from "@trunkline/kernel"
import { type ContactBytes, contactBytes } from "../report/ContactBytes.js"
import type { ListedContact } from "./ContactSource.js"

/** A contact that waits or is in a call; `due` is when its next call may be made. */
export interface SimulatedContact extends QueueItem {
  /** Position of the contact in the list, from 1. */
  readonly person: number
  /** Calls made so far. */
  attempts: number
  counters: RetryCounters
  /** Reason of the last decision about the contact. */
  since: GateReason
  /** The numbers that the contact was called from, when the campaign rotates its numbers. */
  calledFrom: ReadonlyArray<PhoneNumber>
  /** The moments at which the contact was called, when there is a daily cap. */
  dialledAt: ReadonlyArray<number>
}

/** Contacts enrolled at a time, as by the engine. */
const batchSize = 500

const noNumbers: ReadonlyArray<PhoneNumber> = []
const noMoments: ReadonlyArray<number> = []

/**
 * The contacts of a simulation. Contacts are enrolled as the campaign needs them; of those that are finished only one
 * byte is kept, the reason.
 */
export class SimulatedContacts {
  readonly #queue = new DueQueue<SimulatedContact>()
  /** By person: the final reason from 1, in the order of `GateReason`; {@link waitingMark} until then. */
  readonly #reasons: ContactBytes = contactBytes()
  readonly #numbers = new Set<PhoneNumber>()
  #ahead: ReadonlyArray<ListedContact> = []
  #isRead = false
  #waiting = 0
  #calling = 0
  #enrolled = 0
  /** Contacts that were read from the list, including those that are not enrolled yet. */
  read = 0
  /** The last contact that was enrolled, by its position in the list. */
  lastPerson = 0
  /** Contacts that were enrolled, including repeated numbers, which are left out. */
  taken = 0

  /** True when the next page of the list is needed to enrol contacts, or to know whether there are any. */
  needsPage(purpose: "enrol" | "look"): boolean {
    return !this.#isRead && this.#ahead.length < (purpose === "enrol" ? batchSize : 1)
  }

  /** Adds the next page of the list; an empty one is its end. */
  addPage(page: ReadonlyArray<ListedContact>): void {
    const first = this.read + 1
    this.#ahead = [...this.#ahead, ...page.map((contact, index) => ({ person: first + index, ...contact }))]
    this.#isRead = page.length === 0
    this.read += page.length
  }

  /** True when every contact of the list is enrolled and finished. */
  get isExhausted(): boolean {
    return this.isIdle && this.#isRead && this.#ahead.length === 0
  }

  /** True while no contact waits or is in a call. */
  get isIdle(): boolean {
    return this.#waiting + this.#calling === 0
  }

  /** Number of contacts that are in a call. */
  get calling(): number {
    return this.#calling
  }

  /** When the first waiting contact is due; null when none waits. */
  get nextDue(): number | null {
    return this.#queue.first?.due ?? null
  }

  /** Enrols the next contacts, due now; returns their number with repeated ones. */
  enrol(now: number): number {
    const batch = this.#ahead.slice(0, batchSize)
    this.#ahead = this.#ahead.slice(batchSize)
    for (const { person = 0, user_phone_number } of batch) {
      if (user_phone_number !== null && this.#numbers.has(user_phone_number)) continue
      if (user_phone_number !== null) this.#numbers.add(user_phone_number)
      this.#enrolled += 1
      this.lastPerson = person
      this.#reasons.set(person, waitingMark)
      this.#wait(this.#makeContact(person), now)
    }
    this.taken += batch.length
    return batch.length
  }

  /** The waiting contacts that are due, in order. */
  ready(now: number, limit: number): ReadonlyArray<SimulatedContact> {
    return this.#queue.ready(now, limit)
  }

  /** A waiting contact is called. */
  call(contact: SimulatedContact): void {
    this.#leave(contact)
    this.#calling += 1
    contact.attempts += 1
    contact.since = "allowed"
  }

  /** A waiting contact waits until another moment. */
  defer(contact: SimulatedContact, due: number, since: GateReason): void {
    this.#leave(contact)
    contact.since = since
    this.#wait(contact, due)
  }

  /** A waiting contact is finished without a call. */
  refuse(contact: SimulatedContact, reason: GateReason): void {
    this.#leave(contact)
    this.#finish(contact, reason)
  }

  /** A call is over: the contact waits for the next one, or is finished. */
  settle(contact: SimulatedContact, { decision, next }: Conclusion): void {
    this.#calling -= 1
    if (next === null) return this.#finish(contact, decision.reason)
    contact.counters = next.counters
    contact.since = decision.reason
    this.#wait(contact, next.due_at)
  }

  /** Why a contact is finished, `waiting` while it is not; null when it was not enrolled. */
  stateOf(person: number): GateReason | "waiting" | null {
    const byte = this.#reasons.get(person)
    return byte === waitingMark ? "waiting" : GateReason.literals[byte - 1] ?? null
  }

  /** A contact that is not in the queue waits. */
  #wait(contact: SimulatedContact, due: number): void {
    this.#waiting += 1
    this.#queue.add(contact, due)
  }

  #leave(contact: SimulatedContact): void {
    this.#waiting -= 1
    this.#queue.remove(contact)
  }

  #finish({ person }: SimulatedContact, reason: GateReason): void {
    this.#reasons.set(person, GateReason.literals.indexOf(reason) + 1)
  }

  #makeContact(person: number): SimulatedContact {
    return {
      index: -1,
      seat: this.#enrolled,
      due: 0,
      person,
      attempts: 0,
      counters: noRetries,
      since: "new",
      calledFrom: noNumbers,
      dialledAt: noMoments
    }
  }
}

/** The byte of contacts that are enrolled and not finished. */
const waitingMark = 255
