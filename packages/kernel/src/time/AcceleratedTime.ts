import { type Clock, Duration, Effect, Layer, Stream } from "effect"
import { EventQueue } from "../concurrency/PriorityQueue.js"
import { BusinessTime } from "./BusinessTime.js"
import { macroTask, timerOf } from "./Timers.js"

/** Speed and start of accelerated business time. */
export interface AcceleratedTimeOptions {
  /** Business seconds per real second. */
  readonly speed: number
  /** The first moment, in milliseconds since 1970. */
  readonly start: number
  /** Later speeds, each effective on arrival; none by default. */
  readonly speeds?: Stream.Stream<number>
}

/** Real milliseconds by which an event may be late before business time stops trying to catch up. */
const tolerance = 50

/** The longest single real sleep, well below the 24 days that a timer can take. */
const maxSleep = Duration.toMillis("1 day")

/**
 * Business time that runs `speed` times as fast as the surrounding Clock.
 *
 * Events fire one at a time, ordered by their moment and then by registration, and the time is exactly the event's
 * moment while its work starts. Between events time moves with the Clock, but never past the earliest pending event,
 * never during `BusinessTime.hold`, and never backwards. So it cannot outrun the work: when the machine falls behind by
 * more than 50 ms, or after a hold, the pace restarts from the current moment, and business time stays behind instead of
 * skipping or bunching events.
 *
 * At speed 1 without `speeds` it is real time, offset to begin at `start`, and `hold` has no effect.
 */
const layer = ({ speed, speeds, start }: AcceleratedTimeOptions): Layer.Layer<BusinessTime> =>
  speed === 1 && speeds === undefined
    ? Layer.effect(
      BusinessTime,
      Effect.clockWith((clock) => Effect.map(clock.currentTimeMillis, (now) => BusinessTime.fromClock(start - now)))
    )
    : Layer.scoped(
      BusinessTime,
      Effect.gen(function*() {
        const time = new PacedTime({ speed, start }, yield* Effect.clock)
        yield* Effect.forkScoped(Effect.forever(time.step))
        if (speeds !== undefined) yield* Effect.forkScoped(Stream.runForEach(speeds, time.pace))
        return time.service
      })
    )

/** Business time at a multiple of real time. */
export const AcceleratedTime = { layer }

class PacedTime {
  readonly #events = EventQueue.make<() => void>()
  readonly #changed = Effect.unsafeMakeLatch(false)
  #speed: number
  readonly #clock: Clock.Clock
  #anchor: { readonly business: number; readonly real: number }
  /** The latest time that any caller may have read. */
  #reached: number
  #holds = 0
  #firing = false

  constructor({ speed, start }: AcceleratedTimeOptions, clock: Clock.Clock) {
    this.#speed = speed
    this.#clock = clock
    this.#reached = start
    this.#anchor = { business: start, real: this.#real() }
  }

  readonly service: BusinessTime.Service = {
    now: Effect.sync(() => this.#now()),
    sleepUntil: (at) => Effect.suspend(() => at <= this.#now() ? Effect.void : this.#event(Math.ceil(at))),
    hold: (effect) =>
      Effect.acquireUseRelease(Effect.sync(() => this.#hold()), () => effect, () => Effect.sync(() => this.#release()))
  }

  /** Fires the next event if it is due; otherwise waits until it is due or something changes. */
  readonly step: Effect.Effect<void> = Effect.suspend(() => {
    this.#changed.unsafeClose()
    const next = this.#events.peek()
    if (next === undefined || this.#holds > 0) return this.#changed.await
    const late = this.#real() - this.#anchor.real - (next.time - this.#anchor.business) / this.#speed
    if (late < 0) return this.#waitAtMost(Math.ceil(Math.min(-late, maxSleep)))
    this.#events.pop()
    this.#reached = next.time
    if (late > tolerance) this.#anchorHere()
    this.#firing = true
    next.value()
    return Effect.ensuring(macroTask, Effect.sync(() => this.#firing = false))
  })

  /** Runs at another speed from now on. */
  readonly pace = (speed: number): Effect.Effect<void> =>
    Effect.sync(() => {
      this.#now()
      this.#anchorHere()
      this.#speed = speed
      this.#changed.unsafeOpen()
    })

  /** Real milliseconds by the monotonic clock, which is never set back. */
  #real(): number {
    return Number(this.#clock.unsafeCurrentTimeNanos()) / 1e6
  }

  /** Waits for a change, or for some real milliseconds: by a timer where there is one, since holds are frequent and fibers cost more. */
  #waitAtMost(millis: number): Effect.Effect<void> {
    const setTimer = timerOf(this.#clock)
    if (setTimer === undefined) {
      return Effect.raceFirst(this.#clock.sleep(Duration.millis(millis)), this.#changed.await)
    }
    return Effect.suspend(() => {
      const cancel = setTimer(this.#clock.unsafeCurrentTimeMillis() + millis, () => this.#changed.unsafeOpen())
      return Effect.ensuring(this.#changed.await, Effect.sync(cancel))
    })
  }

  #now(): number {
    if (this.#holds === 0 && !this.#firing) {
      const moment = this.#anchor.business + (this.#real() - this.#anchor.real) * this.#speed
      const limit = this.#events.peek()?.time ?? Number.POSITIVE_INFINITY
      this.#reached = Math.max(this.#reached, Math.floor(Math.min(moment, limit)))
    }
    return this.#reached
  }

  #anchorHere(): void {
    this.#anchor = { business: this.#reached, real: this.#real() }
  }

  #event(at: number): Effect.Effect<void> {
    return Effect.async((resume) => {
      const cancel = this.#events.add(at, () => resume(Effect.void))
      if (this.#events.peek()?.time === at) this.#changed.unsafeOpen()
      return Effect.sync(cancel)
    })
  }

  #hold(): void {
    this.#now()
    this.#holds++
  }

  #release(): void {
    this.#holds--
    if (this.#holds > 0) return
    this.#anchorHere()
    this.#changed.unsafeOpen()
  }
}
