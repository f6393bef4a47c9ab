import type { AttemptId, Scope } from "@trunkline/kernel"
import { Context, type Effect, Schema, type Stream } from "effect"
import type { Fact, FactNames } from "./facts/Fact.js"

/** A value in a result: blobs are base64, figures without a JSON form null, whole numbers beyond 2^53 texts. */
export type Cell = string | number | boolean | null

/** A value that is bound to a placeholder. */
export type Parameter = string | number | null

/** One statement as an analyst wrote it, its values apart from it. */
export interface Statement {
  /** SQL with a `?` for each parameter, in their order. */
  readonly text: string
  readonly parameters: ReadonlyArray<Parameter>
}

/** A statement to run, and how much of its result to read. */
export interface Query extends Statement {
  /** Rows beyond these are not read; from 1. */
  readonly maxRows: number
}

/** A column of a result. */
export interface ResultColumn {
  readonly name: string
  /** The declared type, where the column comes from the view unchanged. */
  readonly type?: string
}

/** What a statement gave. */
export interface QueryResult {
  readonly columns: ReadonlyArray<ResultColumn>
  /** In the order of the columns. */
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
  /** Whether the statement as it was written would have given more. */
  readonly truncated: boolean
}

/** Why a statement gave nothing; the codes are those of the boards (shapes 1.4, decisions 8). */
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

/** A statement was not run, or not to its end. */
export class QueryRefused extends Schema.TaggedError<QueryRefused>()("QueryRefused", {
  code: RefusalCode,
  /** For the analyst: what to change. Holds nothing but names and words of the statement. */
  message: Schema.String
}) {}

/** Too many statements wait already, or another process has the facts locked. */
export class WarehouseBusy extends Schema.TaggedError<WarehouseBusy>()("WarehouseBusy", {
  retryAfter: Schema.DurationFromMillis
}) {
  override get message() {
    return "The warehouse is busy. Try again later."
  }
}

/** What befell one attempt: its newest image with its names, or null when it was erased. */
export interface Change {
  readonly attempt_id: AttemptId
  readonly fact: (Fact & FactNames) | null
}

/** A stretch of the log of facts. */
export interface Changes {
  /** Where the warehouse has to stand for this to be applied. */
  readonly from: number
  /** Where it stands after that. */
  readonly to: number
  readonly changes: ReadonlyArray<Change>
}

/**
 * Facts of each workspace apart from all others, and SQL over them: the table is `EngagementFactsBoardsView`
 * (specification, Analytics boards).
 *
 * What analysts write is untrusted: a statement reads its own workspace and nothing else, changes nothing, and has
 * 15 seconds. Interrupting a query ends its work.
 */
export class Warehouse extends Context.Tag("@trunkline/warehouse/Warehouse")<Warehouse, {
  /** Which SQL it speaks, such as `sqlite`. */
  readonly dialect: string
  /** Runs a statement over the facts of a workspace. */
  readonly query: (scope: Scope, query: Query) => Effect.Effect<QueryResult, QueryRefused | WarehouseBusy>
  /** The columns that a statement would give, without running it. */
  readonly prepare: (
    scope: Scope,
    statement: Statement
  ) => Effect.Effect<ReadonlyArray<ResultColumn>, QueryRefused | WarehouseBusy>
  /** Applies a stretch of the log as one, unless the warehouse stands elsewhere; where it stands then. */
  readonly apply: (scope: Scope, changes: Changes) => Effect.Effect<number>
  /** How far into the log of facts a workspace has come; 0 before anything was applied. */
  readonly watermark: (scope: Scope) => Effect.Effect<number>
  /**
   * Workspaces whose facts were found to be lost, such as with a file that was removed or damaged: whoever fills the
   * warehouse fills them anew. Queries are told to come back until `filled` says that it is done.
   */
  readonly lost: Stream.Stream<Scope>
  /** Says that a workspace has all that the log has for it. */
  readonly filled: (scope: Scope) => Effect.Effect<void>
  /** Forgets all facts of a workspace and where it stood: the log gives them anew. */
  readonly clear: (scope: Scope) => Effect.Effect<void>
}>() {}
