import type { AttemptId, Scope } from "@trunkline/kernel"
import { Context, type Effect, Schema, type Stream } from "effect"
import type { Fact, FactNames } from "./facts/Fact.js"

/** A value in a result: blobs as base64, non-finite numbers as null, integers beyond 2^53 as text. */
export type Cell = string | number | boolean | null

/** Value of a placeholder. */
export type Parameter = string | number | null

/** An SQL statement with its parameters. */
export interface WarehouseStatement {
  /** SQL with a `?` for each parameter, in order. */
  readonly text: string
  readonly parameters: ReadonlyArray<Parameter>
}

/** A statement to run and how many rows to read. */
export interface Query extends WarehouseStatement {
  /** Most rows to read; at least 1. */
  readonly maxRows: number
}

/** A column of a result. */
export interface ResultColumn {
  readonly name: string
  /** Declared type, when the column comes unchanged from the view. */
  readonly type?: string
}

/** Result of a statement. */
export interface QueryResult {
  readonly columns: ReadonlyArray<ResultColumn>
  /** Cells in the order of the columns. */
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
  /** True when the statement would return more rows. */
  readonly truncated: boolean
}

/** Reasons for refusing a statement; the same codes as in the boards API. */
export const RefusalCode = Schema.Literal(
  "INVALID_SQL",
  "NOT_READ_ONLY",
  "MULTIPLE_STATEMENTS",
  "FORBIDDEN_TABLE",
  "FORBIDDEN_FUNCTION",
  "RESOURCE_LIMIT",
  "TENANT_ISOLATION_BREACH",
  "TIMEOUT"
)
export type RefusalCode = typeof RefusalCode.Type

/** A statement was rejected, or stopped before it finished. */
export class QueryRefused extends Schema.TaggedError<QueryRefused>()("QueryRefused", {
  code: RefusalCode,
  /** Advice for the analyst. Contains only names and keywords of the statement, no values. */
  message: Schema.String
}) {}

/** Too many statements are queued, or another process has locked the facts. */
export class WarehouseBusy extends Schema.TaggedError<WarehouseBusy>()("WarehouseBusy", {
  retryAfter: Schema.DurationFromMillis
}) {
  override get message() {
    return "The warehouse is busy. Try again later."
  }
}

/** New state of one attempt: its latest fact with names, or null after erasure. */
export interface FactChange {
  readonly attempt_id: AttemptId
  readonly fact: (Fact & FactNames) | null
}

/** Consecutive changes from the log of facts. */
export interface ChangeBatch {
  /** Watermark that the warehouse must be at for the batch to apply. */
  readonly from: number
  /** Watermark after the batch. */
  readonly to: number
  readonly changes: ReadonlyArray<FactChange>
}

/**
 * Stores the facts of each workspace separately and runs SQL over them; the table is `EngagementFactsBoardsView`.
 *
 * Statements are untrusted: each one can only read its own workspace and has 15 seconds. Interrupting a query stops its
 * work. `warehouseLaws` from `@trunkline/warehouse/testing` checks an implementation.
 *
 * @example
 * ```ts
 * import { Warehouse } from "@trunkline/warehouse"
 * import type { Scope } from "@trunkline/kernel"
 * import { Effect } from "effect"
 *
 * const countCalls = (scope: Scope) =>
 *   Effect.flatMap(Warehouse, (warehouse) =>
 *     warehouse.query(scope, {
 *       text: "SELECT count(*) FROM EngagementFactsBoardsView WHERE duration > ?",
 *       parameters: [30],
 *       maxRows: 1
 *     }))
 * ```
 */
export class Warehouse extends Context.Tag("@trunkline/warehouse/Warehouse")<Warehouse, {
  /** SQL dialect, such as `sqlite`. */
  readonly dialect: string
  /** Runs a statement over the facts of a workspace. */
  readonly query: (scope: Scope, query: Query) => Effect.Effect<QueryResult, QueryRefused | WarehouseBusy>
  /** Columns that a statement would return, without running it. */
  readonly prepare: (
    scope: Scope,
    statement: WarehouseStatement
  ) => Effect.Effect<ReadonlyArray<ResultColumn>, QueryRefused | WarehouseBusy>
  /** Applies a batch atomically, unless the watermark differs from `from`. Returns the watermark afterwards. */
  readonly apply: (scope: Scope, changes: ChangeBatch) => Effect.Effect<number>
  /** Position in the log up to which a workspace has been applied; 0 initially. */
  readonly watermark: (scope: Scope) => Effect.Effect<number>
  /**
   * Workspaces whose facts turned out to be lost, for example with a deleted or damaged file. The projector refills
   * them; queries fail as busy until `filled` is called.
   */
  readonly lostWorkspaces: Stream.Stream<Scope>
  /** Marks a workspace as fully refilled from the log. */
  readonly markFilled: (scope: Scope) => Effect.Effect<void>
  /** Deletes all facts and the watermark of a workspace, to be refilled from the log. */
  readonly clear: (scope: Scope) => Effect.Effect<void>
}>() {}
