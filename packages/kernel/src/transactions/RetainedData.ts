import { Context, Effect } from "effect"
import type { AttemptId, InteractionId, Scope } from "../ids/Ids.js"

/** Kinds of data that a workspace keeps for a number of days. */
export const retainedKinds = ["recordings", "transcripts", "calls", "webhooks", "cohorts", "attempts"] as const

/**
 * A kind of data: recordings of calls, their transcripts, their records and facts, webhooks that were delivered or given up,
 * cohorts of campaigns that are over, and attempts that have ended.
 */
export type RetainedKind = typeof retainedKinds[number]

/** A row of such data. */
export interface RetainedRow {
  /** Id of the attempt, webhook or cohort. */
  readonly id: string
  /** Conversation of a call; null for rows of other kinds, and for calls without one. */
  readonly interaction_id: InteractionId | null
  /** Time that its age counts from, in epoch milliseconds. */
  readonly at: number
}

/**
 * Old data of the stores, by workspace. Only what is over counts, however old the rest is. By default there is none: stores in
 * memory keep nothing for days.
 */
export class RetainedData extends Context.Reference<RetainedData>()("@trunkline/kernel/RetainedData", {
  defaultValue: (): RetainedData.Service => ({
    count: () => Effect.succeed(0),
    find: () => Effect.succeed([]),
    remove: () => Effect.succeed([])
  })
}) {}

export declare namespace RetainedData {
  /** Access to old data. */
  export interface Service {
    /** Number of rows from before a time, in epoch milliseconds. */
    readonly count: (scope: Scope, kind: RetainedKind, before: number) => Effect.Effect<number>
    /** Rows from before a time, up to a number of them. */
    readonly find: (
      scope: Scope,
      kind: RetainedKind,
      page: { readonly before: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<RetainedRow>>
    /**
     * Deletes rows that `find` has returned, unless they have begun again. Joins the running transaction. Returns the attempts
     * whose transcripts have to be erased as well.
     */
    readonly remove: (
      scope: Scope,
      kind: RetainedKind,
      rows: ReadonlyArray<RetainedRow>
    ) => Effect.Effect<ReadonlyArray<AttemptId>>
  }
}
