import { Record } from "effect"
import type { Plan } from "../accounts/AccountStore.js"

/** Families of requests that are limited per minute. */
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

/** Families of long-lived connections, limited by the number open at once. */
export type LimitedConnection =
  | "calls_live"
  | "speech_to_text_stream"
  | "text_to_speech_stream"
  | "text_to_speech_newest_stream"

/** Sharing of an allowance: per account, organisation or key. */
export type SharedBy = "account" | "organisation" | "key"

/** A token bucket that refills evenly. */
export interface Allowance {
  /** Units refilled per minute; a positive whole number. */
  readonly perMinute: number
  /** Capacity; a positive whole number. Default: `perMinute`. */
  readonly burst?: number
  /** Sharing of the bucket; default `account`, by all keys of the account. */
  readonly per?: SharedBy
  /** Bucket name; default the family's name. Families that share a bucket must have the same figures. */
  readonly bucket?: string
}

/** Limits of a plan. A request must fit every allowance of its family; when one rejects it, none is charged. */
export interface PlanLimits {
  readonly requests: Readonly<Record<string, readonly [Allowance, ...ReadonlyArray<Allowance>]>>
  /** Maximum concurrent connections per account, by family. Family names are 1 to 60 ASCII characters. */
  readonly connections: Readonly<Record<string, number>>
}

/** Limits of all plans. Can contain additional families. */
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

/** Allowance of a key for all boards routes together. */
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

/** Default limits of all plans; see docs/limits.md. */
export const planTable: PlanTable = {
  starter: limitsOf("starter"),
  pro: limitsOf("pro"),
  business: limitsOf("business")
}

/** Valid names of connection families: short enough for the error text to fit into a WebSocket close reason. */
const connectionName = /^[\x20-\x7e]{1,60}$/

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1

const problemsOf = ({ connections, requests }: PlanLimits): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const figuresOf = new Map<string, string>()
  for (const [api, allowances] of Object.entries(requests)) {
    const names = new Set<string>()
    for (const { bucket = api, burst, per = "account", perMinute } of allowances) {
      if (!isCount(perMinute) || !isCount(burst ?? 1)) {
        problems.push(`${api}: perMinute and burst must be positive whole numbers`)
      }
      if (names.has(bucket)) problems.push(`${api}: two allowances use the bucket ${bucket}`)
      names.add(bucket)
      const [sharedText, figures] = [`${per}/${bucket}`, `${perMinute} ${burst ?? perMinute}`]
      if ((figuresOf.get(sharedText) ?? figures) !== figures) {
        problems.push(`${api}: the bucket ${bucket} has different figures in another family`)
      }
      figuresOf.set(sharedText, figures)
    }
  }
  for (const [api, maxConnections] of Object.entries(connections)) {
    if (!isCount(maxConnections)) problems.push(`${api}: a connection ceiling must be a positive whole number`)
    if (!connectionName.test(api)) problems.push(`${api}: a connection family's name must be 1 to 60 ASCII characters`)
  }
  return problems
}

/** Problems of a plan table; empty when it is valid. */
export const planTableProblems = (plans: PlanTable): ReadonlyArray<string> =>
  Object.entries(plans).flatMap(([plan, limits]) => problemsOf(limits).map((problem) => `${plan}: ${problem}`))
