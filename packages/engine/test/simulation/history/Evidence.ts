import type { CampaignSnapshot, EventOf, HistoryEvent } from "./History.js"

/** Events of one attempt, by kind and in order. */
export interface AttemptEvidence {
  readonly id: string
  readonly recorded: ReadonlyArray<EventOf<"recorded">>
  readonly claimed: ReadonlyArray<EventOf<"claimed">>
  readonly withdrawn: ReadonlyArray<EventOf<"withdrawn">>
  readonly accepted: ReadonlyArray<EventOf<"accepted">>
  readonly ended: ReadonlyArray<EventOf<"ended">>
  readonly queued: ReadonlyArray<EventOf<"queued">>
  readonly requested: ReadonlyArray<EventOf<"requested">>
  readonly responded: ReadonlyArray<EventOf<"responded">>
  readonly dialled: ReadonlyArray<EventOf<"dialled">>
  readonly answered: ReadonlyArray<EventOf<"answered">>
  readonly hungUp: ReadonlyArray<EventOf<"hung up">>
  readonly talked: ReadonlyArray<EventOf<"talked">>
  readonly posted: ReadonlyArray<EventOf<"posted">>
}

/** A history, indexed by kind, attempt, campaign and contact. */
export class Evidence {
  readonly #kinds: ReadonlyMap<string, ReadonlyArray<HistoryEvent>>
  readonly #campaigns: ReadonlyMap<string, ReadonlyArray<EventOf<"campaign">>>
  readonly attempts: ReadonlyMap<string, AttemptEvidence>
  readonly contacts: ReadonlyMap<string, ReadonlyArray<EventOf<"contact">>>
  readonly limits: EventOf<"limits"> | null

  constructor(readonly events: ReadonlyArray<HistoryEvent>) {
    this.#kinds = groups(events, ({ kind }) => kind)
    const attempts = groups(events, (event) => "attempt" in event ? event.attempt : null)
    this.attempts = new Map(Array.from(attempts, ([id, about]) => [id, attemptOf(id, about)]))
    this.#campaigns = groups(this.all("campaign"), ({ campaign }) => campaign.id)
    this.contacts = groups(this.all("contact"), ({ campaign, number }) => contactKey(campaign, number))
    this.limits = this.all("limits")[0] ?? null
  }

  /** Events of one kind. */
  all<K extends HistoryEvent["kind"]>(kind: K): ReadonlyArray<EventOf<K>> {
    return of(this.#kinds.get(kind) ?? [], kind)
  }

  /** Ids of all campaigns. */
  get campaignIds(): ReadonlyArray<string> {
    return [...this.#campaigns.keys()]
  }

  /** Committed versions of a campaign. */
  versions(campaign: string): ReadonlyArray<EventOf<"campaign">> {
    return this.#campaigns.get(campaign) ?? []
  }

  /** Version of a campaign at a position of the history. */
  campaignAt(campaign: string, seq: number): CampaignSnapshot | null {
    return this.versions(campaign).findLast((version) => version.seq <= seq)?.campaign ?? null
  }

  /** True when the engine crashed between two positions of the history. */
  crashedBetween(from: number, to: number): boolean {
    return this.all("crashed").some(({ seq }) => seq > from && seq < to)
  }
}

/** Key of a contact of a campaign. */
export const contactKey = (campaign: string, number: string): string => `${campaign} ${number}`

const of = <K extends HistoryEvent["kind"]>(events: ReadonlyArray<HistoryEvent>, kind: K): ReadonlyArray<EventOf<K>> =>
  events.filter((event): event is EventOf<K> => event.kind === kind)

const groups = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string | null): Map<string, Array<A>> => {
  const found = new Map<string, Array<A>>()
  for (const item of items) {
    const key = keyOf(item)
    if (key === null) continue
    const group = found.get(key)
    if (group === undefined) found.set(key, [item])
    else group.push(item)
  }
  return found
}

const attemptOf = (id: string, about: ReadonlyArray<HistoryEvent>): AttemptEvidence => ({
  id,
  recorded: of(about, "recorded"),
  claimed: of(about, "claimed"),
  withdrawn: of(about, "withdrawn"),
  accepted: of(about, "accepted"),
  ended: of(about, "ended"),
  queued: of(about, "queued"),
  requested: of(about, "requested"),
  responded: of(about, "responded"),
  dialled: of(about, "dialled"),
  answered: of(about, "answered"),
  hungUp: of(about, "hung up"),
  talked: of(about, "talked"),
  posted: of(about, "posted")
})
