import { Duration } from "effect"
import type { Fault } from "./Messages.js"
import { FileUnusable, type RunFailure, RunnersBusy, RunStopped, StatementRefused } from "./RunFailure.js"

/** When to try again where somebody else had the file for himself. */
const afterLock = Duration.seconds(1)

/** What a child's fault is to whoever asked. */
export const failureOf = ({ kind, message }: Fault): RunFailure => {
  switch (kind) {
    case "ResourceExceeded":
      return new RunStopped({ kind })
    case "Busy":
      return new RunnersBusy({ retryAfter: afterLock })
    case "Missing":
    case "Damaged":
    case "Mismatch":
      return new FileUnusable({ kind })
    default:
      return new StatementRefused({ kind, message })
  }
}
