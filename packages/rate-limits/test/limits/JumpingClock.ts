import { Clock, Effect } from "effect"

/** A clock that shows what it is told to, also earlier times. Nothing can sleep by it. */
export class JumpingClock implements Clock.Clock {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  /** Milliseconds since 1970. */
  now = 1_800_000_000_000
  readonly currentTimeMillis = Effect.sync(() => this.unsafeCurrentTimeMillis())
  readonly currentTimeNanos = Effect.sync(() => this.unsafeCurrentTimeNanos())
  readonly sleep = () => Effect.never

  unsafeCurrentTimeMillis() {
    return this.now
  }

  unsafeCurrentTimeNanos() {
    return BigInt(this.now) * 1_000_000n
  }
}
