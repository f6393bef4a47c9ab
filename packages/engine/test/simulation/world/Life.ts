import type { Fiber, Scheduler } from "effect"

/**
 * One process of the engine, as the scheduler of all its fibers. When it is killed, no fiber takes another step, so that
 * nothing is released, finalized or rolled back.
 */
export class Life implements Scheduler.Scheduler {
  readonly #base: Scheduler.Scheduler
  #isOver = false

  /** Number of the process, from 1. */
  constructor(readonly number: number, base: Scheduler.Scheduler) {
    this.#base = base
  }

  /** True after the process was killed. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Kills the process at once. */
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
