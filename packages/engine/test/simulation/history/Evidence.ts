import type { CampaignSeen, Happening, Of } from "./History.js"

/** All that a history holds of one attempt, each kind in order. */
export interface AttemptEvidence {
  readonly id: string
  readonly recorded: ReadonlyArray<Of<"recorded">>
  readonly claimed: ReadonlyArray<Of<"claimed">>
  readonly withdrawn: ReadonlyArray<Of<"withdrawn">>
  readonly accepted: ReadonlyArray<Of<"accepted">>
  readonly ended: ReadonlyArray<Of<"ended">>
  readonly queued: ReadonlyArray<Of<"queued">>
  readonly asked: ReadonlyArray<Of<"asked">>
  readonly told: ReadonlyArray<Of<"told">>
  readonly dialled: ReadonlyArray<Of<"dialled">>
  readonly answered: ReadonlyArray<Of<"answered">>
  readonly hungUp: ReadonlyArray<Of<"hung up">>
  readonly talked: ReadonlyArray<Of<"talked">>
  readonly posted: ReadonlyArray<Of<"posted">>
}

/** A history, sorted by what its happenings are about. */
export class Evidence {
  readonly #kinds: ReadonlyMap<string, ReadonlyArray<Happening>>
  readonly #campaigns: ReadonlyMap<string, ReadonlyArray<Of<"campaign">>>
  readonly attempts: ReadonlyMap<string, AttemptEvidence>
  readonly contacts: ReadonlyMap<string, ReadonlyArray<Of<"contact">>>
  readonly limits: Of<"limits"> | null

  constructor(readonly happenings: ReadonlyArray<Happening>) {
    this.#kinds = groups(happenings, ({ kind }) => kind)
    const attempts = groups(happenings, (happening) => "attempt" in happening ? happening.attempt : null)
    this.attempts = new Map(Array.from(attempts, ([id, about]) => [id, attemptOf(id, about)]))
    this.#campaigns = groups(this.all("campaign"), ({ campaign }) => campaign.id)
    this.contacts = groups(this.all("contact"), ({ campaign, number }) => contactKey(campaign, number))
    this.limits = this.all("limits")[0] ?? null
  }

  /** Everything of one kind. */
  all<K extends Happening["kind"]>(kind: K): ReadonlyArray<Of<K>> {
    return of(this.#kinds.get(kind) ?? [], kind)
  }

  /** The campaigns there were. */
  get campaignIds(): ReadonlyArray<string> {
    return [...this.#campaigns.keys()]
  }

  /** Everything that was committed of a campaign. */
  versions(campaign: string): ReadonlyArray<Of<"campaign">> {
    return this.#campaigns.get(campaign) ?? []
  }

  /** A campaign as it was when this place of the history was reached. */
  campaignAt(campaign: string, seq: number): CampaignSeen | null {
    return this.versions(campaign).findLast((version) => version.seq <= seq)?.campaign ?? null
  }

  /** Whether the engine died between two places of the history. */
  crashedBetween(from: number, to: number): boolean {
    return this.all("crashed").some(({ seq }) => seq > from && seq < to)
  }
}

/** What a person of a campaign is found by. */
export const contactKey = (campaign: string, number: string): string => `${campaign} ${number}`

const of = <K extends Happening["kind"]>(happenings: ReadonlyArray<Happening>, kind: K): ReadonlyArray<Of<K>> =>
  happenings.filter((happening): happening is Of<K> => happening.kind === kind)

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

const attemptOf = (id: string, about: ReadonlyArray<Happening>): AttemptEvidence => ({
  id,
  recorded: of(about, "recorded"),
  claimed: of(about, "claimed"),
  withdrawn: of(about, "withdrawn"),
  accepted: of(about, "accepted"),
  ended: of(about, "ended"),
  queued: of(about, "queued"),
  asked: of(about, "asked"),
  told: of(about, "told"),
  dialled: of(about, "dialled"),
  answered: of(about, "answered"),
  hungUp: of(about, "hung up"),
  talked: of(about, "talked"),
  posted: of(about, "posted")
})
