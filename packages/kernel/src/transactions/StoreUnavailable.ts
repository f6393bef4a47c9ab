import { Data, Duration } from "effect"
import { StoreBusy } from "./StoreWaitBudget.js"

/**
 * A store could not be used because its server is away: it restarts, or cannot be reached. It is a defect, because every
 * call of every store can meet it: the HTTP boundary answers 503, and background work retries. When the server was lost
 * in the middle of a commit, the call may have had its effect.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  /** Delay before the next try. */
  readonly retryAfter: Duration.Duration
}> {
  constructor() {
    super({ retryAfter: Duration.seconds(5) })
  }
  override get message() {
    return "the database cannot be reached at the moment"
  }
}

/** Checks for a defect of stores that passes by itself: locked by others, or away. */
export const isStoreOutage = (defect: unknown): defect is StoreBusy | StoreUnavailable =>
  defect instanceof StoreBusy || defect instanceof StoreUnavailable
