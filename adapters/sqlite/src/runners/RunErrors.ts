import { Data, Duration } from "effect"
import type { RunnerFault } from "./Messages.js"

/** Error of a statement that cannot be run as it is written. */
export class StatementRejected extends Data.TaggedError("StatementRejected")<{
  /**
   * `Rejected`: SQLite does not understand it, or cannot evaluate it for the rows at hand. `UnknownTable`,
   * `UnknownFunction`: it names one that does not exist. `MultipleStatements`, `NotReadOnly`: it is not a single SELECT.
   */
  readonly kind: "Rejected" | "UnknownTable" | "UnknownFunction" | "MultipleStatements" | "NotReadOnly"
  /** Message of SQLite: names and tokens of the statement, never a path or a value of a row. */
  readonly message: string
}> {}

/** Error of a statement that was stopped while it ran. */
export class RunStopped extends Data.TaggedError("RunStopped")<{
  /** `Timeout`: it took too long. `ResourceExceeded`: it used too much memory or temporary disk, or crashed its process. */
  readonly kind: "Timeout" | "ResourceExceeded"
}> {
  override get message() {
    return this.kind === "Timeout"
      ? "The statement took too long."
      : "The statement needed too much memory or disk."
  }
}

/** Error of a statement that did not run, because too many wait or because it waited too long. */
export class RunnersBusy extends Data.TaggedError("RunnersBusy")<{ readonly retryAfter: Duration.Duration }> {
  override get message() {
    return "Too many statements are waiting. Try again later."
  }
}

/** Error of a file that cannot be read. */
export class FileUnusable extends Data.TaggedError("FileUnusable")<{
  /**
   * `Missing`: it cannot be opened. `Damaged`: it is no database, or one of another kind. `Mismatch`: it does not have the
   * expected value.
   */
  readonly kind: "Missing" | "Damaged" | "Mismatch"
}> {
  override get message() {
    return `The file cannot be read: ${this.kind}.`
  }
}

/** Every error of a statement. */
export type RunError = StatementRejected | RunStopped | RunnersBusy | FileUnusable

/** Time to wait before another attempt when another process has locked the file. */
const lockRetryAfter = Duration.seconds(1)

/** Error for a fault that a child reports. */
export const errorOfFault = ({ kind, message }: RunnerFault): RunError => {
  switch (kind) {
    case "ResourceExceeded":
      return new RunStopped({ kind })
    case "Busy":
      return new RunnersBusy({ retryAfter: lockRetryAfter })
    case "Missing":
    case "Damaged":
    case "Mismatch":
      return new FileUnusable({ kind })
    default:
      return new StatementRejected({ kind, message })
  }
}
