import { PriorityQueue, type QueueEntry } from "@trunkline/kernel"

/** Something that happens at a moment of simulated time. It is scheduled at most once at a time. */
export abstract class TimelineEvent implements QueueEntry {
  index = -1
  /** Epoch milliseconds; only the timeline writes it. */
  time = 0
  /** Position among the events of the same time; only the timeline writes it. */
  order = 0

  /** Runs at the moment of the event. */
  abstract happen(): void
}

/**
 * Simulated time, in whole milliseconds. Events happen one by one, ordered by time and then by the order in which they
 * were scheduled. Each is over before the next one.
 */
export class Timeline {
  readonly #events = new PriorityQueue<TimelineEvent>((a, b) =>
    a.time < b.time || (a.time === b.time && a.order < b.order)
  )
  #now: number
  #scheduled = 0

  /** A timeline without events. */
  constructor(start: number) {
    this.#now = start
  }

  /** The simulated time, epoch milliseconds. */
  get now(): number {
    return this.#now
  }

  /** Schedules an event that is not scheduled; fractions of milliseconds are rounded up. */
  schedule(event: TimelineEvent, at: number): void {
    event.time = Math.max(this.#now, Math.ceil(at))
    event.order = this.#scheduled
    this.#scheduled += 1
    this.#events.add(event)
  }

  /** Takes an event off the timeline, if it is scheduled. */
  cancel(event: TimelineEvent): void {
    this.#events.remove(event)
  }

  /** Moves on to the next event; false without one. */
  advance(): boolean {
    const event = this.#events.pop()
    if (event === undefined) return false
    this.#now = event.time
    event.happen()
    return true
  }
}
