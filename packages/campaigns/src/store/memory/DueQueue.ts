import { PriorityQueue, type QueueEntry } from "@trunkline/kernel"

/** An entry of a `DueQueue`, ordered by `due` and then by `seat`, the order of enrolment. */
export interface QueueItem extends QueueEntry {
  readonly seat: number
  due: number
}

/** Waiting contacts in the order in which they are due. */
export class DueQueue<A extends QueueItem> {
  readonly #queue = new PriorityQueue<A>((a, b) => a.due < b.due || (a.due === b.due && a.seat < b.seat))

  /** Adds an entry that is not in the queue. */
  add(item: A, due: number): void {
    item.due = due
    this.#queue.add(item)
  }

  /** Removes an entry, if it is in the queue. */
  remove(item: A): void {
    this.#queue.remove(item)
  }

  /** The first entry. */
  get first(): A | undefined {
    return this.#queue.peek()
  }

  /** The first entries that are due, in order. They stay in the queue. */
  ready(now: number, limit: number): ReadonlyArray<A> {
    const items: Array<A> = []
    while (items.length < limit) {
      const first = this.#queue.peek()
      if (first === undefined || first.due > now) break
      items.push(first)
      this.#queue.remove(first)
    }
    for (const item of items) this.#queue.add(item)
    return items
  }

  /** The latest time at which an entry is due; null if there is none. */
  get lastDue(): number | null {
    let last: number | null = null
    for (const { due } of this.#queue) last = last === null || due > last ? due : last
    return last
  }
}
