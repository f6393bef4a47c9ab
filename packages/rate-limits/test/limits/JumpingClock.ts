import { Clock, Effect } from "effect"

/** A clock that can be set to any time. It does not support sleeping. */
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
