import type { Plan } from "../accounts/Plan.js"

/** The families of requests that are counted per minute (specification, Rate limits; shapes 11). */
export type LimitedApi =
  | "deployments"
  | "campaigns"
  | "cohorts"
  | "outbounds"
  | "analytics"
  | "boards"
  | "boards_preview"
  | "boards_widget_run"
  | "boards_tab_run"
  | "chat"
  | "chat_core"
  | "responses"
  | "responses_core"
  | "voice_cloning"
  | "speech_to_text"
  | "speech_to_text_batch"
  | "text_to_speech"
  | "text_to_speech_newest"
  | "translation"
  | "document"

/** The families of long-lived connections, counted while they last (specification, Rate limits). */
export type LimitedConnection =
  | "calls_live"
  | "speech_to_text_stream"
  | "text_to_speech_stream"
  | "text_to_speech_newest_stream"

/** Who shares an allowance. */
export type Sharing = "account" | "organisation" | "key"

/** So many requests a minute, refilled evenly: a token bucket. */
export interface Allowance {
  /** What the bucket refills with, per minute. A whole number from 1. */
  readonly perMinute: number
  /** What a full bucket holds. A whole number from 1; as much as `perMinute` when absent. */
  readonly burst?: number
  /** Who shares the bucket; every key of the account when absent. */
  readonly per?: Sharing
  /** The bucket's name, for families that share one; the family's own when absent. */
  readonly bucket?: string
}

/** What one plan allows. A request must fit every allowance of its family; when one refuses, none is charged. */
export interface PlanLimits {
  readonly requests: Readonly<Record<string, readonly [Allowance, ...ReadonlyArray<Allowance>]>>
  /** How many connections of a family an account may hold at once. */
  readonly connections: Readonly<Record<string, number>>
}

/** What every plan allows. Families of your own are welcome beside ours. */
export type PlanTable = { readonly [P in Plan]: PlanLimits }
