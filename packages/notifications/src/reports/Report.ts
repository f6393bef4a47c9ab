import type { VizConfig, VizType } from "@trunkline/charts"
import type { Timestamp } from "@trunkline/kernel"
import type { QueryResult } from "@trunkline/warehouse"

/** Why a widget gave no table: a code of the boards, such as `TIMEOUT`, and a sentence for whoever wrote its SQL. */
export interface RunFailure {
  readonly code: string
  readonly message: string
}

/** What one occurrence of a notification rule has to tell (shapes 7.6, Delivery). */
export interface Report {
  readonly rule_id: string
  readonly run_id: string
  readonly board_name: string
  readonly widget_name: string
  /** The rule's own name; without one the widget's name stands for it. */
  readonly rule_name: string | null
  /** The moment that the cron meant, in business time: not when it was sent. */
  readonly run_at: Timestamp
  readonly viz_type: VizType
  readonly viz_config: VizConfig
  readonly outcome: QueryResult | RunFailure
}

/** Whether a report tells of a widget that could not be run. */
export const isRunFailure = (outcome: Report["outcome"]): outcome is RunFailure => "code" in outcome
