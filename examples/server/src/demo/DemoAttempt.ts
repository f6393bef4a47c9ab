import type { Connectivity } from "./DemoPlan.js"

/** One turn of a conversation, in English and in the language spoken. */
interface Turn {
  readonly role: string
  readonly en_text: string
  readonly indic_text?: string | null
}

/** Fields of an attempt that the demo reads, from its webhook or, where webhooks cannot reach it, from the list. */
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
