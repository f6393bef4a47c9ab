/** A campaign as the store holds it from some moment on. Moments are epoch milliseconds of business time. */
export interface CampaignSeen {
  readonly id: string
  readonly status: "scheduled" | "active" | "paused" | "ended" | "cancelled"
  readonly start: number
  readonly end: number
  /** Dials a second. */
  readonly rate: number
  readonly lines: ReadonlyArray<{ readonly connection: string; readonly numbers: ReadonlyArray<string> }>
  readonly window: {
    readonly start: string
    readonly end: string
    readonly days: ReadonlyArray<string>
    readonly timezone: string
  }
  readonly retries: RetriesSeen | null
  /** Whether its attempts are posted to a receiver. */
  readonly webhook: boolean
}

/** Some key of a retry policy with a counter of its own. */
interface OwnCounter {
  readonly enabled: boolean
  readonly max: number
  readonly minutes: number
}

/** A retry policy. */
export interface RetriesSeen {
  readonly max: number
  readonly minutes: number | ReadonlyArray<number>
  readonly busy: boolean
  readonly noAnswer: boolean
  readonly failed: boolean
  /** Below how many seconds a call counts as short; null where that is not looked at. */
  readonly short: number | null
  readonly provider: OwnCounter
  readonly internal: OwnCounter
}

/** What a result says happened, and what comes next. */
export interface ResultSeen {
  readonly completion: string
  readonly connectivity: string | null
  readonly next: string | null
}

/** What an attempt is to do. */
export interface IntentSeen {
  readonly attempt: string
  /** Null for a single call. */
  readonly campaign: string | null
  readonly number: string
  readonly from: string
  readonly connection: string
  /** Attempts for this person before this one. */
  readonly retry: number
  /** Whether its end is posted to a receiver. */
  readonly webhook: boolean
}

/** How a call came to its end at the provider. */
export type CallEnd = "busy" | "no_answer" | "failed" | "cancelled" | "talked" | "dropped"

/** Whose commit an event is, or who saw it happen. */
export type What =
  // The world of the run.
  | {
    readonly kind: "limits"
    /** Calls that the workspace holds at once. */
    readonly workspace: number
    readonly channels: Readonly<Record<string, number>>
    /** Whether the provider can be asked what became of a dial, so that none has to stay unknown for long. */
    readonly dedupe: "key" | "lookup" | "none"
  }
  | { readonly kind: "started" }
  | { readonly kind: "crashed"; readonly where: string }
  /** The clocks that the engine reads were set: forward, or back when this is negative. */
  | { readonly kind: "clock"; readonly by: number }
  | { readonly kind: "over"; readonly undelivered: ReadonlyArray<string> }
  // What the stores hold, in the order of their commits.
  | { readonly kind: "campaign"; readonly campaign: CampaignSeen }
  | { readonly kind: "people"; readonly campaign: string; readonly numbers: ReadonlyArray<string> }
  | { readonly kind: "stopped"; readonly campaign: string; readonly numbers: ReadonlyArray<string> }
  | { readonly kind: "blocked"; readonly numbers: ReadonlyArray<string> }
  | { readonly kind: "unblocked"; readonly numbers: ReadonlyArray<string> }
  | {
    readonly kind: "contact"
    readonly campaign: string
    readonly number: string
    readonly state: "waiting" | "calling" | "finished"
    readonly due: number
    readonly attempts: number
    readonly attempt: string | null
  }
  | (IntentSeen & { readonly kind: "recorded" })
  | (IntentSeen & { readonly kind: "claimed" })
  | { readonly kind: "withdrawn"; readonly attempt: string }
  | { readonly kind: "accepted"; readonly attempt: string; readonly call: string }
  | (ResultSeen & {
    readonly kind: "ended"
    readonly attempt: string
    readonly reason: string | null
    /** How long they talked; null when they did not. */
    readonly seconds: number | null
  })
  | (ResultSeen & {
    readonly kind: "queued"
    readonly webhook: string
    readonly attempt: string
    readonly hash: string
  })
  // The provider's own journal.
  | {
    readonly kind: "asked"
    readonly attempt: string
    readonly number: string
    readonly from: string
    readonly connection: string
  }
  | { readonly kind: "told"; readonly attempt: string; readonly answer: "taken" | "refused" | "broken" | "late" }
  | { readonly kind: "dialled"; readonly attempt: string; readonly call: string; readonly connection: string }
  | { readonly kind: "answered"; readonly attempt: string; readonly call: string }
  | { readonly kind: "hung up"; readonly attempt: string; readonly call: string; readonly how: CallEnd }
  // What the agent remembers of a conversation.
  | {
    readonly kind: "talked"
    readonly attempt: string
    readonly done: boolean
    readonly reschedule: number | null
    readonly business: boolean
    readonly fault: boolean
  }
  // The receiver's own journal.
  | (ResultSeen & {
    readonly kind: "posted"
    readonly webhook: string
    readonly attempt: string
    readonly hash: string
    /** What it answered; null when no answer got through. */
    readonly status: number | null
  })
  // What an operator was told by the API.
  | {
    readonly kind: "acknowledged"
    readonly action: "create" | "pause" | "resume" | "cancel" | "patch"
    readonly campaign: CampaignSeen
  }
  | { readonly kind: "promised"; readonly attempt: string }

/** Something that happened in a run. */
export type Happening = What & {
  /** Its place in the history. */
  readonly seq: number
  /** By the clocks that the engine reads: epoch milliseconds of business time. They can be set. */
  readonly at: number
  /** Milliseconds since the run began. Nobody can set these. */
  readonly real: number
  /** Which life of the engine it happened in: 0 before the first. */
  readonly life: number
}

/** One kind of happening. */
export type Of<K extends What["kind"]> = Extract<Happening, { readonly kind: K }>

/**
 * Everything that happened in a run, in order. It only grows. What one commit has changed stands together: the attempts
 * first, then the webhooks, then the people.
 */
export class History {
  readonly #happenings: Array<Happening> = []

  /** Adds what has just happened. */
  add(what: What, moment: Pick<Happening, "at" | "life" | "real">): void {
    this.#happenings.push({ seq: this.#happenings.length, ...moment, ...what })
  }

  /** Everything so far. */
  get happenings(): ReadonlyArray<Happening> {
    return this.#happenings
  }

  /** A line of JSON for each: the same bytes for the same run. */
  get text(): string {
    return this.#happenings.map((happening) => JSON.stringify(happening)).join("\n")
  }
}
