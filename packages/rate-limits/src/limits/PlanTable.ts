import { Record } from "effect"
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
  | "voices"
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
  /** The bucket's name, for families that share one and have the same figures; the family's own when absent. */
  readonly bucket?: string
}

/** What one plan allows. A request must fit every allowance of its family; when one refuses, none is charged. */
export interface PlanLimits {
  readonly requests: Readonly<Record<string, readonly [Allowance, ...ReadonlyArray<Allowance>]>>
  /** How many connections of a family an account may hold at once. A family's name has 1 to 60 characters of ASCII. */
  readonly connections: Readonly<Record<string, number>>
}

/** What every plan allows. Families of your own are welcome beside ours. */
export type PlanTable = { readonly [P in Plan]: PlanLimits }

type Row = { readonly [P in Plan]: readonly [Allowance, ...ReadonlyArray<Allowance>] }

const onEveryPlan = (...allowances: Row[Plan]): Row => ({
  starter: allowances,
  pro: allowances,
  business: allowances
})

const perMinute = (starter: number, pro: number, business: number): Row => ({
  starter: [{ perMinute: starter }],
  pro: [{ perMinute: pro }],
  business: [{ perMinute: business }]
})

/** What a key may ask of all boards routes together (shapes 11). */
const boards: Allowance = { perMinute: 60, per: "key", bucket: "boards" }

const perOrganisation = (perMinute: number): Row => onEveryPlan({ perMinute, per: "organisation" }, boards)

const requests: Readonly<Record<LimitedApi, Row>> = {
  deployments: perMinute(60, 60, 60),
  campaigns: perMinute(60, 60, 60),
  cohorts: perMinute(60, 60, 60),
  outbounds: perMinute(60, 60, 60),
  analytics: perMinute(60, 60, 60),
  boards: onEveryPlan(boards),
  boards_preview: perOrganisation(20),
  boards_widget_run: perOrganisation(20),
  boards_tab_run: perOrganisation(50),
  chat: perMinute(60, 200, 1_000),
  chat_core: perMinute(40, 60, 120),
  responses: perMinute(60, 200, 1_000),
  responses_core: perMinute(40, 60, 120),
  voice_cloning: {
    starter: [{ perMinute: 10, burst: 50 }],
    pro: [{ perMinute: 50, burst: 100 }],
    business: [{ perMinute: 500, burst: 600 }]
  },
  voices: perMinute(60, 60, 60),
  speech_to_text: perMinute(60, 100, 4_000),
  speech_to_text_batch: perMinute(20, 100, 500),
  text_to_speech: perMinute(60, 200, 1_000),
  text_to_speech_newest: perMinute(30, 200, 1_000),
  translation: perMinute(60, 200, 1_000),
  document: perMinute(10, 10, 10)
}

const connections: Readonly<Record<LimitedConnection, { readonly [P in Plan]: number }>> = {
  calls_live: { starter: 20, pro: 100, business: 100 },
  speech_to_text_stream: { starter: 20, pro: 100, business: 100 },
  text_to_speech_stream: { starter: 60, pro: 200, business: 1_000 },
  text_to_speech_newest_stream: { starter: 30, pro: 200, business: 1_000 }
}

const limitsOf = (plan: Plan): PlanLimits => ({
  requests: Record.map(requests, (row) => row[plan]),
  connections: Record.map(connections, (row) => row[plan])
})

/**
 * What every plan allows unless an embedder says otherwise (specification, Rate limits; shapes 11). The ceilings of
 * `calls_live`, which the specification does not have, are ours.
 */
export const planTable: PlanTable = {
  starter: limitsOf("starter"),
  pro: limitsOf("pro"),
  business: limitsOf("business")
}
