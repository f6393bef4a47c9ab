/** Version of a campaign in the store. Times are epoch milliseconds of business time. */
export interface CampaignSnapshot {
  readonly id: string
  readonly status: "scheduled" | "active" | "paused" | "ended" | "cancelled"
  readonly start: number
  readonly end: number
  /** Dials per second. */
  readonly rate: number
  readonly lines: ReadonlyArray<{ readonly connection: string; readonly numbers: ReadonlyArray<string> }>
  readonly window: {
    readonly start: string
    readonly end: string
    readonly days: ReadonlyArray<string>
    readonly timezone: string
  }
  readonly retries: RetrySnapshot | null
  /** True when its attempts have webhooks. */
  readonly webhook: boolean
}

/** Retry rule with its own counter. */
interface CounterRule {
  readonly enabled: boolean
  readonly max: number
  readonly minutes: number
}

/** A retry policy. */
export interface RetrySnapshot {
  readonly max: number
  readonly minutes: number | ReadonlyArray<number>
  readonly busy: boolean
  readonly noAnswer: boolean
  readonly failed: boolean
  /** Seconds below which a call counts as short; null when short calls are not retried. */
  readonly short: number | null
  readonly provider: CounterRule
  readonly internal: CounterRule
}

/** Result of an attempt, and the action that follows. */
export interface ResultSnapshot {
  readonly completion: string
  readonly connectivity: string | null
  readonly next: string | null
}

/** Parameters of an attempt. */
export interface IntentSnapshot {
  readonly attempt: string
  /** Null for a single call. */
  readonly campaign: string | null
  readonly number: string
  readonly from: string
  readonly connection: string
  /** Number of earlier attempts for the contact. */
  readonly retry: number
  /** True when its end has a webhook. */
  readonly webhook: boolean
}

/** End of a call at the provider. */
export type CallEnd = "busy" | "no_answer" | "failed" | "cancelled" | "talked" | "dropped"

/** Data of an event, grouped by its source. */
export type EventData =
  // The world of the run.
  | {
    readonly kind: "limits"
    /** Limit of concurrent calls of the workspace. */
    readonly workspace: number
    readonly channels: Readonly<Record<string, number>>
    /** Means of the provider to deduplicate dials, or to let the engine look them up. */
    readonly dedupe: "key" | "lookup" | "none"
  }
  | { readonly kind: "started" }
  | { readonly kind: "crashed"; readonly where: string }
  /** The clock of the engine was adjusted; negative values set it back. */
  | { readonly kind: "clock"; readonly by: number }
  | { readonly kind: "over"; readonly undelivered: ReadonlyArray<string> }
  // Changes of the stores, in the order of their commits.
  | { readonly kind: "campaign"; readonly campaign: CampaignSnapshot }
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
  | (IntentSnapshot & { readonly kind: "recorded" })
  | (IntentSnapshot & { readonly kind: "claimed" })
  | { readonly kind: "withdrawn"; readonly attempt: string }
  | { readonly kind: "accepted"; readonly attempt: string; readonly call: string }
  | (ResultSnapshot & {
    readonly kind: "ended"
    readonly attempt: string
    readonly reason: string | null
    /** Duration of the conversation; null without one. */
    readonly seconds: number | null
  })
  | (ResultSnapshot & {
    readonly kind: "queued"
    readonly webhook: string
    readonly attempt: string
    readonly hash: string
  })
  // Records of the provider.
  | {
    readonly kind: "requested"
    readonly attempt: string
    readonly number: string
    readonly from: string
    readonly connection: string
  }
  | {
    readonly kind: "responded"
    readonly attempt: string
    readonly response: "accepted" | "rejected" | "error" | "late"
  }
  | { readonly kind: "dialled"; readonly attempt: string; readonly call: string; readonly connection: string }
  | { readonly kind: "answered"; readonly attempt: string; readonly call: string }
  | { readonly kind: "hung up"; readonly attempt: string; readonly call: string; readonly how: CallEnd }
  // Records of the agent.
  | {
    readonly kind: "talked"
    readonly attempt: string
    readonly done: boolean
    readonly reschedule: number | null
    readonly business: boolean
    readonly fault: boolean
  }
  // Records of the webhook receiver.
  | (ResultSnapshot & {
    readonly kind: "posted"
    readonly webhook: string
    readonly attempt: string
    readonly hash: string
    /** Status of the response; null when it was lost. */
    readonly status: number | null
  })
  // Responses of the API to operators.
  | {
    readonly kind: "acknowledged"
    readonly action: "create" | "pause" | "resume" | "cancel" | "patch"
    readonly campaign: CampaignSnapshot
  }
  | { readonly kind: "promised"; readonly attempt: string }

/** Event of a run. */
export type HistoryEvent = EventData & {
  /** Position in the history. */
  readonly seq: number
  /** Time on the clock of the engine, in epoch milliseconds. The clock can be adjusted. */
  readonly at: number
  /** Milliseconds since the run began, which no clock adjustment changes. */
  readonly real: number
  /** Number of the engine process, from 1; 0 before the first one starts. */
  readonly life: number
}

/** Event of one kind. */
export type EventOf<K extends EventData["kind"]> = Extract<HistoryEvent, { readonly kind: K }>

/**
 * Append-only log of the events of a run. The changes of one commit are adjacent: first attempts, then webhooks, then
 * contacts.
 */
export class History {
  readonly #events: Array<HistoryEvent> = []

  /** Appends an event. */
  add(message: EventData, moment: Pick<HistoryEvent, "at" | "life" | "real">): void {
    this.#events.push({ seq: this.#events.length, ...moment, ...message })
  }

  /** Events so far. */
  get events(): ReadonlyArray<HistoryEvent> {
    return this.#events
  }

  /** The events as JSON lines, which are identical for identical runs. */
  get text(): string {
    return this.#events.map((event) => JSON.stringify(event)).join("\n")
  }
}
