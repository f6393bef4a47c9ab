import { Effect, type Fiber, Scheduler } from "effect"
import { EventQueue } from "../concurrency/PriorityQueue.js"
import { onMacroTask } from "./Timers.js"

/**
 * Macrotasks that are asked for at once by turns that ran no fiber. Promises settle between any two of them, but sockets and
 * timers are polled only after all of them: a system call that takes seven times as long as such a turn.
 */
const turnsPerPoll = 8

/** Rounds of tasks in a turn, so that a fiber that never waits cannot freeze the process. */
const roundsPerTurn = 2_048

/** Operations of a fiber before `shouldYield` is evaluated for the first time, since evaluating it has a cost. */
const freeOperations = 1_024

/**
 * Event loop of virtual time and scheduler of its fibers. Each turn is one macrotask and runs every task that is ready.
 * When a turn finds none, promises have settled too: the earliest wake-up fires, and time advances to it. After a turn that ran
 * a fiber, sockets and timers are polled, so that a fiber that waits for a macrotask of its own holds time.
 */
export class VirtualLoop implements Scheduler.Scheduler {
  readonly #wakeUps = EventQueue.make<() => void>()
  readonly #idle = Effect.unsafeMakeLatch(false)
  readonly #busy = Effect.unsafeMakeLatch(true)
  #tasks = new Scheduler.PriorityBuckets()
  #now: number
  #holds = 0
  /** The next turn: none, in one of the macrotasks that were asked for, or in one after the next poll. */
  #next: "none" | "soon" | "polled" = "none"
  #macroTasks = 0
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

  #wake(isPolled = true): void {
    if (this.#ended || this.#next !== "none") return
    this.#idle.unsafeClose()
    this.#busy.unsafeOpen()
    this.#next = isPolled ? "polled" : "soon"
    if (isPolled) return onMacroTask(this.#afterPoll)
    if (this.#macroTasks > 0) return
    this.#macroTasks = turnsPerPoll
    for (let turn = 0; turn < turnsPerPoll; turn++) onMacroTask(this.#soon)
  }

  readonly #afterPoll = () => {
    if (this.#next === "polled" && !this.#ended) this.#turn()
  }

  readonly #soon = () => {
    this.#macroTasks--
    if (this.#next === "soon" && !this.#ended) this.#turn()
  }

  #turn(): void {
    const didWork = this.#runTasks()
    this.#next = "none"
    if (didWork) return this.#wake()
    if (this.#holds > 0) return
    const next = this.#wakeUps.pop()
    if (next === undefined) {
      this.#busy.unsafeClose()
      this.#idle.unsafeOpen()
      return
    }
    this.#now = next.time
    // Tasks that the wake-up schedules run in this turn.
    this.#next = "soon"
    next.value()
    const ranFiber = this.#runTasks()
    this.#next = "none"
    this.#wake(ranFiber)
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
