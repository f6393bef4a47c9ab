import { CampaignStore, type Contact, ContactStore, DialQueue } from "@trunkline/campaigns"
import { AttemptId, CampaignId, findOne, type PageRequest, type PhoneNumber } from "@trunkline/kernel"
import { type Attempt, AttemptStore, BlockedNumbersStore } from "@trunkline/telephony"
import { Outbox, OutboxRow } from "@trunkline/webhooks"
import { Context, Effect, Option, Schema } from "effect"
import { scope } from "../../Fixtures.js"
import type { EventData } from "../history/History.js"
import { attemptEvents, parseWebhook, snapshotCampaign } from "./Snapshots.js"
import type { StoreCall, Stores } from "./Stores.js"
import type { World } from "./World.js"

/** All campaigns of a run. */
const page: PageRequest = { limit: 100, offset: 0, sort_by: "created_at", sort_order: "asc", search: "" }

const isRow = Schema.is(OutboxRow)
const named = Schema.is(Schema.Struct({ attempt_id: Schema.String }))

/** The stores that change contacts. */
const contactStores = [ContactStore.key, DialQueue.key]

/** Records the changes of the stores after every commit. It reads the stores directly, independent of the engine. */
export class Journal {
  readonly #attempts = new Map<string, Attempt>()
  readonly #contacts = new Map<string, Contact>()
  readonly #campaigns = new Map<string, string>()
  readonly #touched = new Set<string>()
  readonly #written = new Set<string>()
  #rows: ReadonlyArray<OutboxRow> = []
  #blocked: ReadonlySet<string> = new Set()
  #pending: ReadonlyArray<EventData> = []

  constructor(
    readonly world: World,
    readonly stores: Context.Context<Stores>,
    /** Phone numbers of all contacts. */
    readonly numbers: ReadonlyArray<PhoneNumber>
  ) {}

  /** Notes a write, which may still be rolled back. */
  onWrite({ args: [first], store }: StoreCall): void {
    this.#written.add(store)
    const changed: ReadonlyArray<unknown> = Array.isArray(first) ? first : [first]
    for (const one of changed) {
      if (store === AttemptStore.key) {
        if (typeof one === "string") this.#touched.add(one)
        else if (named(one)) this.#touched.add(one.attempt_id)
      }
      if (store === Outbox.key && isRow(one)) this.#rows = [...this.#rows, one]
    }
  }

  /** Adds an event that is recorded if the transaction commits. */
  note(message: EventData): void {
    this.#pending = [...this.#pending, message]
  }

  /** Discards the writes of a rolled back transaction. */
  onRollback(): void {
    this.#rows = []
    this.#pending = []
    this.#touched.clear()
  }

  /** Records the changes that a process has committed. */
  onCommit(life: number): void {
    const pending = this.#pending
    this.#pending = []
    const changes = [
      ...pending,
      ...this.#attemptChanges(),
      ...this.#webhookChanges(),
      ...(this.#written.has(CampaignStore.key) ? this.#campaignChanges() : []),
      ...(this.#written.has(BlockedNumbersStore.key) ? this.#blockedChanges() : []),
      ...(contactStores.some((store) => this.#written.has(store)) ? this.#contactChanges() : [])
    ]
    this.#written.clear()
    for (const change of changes) this.world.add(change, life)
  }

  /** Number of campaigns that are not over, and of attempts without a result. */
  get unfinished(): number {
    const open = Effect.runSync(Context.get(this.stores, CampaignStore).open)
    const attempts = Effect.runSync(Context.get(this.stores, AttemptStore).unfinished)
    return open.length + attempts.length
  }

  #attemptChanges(): ReadonlyArray<EventData> {
    const store = Context.get(this.stores, AttemptStore)
    const touched = [...this.#touched]
    this.#touched.clear()
    return touched.flatMap((id): ReadonlyArray<EventData> => {
      const before = this.#attempts.get(id) ?? null
      const after = Option.getOrNull(Effect.runSync(findOne(store.findMany, AttemptId.make(id))))
      if (after !== null) this.#attempts.set(id, after)
      else this.#attempts.delete(id)
      if (after !== null) return attemptEvents(before, after)
      return before === null ? [] : [{ kind: "withdrawn", attempt: id }]
    })
  }

  #webhookChanges(): ReadonlyArray<EventData> {
    const rows = this.#rows
    this.#rows = []
    return rows.map(({ body, webhook_id }) => ({ kind: "queued", webhook: webhook_id, ...parseWebhook(body) }))
  }

  #campaignChanges(): ReadonlyArray<EventData> {
    const store = Context.get(this.stores, CampaignStore)
    const all = Effect.runSync(store.list(scope, page, null))
    return all.items.flatMap((item): ReadonlyArray<EventData> => {
      const campaign = snapshotCampaign(item)
      const text = JSON.stringify(campaign)
      if (this.#campaigns.get(campaign.id) === text) return []
      this.#campaigns.set(campaign.id, text)
      return [{ kind: "campaign", campaign }]
    })
  }

  #blockedChanges(): ReadonlyArray<EventData> {
    const rows = Effect.runSync(Context.get(this.stores, BlockedNumbersStore).find(scope, this.numbers))
    const now = new Set<string>(rows.map(({ phone_number }) => phone_number))
    const before = this.#blocked
    this.#blocked = now
    const added = [...now].filter((number) => !before.has(number))
    const removed = [...before].filter((number) => !now.has(number))
    return [
      ...(added.length > 0 ? [{ kind: "blocked" as const, numbers: added }] : []),
      ...(removed.length > 0 ? [{ kind: "unblocked" as const, numbers: removed }] : [])
    ]
  }

  #contactChanges(): ReadonlyArray<EventData> {
    const store = Context.get(this.stores, ContactStore)
    return [...this.#campaigns.keys()].flatMap((campaign) =>
      this.numbers.flatMap((number): ReadonlyArray<EventData> => {
        const contact = Option.getOrNull(Effect.runSync(store.find(CampaignId.make(campaign), number)))
        if (contact === null) return []
        const { attempt_id, attempts, due_at, state } = contact
        const key = `${campaign} ${number}`
        if (this.#contacts.get(key) === contact) return []
        this.#contacts.set(key, contact)
        return [{ kind: "contact", campaign, number, state, due: due_at, attempts, attempt: attempt_id }]
      })
    )
  }
}
