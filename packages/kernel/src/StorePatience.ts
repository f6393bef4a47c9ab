import { Data, Duration, FiberRef, GlobalValue } from "effect"

/** How long work waits for stores that somebody else has locked, and what it tells those who may try again. */
const patience = Duration.seconds(5)

/**
 * A store could not be used in time, because somebody else has it locked. Nothing of the call is done. It is a defect,
 * since every call of every store may meet it: the HTTP boundary answers 503, and background work tries again.
 */
export class StoreBusy extends Data.TaggedError("StoreBusy")<{
  /** When to try again. */
  readonly retryAfter: Duration.Duration
}> {
  constructor() {
    super({ retryAfter: patience })
  }
  override get message() {
    return "another process keeps the database locked"
  }
}

/**
 * The time that work such as a request has for waiting for locked stores, in all its calls together: 5 seconds unless
 * given. What it has used comes back while it does not wait, as fast as time passes, so that work of an hour still has
 * all of it at its end. Moments are milliseconds of the clock by which the store waits.
 */
export class StorePatience {
  readonly #millis: number
  /** When all of it is there again. */
  #restedAt = -Infinity

  constructor(duration: Duration.DurationInput = patience) {
    this.#millis = Duration.toMillis(duration)
  }

  /** When a call gives up that began at a moment. */
  deadline(began: number): number {
    return began + this.#millis - Math.max(0, this.#restedAt - began)
  }

  /** Counts what a call with a deadline has waited until now; several calls that wait at once count once. */
  spend(deadline: number, now: number): void {
    this.#restedAt = Math.max(this.#restedAt, now + this.#millis - (deadline - now))
  }
}

/** The patience of the work that this fiber does; null where every call of a store has 5 seconds of its own. */
export const CurrentStorePatience: FiberRef.FiberRef<StorePatience | null> = GlobalValue.globalValue(
  "@trunkline/kernel/CurrentStorePatience",
  () => FiberRef.unsafeMake<StorePatience | null>(null)
)
