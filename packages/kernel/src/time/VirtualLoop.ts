import { Effect, type Fiber, Scheduler } from "effect"
import { EventQueue } from "../concurrency/PriorityQueue.js"
import { onMacroTask } from "./Timers.js"

/** Rounds of tasks between two macrotasks, so that a fiber that never waits cannot freeze the process. */
const roundsPerTurn = 2_048

/** Operations of a fiber before `shouldYield` is evaluated for the first time, since evaluating it has a cost. */
const freeOperations = 1_024

/**
 * Event loop of virtual time and scheduler of its fibers. Each turn is one macrotask and runs every task that is ready.
 * When a turn finds none, promises have settled too: the earliest wake-up fires, and time advances to it.
 */
export class VirtualLoop implements Scheduler.Scheduler {
  readonly #wakeUps = EventQueue.make<() => void>()
  readonly #idle = Effect.unsafeMakeLatch(false)
  readonly #busy = Effect.unsafeMakeLatch(true)
  #tasks = new Scheduler.PriorityBuckets()
  #now: number
  #holds = 0
  #cancelTurn: (() => void) | undefined
  #ended = false

  constructor(start: number) {
    this.#now = start
  }

  /** The virtual time, in whole milliseconds since 1970. */
  get now(): number {
    return this.#now
  }

  /** Waits until there is nothing to do but wait for outside events. */
  readonly untilIdle: Effect.Effect<void> = this.#idle.await

  /** Waits until there is something to do again. */
  readonly untilBusy: Effect.Effect<void> = this.#busy.await

  /** Calls back at a virtual time, never if it is infinite; the returned function cancels it. */
  wakeAt(time: number, wakeUp: () => void): () => boolean {
    if (time === Number.POSITIVE_INFINITY) return () => false
    const cancel = this.#wakeUps.add(Math.max(this.#now, Math.ceil(time)), wakeUp)
    this.#wake()
    return cancel
  }

  /** Stops time until `release` has been called as often as `hold`. */
  hold(): void {
    this.#holds++
  }

  /** Ends one hold. */
  release(): void {
    this.#holds--
    this.#wake()
  }

  /** Ends virtual time: remaining fibers continue on the default scheduler, but their wake-ups never fire. */
  end(): void {
    this.#ended = true
    this.#cancelTurn?.()
    for (const [priority, tasks] of this.#takeTasks()) {
      tasks.forEach((task) => Scheduler.defaultScheduler.scheduleTask(task, priority))
    }
  }

  shouldYield(fiber: Fiber.RuntimeFiber<unknown, unknown>): number | false {
    return fiber.currentOpCount > freeOperations && Scheduler.defaultScheduler.shouldYield(fiber)
  }

  scheduleTask(task: Scheduler.Task, priority: number, fiber?: Fiber.RuntimeFiber<unknown, unknown>): void {
    if (this.#ended) return Scheduler.defaultScheduler.scheduleTask(task, priority, fiber)
    this.#tasks.scheduleTask(task, priority)
    this.#wake()
  }

  #wake(): void {
    if (this.#ended || this.#cancelTurn !== undefined) return
    this.#idle.unsafeClose()
    this.#busy.unsafeOpen()
    this.#cancelTurn = onMacroTask(this.#turn)
  }

  readonly #turn = () => {
    const worked = this.#runTasks()
    this.#cancelTurn = undefined
    if (worked) return this.#wake()
    if (this.#holds > 0) return
    const next = this.#wakeUps.pop()
    if (next === undefined) {
      this.#busy.unsafeClose()
      this.#idle.unsafeOpen()
      return
    }
    this.#now = next.time
    next.value()
    this.#runTasks()
    this.#wake()
  }

  #runTasks(): boolean {
    for (let round = 0; round < roundsPerTurn; round++) {
      const buckets = this.#takeTasks()
      if (buckets.length === 0) return round > 0
      for (const [, tasks] of buckets) {
        for (const task of tasks) task()
      }
    }
    return true
  }

  #takeTasks(): Scheduler.PriorityBuckets["buckets"] {
    const { buckets } = this.#tasks
    this.#tasks.buckets = []
    return buckets
  }
}
