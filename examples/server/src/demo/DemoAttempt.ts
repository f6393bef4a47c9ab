import type { Connectivity } from "./DemoPlan.js"

/** One turn of a conversation, in English and in the language spoken. */
export interface Turn {
  readonly role: string
  readonly en_text: string
  readonly indic_text?: string | null
}

/** What the demo reads of an attempt: of its webhook, or, where none may be sent here, of the list of attempts. */
export interface DemoAttempt {
  readonly attempt_id: string
  readonly campaign_id: string | null
  readonly user_identifier: string
  /** Only webhooks tell it. */
  readonly user_phone_number?: string
  readonly retry_attempt: number
  readonly completion_status: "completed" | "partial" | "failed"
  readonly connectivity_status: Connectivity | null
  readonly next_action_status: string | null
  readonly duration?: number | null
  readonly duration_in_seconds?: number | null
  readonly interaction_transcript?: ReadonlyArray<Turn> | null
  readonly output_agent_variables?: Readonly<Record<string, unknown>> | null
}
