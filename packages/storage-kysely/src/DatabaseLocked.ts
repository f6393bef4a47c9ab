import { Data } from "effect"
import type { CompiledQuery } from "kysely"
import { mayWrite } from "./DialectOn.js"

/** What is done with a database; whoever can write can read as well. */
export type Access = "writing" | "reading"

/** Somebody else has locked the database, so that a statement did nothing. A dialect throws it, and does not wait. */
export class DatabaseLocked extends Data.TaggedError("DatabaseLocked")<{
  /** What the statement was about to do. */
  readonly needs: Access
}> {
  /** What a statement is told that found the database locked. */
  static readonly to = (query: CompiledQuery): DatabaseLocked =>
    new DatabaseLocked({ needs: mayWrite(query) ? "writing" : "reading" })
  override get message() {
    return `another process has locked the database: no ${this.needs} for now`
  }
}
