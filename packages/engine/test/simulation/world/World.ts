import { BusinessTime } from "@trunkline/kernel"
import { Effect, type Fiber, FiberRef, Runtime, type Scheduler } from "effect"
import { type Happening, History, type What } from "../history/History.js"
import { Dice } from "./Dice.js"
import { Life } from "./Life.js"

/** What outlives the engine: time, chance, and the history of it all. */
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

  /** A world around the fiber that makes it. */
  static readonly make = (seed: number): Effect.Effect<World> =>
    Effect.gen(function*() {
      const runtime = yield* Effect.runtime()
      const base = yield* FiberRef.get(FiberRef.currentScheduler)
      const clock = yield* Effect.clock
      return new World(seed, { runtime, base, real: () => clock.unsafeCurrentTimeMillis() })
    })

  /** Chance for one purpose. */
  dice(purpose: string): Dice {
    return new Dice(this.seed, purpose)
  }

  /** What the engine's clocks read, in epoch milliseconds. */
  get now(): number {
    return this.#real() + this.#shift
  }

  /** Milliseconds since the world began, which nobody can set. */
  get elapsed(): number {
    return this.#real() - this.#began
  }

  /** Writes down what has just happened; `life` is whose deed it is, the present one's by default. */
  add(what: What, life: number = this.#lives): void {
    this.history.add(what, { at: this.now, real: this.elapsed, life })
  }

  /** Everything so far. */
  get happenings(): ReadonlyArray<Happening> {
    return this.history.happenings
  }

  /** Calls back after so many milliseconds, whatever becomes of the engine. */
  after(milliseconds: number, callback: () => void): void {
    Runtime.runFork(this.#runtime)(Effect.zipRight(Effect.sleep(Math.max(0, milliseconds)), Effect.sync(callback)))
  }

  /** Runs something as part of a life: it stops where that ends. */
  fork<A, E>(life: Life, effect: Effect.Effect<A, E>): Fiber.RuntimeFiber<A, E> {
    return Runtime.runFork(this.#runtime)(Effect.provideService(effect, BusinessTime, this.time), { scheduler: life })
  }

  /** Sets the engine's clocks forward, or back. */
  setClock(by: number): void {
    this.#shift += by
    this.add({ kind: "clock", by })
  }

  /** The engine's business time. What waits in it notices only when it wakes that the clocks have been set. */
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

  /** The life that goes on; null between two of them. */
  get life(): Life | null {
    return this.#life
  }

  /** Begins the next life. */
  begin(): Life {
    this.#lives += 1
    this.#life = new Life(this.#lives, this.#base)
    this.add({ kind: "started" })
    return this.#life
  }

  /** Ends the present life, where `where` says; one that is undead only seems to end. */
  end(where: string, undead = false): void {
    if (this.#life === null) return
    if (!undead) this.#life.end()
    this.#life = null
    for (const callback of this.#onEnd.splice(0)) callback()
    this.add({ kind: "crashed", where })
  }

  /** Calls back, once, when a life has ended: at once, where it has already. */
  whenOver(life: Life, callback: () => void): void {
    if (life === this.#life) this.#onEnd.push(callback)
    else callback()
  }
}
