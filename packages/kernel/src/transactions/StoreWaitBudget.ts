import { Data, Duration, FiberRef, GlobalValue } from "effect"

/** Default time for waiting on locked stores, and the delay after which clients are told to retry. */
const defaultWait = Duration.seconds(5)

/**
 * A store could not be used in time because another process keeps it locked. The call had no effect. It is a defect,
 * because every call of every store can meet it: the HTTP boundary answers 503, and background work retries.
 */
export class StoreBusy extends Data.TaggedError("StoreBusy")<{
  /** Delay before the next try. */
  readonly retryAfter: Duration.Duration
}> {
  constructor() {
    super({ retryAfter: defaultWait })
  }
  override get message() {
    return "another process keeps the database locked"
  }
}

/**
 * The time that a unit of work, such as a request, may spend waiting for locked stores over all its calls: 5 seconds by
 * default. Used time is restored at the pace of the clock while the work does not wait, so that an hour of work still
 * has the full budget at its end. Moments are milliseconds of the clock by which the store waits.
 */
export class StoreWaitBudget {
  readonly #millis: number
  /** Moment at which the full budget is restored. */
  #restoredAt = -Infinity

  constructor(duration: Duration.DurationInput = defaultWait) {
    this.#millis = Duration.toMillis(duration)
  }

  /** Moment at which a call that began waiting at `start` has to give up. */
  deadline(start: number): number {
    return start + this.#millis - Math.max(0, this.#restoredAt - start)
  }

  /** Deducts the time that a call with this deadline has waited until now. Concurrent waits are deducted once. */
  spend(deadline: number, now: number): void {
    this.#restoredAt = Math.max(this.#restoredAt, now + this.#millis - (deadline - now))
  }
}

/** Wait budget of the work that this fiber does; null gives every store call its own 5 seconds. */
export const CurrentStoreWaitBudget: FiberRef.FiberRef<StoreWaitBudget | null> = GlobalValue.globalValue(
  "@trunkline/kernel/CurrentStorePatience",
  () => FiberRef.unsafeMake<StoreWaitBudget | null>(null)
)
