import { type Clock, Duration, Effect, Layer } from "effect"
import { BusinessTime } from "./BusinessTime.js"
import { EventHeap } from "./EventHeap.js"
import { macroTask } from "./MacroTask.js"

/** How fast business time goes, and from when. */
export interface AcceleratedTimeOptions {
  /** Business seconds per real second. */
  readonly speed: number
  /** The first moment, in milliseconds since 1970. */
  readonly start: number
}

/** Real milliseconds that an event may be late without business time giving up on keeping pace. */
const tolerance = 50

/** The longest real sleep at once: timers take no more than 24 days. */
const longestSleep = Duration.toMillis("1 day")

/**
 * Business time that goes `speed` times as fast as the Clock around it (reference-server, "Two times"): the event of
 * a business moment is due when the matching real time has passed, events fire one at a time in the order of their
 * moments and then of their registration, and while the work of one starts the time is exactly its moment. Between
 * events the time moves with the Clock, but it never passes the earliest event that has not fired, never moves while
 * anything is held and never goes backwards. So it cannot outrun the work: when the machine falls behind by more than
 * 50 ms, or work was held, the pace starts anew from there, and business time lags for good instead of skipping or
 * bunching events. At speed 1 it is real time itself, shifted to start at `start`, and waits for nobody.
 */
const layer = ({ speed, start }: AcceleratedTimeOptions): Layer.Layer<BusinessTime> =>
  speed === 1
    ? Layer.effect(
      BusinessTime,
      Effect.clockWith((clock) => Effect.map(clock.currentTimeMillis, (now) => BusinessTime.fromClock(start - now)))
    )
    : Layer.scoped(
      BusinessTime,
      Effect.gen(function*() {
        const pace = new Pace({ speed, start }, yield* Effect.clock)
        yield* Effect.forkScoped(Effect.forever(pace.step))
        return pace.service
      })
    )

/** Business time at another speed than the wall's. */
export const AcceleratedTime = { layer }

class Pace {
  readonly #events = EventHeap.make<() => void>()
  readonly #changed = Effect.unsafeMakeLatch(false)
  readonly #speed: number
  readonly #clock: Clock.Clock
  #anchor: { readonly business: number; readonly real: number }
  /** The latest time that anyone may have seen. */
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

  /** Fires the next event if it is due, and otherwise waits until it is, or until something changes. */
  readonly step: Effect.Effect<void> = Effect.suspend(() => {
    this.#changed.unsafeClose()
    const next = this.#events.peek()
    if (next === undefined || this.#holds > 0) return this.#changed.await
    const late = this.#real() - this.#anchor.real - (next.time - this.#anchor.business) / this.#speed
    if (late < 0) return Effect.raceFirst(this.#sleep(Math.min(-late, longestSleep)), this.#changed.await)
    this.#events.pop()
    this.#reached = next.time
    if (late > tolerance) this.#anchorHere()
    this.#firing = true
    next.value()
    return Effect.ensuring(macroTask, Effect.sync(() => this.#firing = false))
  })

  /** Real milliseconds; unlike the date, they are not set back. */
  #real(): number {
    return Number(this.#clock.unsafeCurrentTimeNanos()) / 1e6
  }

  #sleep(millis: number): Effect.Effect<void> {
    return this.#clock.sleep(Duration.millis(Math.ceil(millis)))
  }

  #now(): number {
    if (this.#holds === 0 && !this.#firing) {
      const paced = this.#anchor.business + (this.#real() - this.#anchor.real) * this.#speed
      const limit = this.#events.peek()?.time ?? Number.POSITIVE_INFINITY
      this.#reached = Math.max(this.#reached, Math.floor(Math.min(paced, limit)))
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
