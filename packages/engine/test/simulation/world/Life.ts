import type { Fiber, Scheduler } from "effect"

/**
 * One life of the engine: the scheduler of all its fibers. When it ends, none of them takes another step, so that
 * nothing is released, finalized or undone.
 */
export class Life implements Scheduler.Scheduler {
  readonly #base: Scheduler.Scheduler
  #isOver = false

  /** Which one it is, from 1. */
  constructor(readonly number: number, base: Scheduler.Scheduler) {
    this.#base = base
  }

  /** Whether it has ended. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Ends it, in the middle of whatever it does. */
  end(): void {
    this.#isOver = true
  }

  scheduleTask(task: Scheduler.Task, priority: number, fiber?: Fiber.RuntimeFiber<unknown, unknown>): void {
    if (this.#isOver) return
    this.#base.scheduleTask(
      () => {
        if (!this.#isOver) task()
      },
      priority,
      fiber
    )
  }

  shouldYield(fiber: Fiber.RuntimeFiber<unknown, unknown>): number | false {
    return this.#isOver ? 0 : this.#base.shouldYield(fiber)
  }
}
