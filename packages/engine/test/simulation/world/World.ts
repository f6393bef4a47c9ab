import { BusinessTime } from "@trunkline/kernel"
import { Effect, type Fiber, FiberRef, Runtime, type Scheduler } from "effect"
import { type EventData, History, type HistoryEvent } from "../history/History.js"
import { Life } from "./Life.js"
import { SeededRandom } from "./SeededRandom.js"

/** Environment that survives crashes of the engine: time, randomness and the history. */
export class World {
  readonly history = new History()
  readonly #runtime: Runtime.Runtime<never>
  readonly #base: Scheduler.Scheduler
  readonly #real: () => number
  readonly #began: number
  readonly #onEnd: Array<() => void> = []
  #shift = 0
  #life: Life | null = null
  #lives = 0

  private constructor(
    readonly seed: number,
    parts: {
      readonly runtime: Runtime.Runtime<never>
      readonly base: Scheduler.Scheduler
      readonly real: () => number
    }
  ) {
    this.#runtime = parts.runtime
    this.#base = parts.base
    this.#real = parts.real
    this.#began = parts.real()
  }

  /** Makes a world in the runtime of the current fiber. */
  static readonly make = (seed: number): Effect.Effect<World> =>
    Effect.gen(function*() {
      const runtime = yield* Effect.runtime()
      const base = yield* FiberRef.get(FiberRef.currentScheduler)
      const clock = yield* Effect.clock
      return new World(seed, { runtime, base, real: () => clock.unsafeCurrentTimeMillis() })
    })

  /** Random numbers for one purpose. */
  random(purpose: string): SeededRandom {
    return new SeededRandom(this.seed, purpose)
  }

  /** Time on the clock of the engine, in epoch milliseconds. */
  get now(): number {
    return this.#real() + this.#shift
  }

  /** Milliseconds since the run began, which clock adjustments do not change. */
  get elapsed(): number {
    return this.#real() - this.#began
  }

  /** Records an event, by default of the current process. */
  add(message: EventData, life: number = this.#lives): void {
    this.history.add(message, { at: this.now, real: this.elapsed, life })
  }

  /** Events so far. */
  get events(): ReadonlyArray<HistoryEvent> {
    return this.history.events
  }

  /** Calls back after a delay, even when the engine has crashed. */
  after(milliseconds: number, callback: () => void): void {
    Runtime.runFork(this.#runtime)(Effect.zipRight(Effect.sleep(Math.max(0, milliseconds)), Effect.sync(callback)))
  }

  /** Runs an effect as part of a process, and stops it when the process is killed. */
  fork<A, E>(life: Life, effect: Effect.Effect<A, E>): Fiber.RuntimeFiber<A, E> {
    return Runtime.runFork(this.#runtime)(Effect.provideService(effect, BusinessTime, this.time), { scheduler: life })
  }

  /** Adjusts the clock of the engine. */
  setClock(by: number): void {
    this.#shift += by
    this.add({ kind: "clock", by })
  }

  /** Business time of the engine. Sleeping fibers notice clock adjustments only when they wake. */
  readonly time: BusinessTime.Service = {
    now: Effect.sync(() => this.now),
    sleepUntil: (at) => Effect.suspend(() => this.#sleepFrom(this.now, at)),
    hold: (effect) => effect
  }

  #sleepFrom(from: number, at: number): Effect.Effect<void> {
    return at <= from ? Effect.void : Effect.zipRight(
      Effect.sleep(at - from),
      Effect.suspend(() => this.now < from ? Effect.void : this.#sleepFrom(this.now, at))
    )
  }

  /** The current process; null while the engine is down. */
  get life(): Life | null {
    return this.#life
  }

  /** Starts the next process. */
  begin(): Life {
    this.#lives += 1
    this.#life = new Life(this.#lives, this.#base)
    this.add({ kind: "started" })
    return this.#life
  }

  /** Kills the current process. With `keepsRunning`, its fibers go on. */
  end(where: string, keepsRunning = false): void {
    if (this.#life === null) return
    if (!keepsRunning) this.#life.end()
    this.#life = null
    for (const callback of this.#onEnd.splice(0)) callback()
    this.add({ kind: "crashed", where })
  }

  /** Calls back once when a process was killed; at once if it was already. */
  whenOver(life: Life, callback: () => void): void {
    if (life === this.#life) this.#onEnd.push(callback)
    else callback()
  }
}
