import { Data, type Duration } from "effect"

/** A statement cannot be run as it is written. */
export class StatementRefused extends Data.TaggedError("StatementRefused")<{
  /**
   * `Rejected`: SQLite does not understand it, or could not work it out from what is in the rows. `UnknownTable`,
   * `UnknownFunction`: it names one that is not there. `MultipleStatements`, `NotReadOnly`: it is more than one SELECT,
   * or none.
   */
  readonly kind: "Rejected" | "UnknownTable" | "UnknownFunction" | "MultipleStatements" | "NotReadOnly"
  /** What SQLite says: names and words of the statement, never a path or a value of a row. */
  readonly message: string
}> {}

/** A statement was stopped on its way. */
export class RunStopped extends Data.TaggedError("RunStopped")<{
  /** `Timeout`: it took too long. `ResourceExceeded`: it took too much memory or temporary disk, or broke its process. */
  readonly kind: "Timeout" | "ResourceExceeded"
}> {
  override get message() {
    return this.kind === "Timeout"
      ? "The statement took too long."
      : "The statement needed too much memory or disk."
  }
}

/** Too many statements wait already, or this one waited too long. */
export class RunnersBusy extends Data.TaggedError("RunnersBusy")<{ readonly retryAfter: Duration.Duration }> {
  override get message() {
    return "Too many statements are waiting. Try again later."
  }
}

/** There is no such file to read. */
export class FileUnusable extends Data.TaggedError("FileUnusable")<{
  /** `Missing`: it cannot be opened. `Damaged`: it is no database, or not of this kind. `Mismatch`: another one's. */
  readonly kind: "Missing" | "Damaged" | "Mismatch"
}> {
  override get message() {
    return `The file cannot be read: ${this.kind}.`
  }
}

/** Why a statement gave nothing. */
export type RunFailure = StatementRefused | RunStopped | RunnersBusy | FileUnusable
