import { type CampaignId, type PhoneNumber, rollbackable, type Scope, scopeKey } from "@trunkline/kernel"
import { Effect } from "effect"
import { type AttemptOutcome, noOutcomes } from "../../contacts/AttemptOutcome.js"
import type { Contact, ContactListing, ContactState, SeatedContact } from "../../contacts/Contact.js"
import type { RosterCursor } from "../Roster.js"
import { DueQueue, type QueueItem } from "./DueQueue.js"

/** An enrolled contact, in the queue while it waits. */
interface Member extends QueueItem {
  contact: Contact
}

const minuteMillis = 60_000

/** The contacts of one campaign. Each change can be rolled back. */
export class MemoryCampaign {
  readonly #members = new Map<PhoneNumber, Member>()
  /** Members by seat; seats begin at 1. */
  readonly #seats: Array<Member> = []
  readonly #queue = new DueQueue<Member>()
  readonly #minutes = new Map<number, number>()
  readonly contacts: Record<ContactState, number> = { waiting: 0, calling: 0, finished: 0 }
  readonly outcomes: Record<AttemptOutcome, number> = { ...noOutcomes }
  taken = 0
  cursor: RosterCursor | null = null
  stopCursor: RosterCursor | null = null
  lastDial: number | null = null
  /** The workspace that owns the campaign; null before its first claim. */
  scope: Scope | null = null

  constructor(readonly id: CampaignId) {}

  /** True once it has been claimed for in this workspace. */
  isOf(scope: Scope): boolean {
    return this.scope !== null && scopeKey(this.scope) === scopeKey(scope)
  }

  find(number: PhoneNumber): Contact | undefined {
    return this.#members.get(number)?.contact
  }

  get nextDue(): number | null {
    return this.#queue.first?.due ?? null
  }

  get lastDue(): number | null {
    return this.#queue.lastDue
  }

  ready(now: number, limit: number): ReadonlyArray<Contact> {
    return this.#queue.ready(now, limit).map(({ contact }) => contact)
  }

  /** Adds a contact whose number is not enrolled yet. */
  readonly add = (contact: Contact): Effect.Effect<void> =>
    rollbackable(() => {
      const member: Member = { seat: this.#seats.length + 1, due: contact.due_at, index: -1, contact }
      this.#members.set(contact.user_phone_number, member)
      this.#seats.push(member)
      this.#enter(member)
      return () => {
        this.#leave(member)
        this.#seats.pop()
        this.#members.delete(contact.user_phone_number)
      }
    })

  /** Replaces a contact by its newer version. */
  readonly replace = (after: Contact): Effect.Effect<void> =>
    Effect.suspend(() => {
      const member = this.#members.get(after.user_phone_number)
      return member === undefined ? Effect.void : rollbackable(() => {
        const before = member.contact
        this.#become(member, after)
        return () => this.#become(member, before)
      })
    })

  readonly count = (outcome: AttemptOutcome): Effect.Effect<void> =>
    rollbackable(() => {
      this.outcomes[outcome] += 1
      return () => {
        this.outcomes[outcome] -= 1
      }
    })

  readonly dialled = (at: number, dials: number): Effect.Effect<void> =>
    rollbackable(() => {
      const key = Math.floor(at / minuteMillis) * minuteMillis
      const { lastDial } = this
      const before = this.#minutes.get(key) ?? 0
      this.#minutes.set(key, before + dials)
      this.lastDial = Math.max(at, lastDial ?? at)
      return () => {
        this.#minutes.set(key, before)
        this.lastDial = lastDial
      }
    })

  minutes(since: number) {
    return Array.from(this.#minutes, ([key, dials]) => ({ minute: key, dials }))
      .filter(({ dials, minute }) => minute >= since && dials > 0)
      .sort((a, b) => a.minute - b.minute)
  }

  /** Stores a position in the roster or the stop files. */
  readonly advance = (
    change: { readonly cursor: RosterCursor; readonly taken: number } | { readonly stopCursor: RosterCursor }
  ): Effect.Effect<void> =>
    rollbackable(() => {
      const { cursor, stopCursor, taken } = this
      Object.assign(this, change)
      return () => void Object.assign(this, { cursor, stopCursor, taken })
    })

  list({ after, before, limit, reason, search, state }: ContactListing): ReadonlyArray<SeatedContact> {
    const contacts: Array<SeatedContact> = []
    const backwards = before !== null
    const step = backwards ? -1 : 1
    const last = this.#seats.length
    let seat = backwards ? Math.min(before, last + 1) - 1 : (after ?? 0) + 1
    for (; seat >= 1 && seat <= last && contacts.length < limit; seat += step) {
      const contact = this.#seats[seat - 1]?.contact
      if (contact === undefined) continue
      const matches = (state === null || contact.state === state) &&
        (reason === null || contact.decision.reason === reason) &&
        (search === "" || contact.user_phone_number === search || contact.user_identifier === search)
      if (matches) contacts.push({ seat, contact })
    }
    return backwards ? contacts.reverse() : contacts
  }

  #become(member: Member, contact: Contact): void {
    this.#leave(member)
    member.contact = contact
    this.#enter(member)
  }

  #enter(member: Member): void {
    this.contacts[member.contact.state] += 1
    if (member.contact.state === "waiting") this.#queue.add(member, member.contact.due_at)
  }

  #leave(member: Member): void {
    this.contacts[member.contact.state] -= 1
    this.#queue.remove(member)
  }
}
