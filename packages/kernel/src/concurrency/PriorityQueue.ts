/** An entry of a `PriorityQueue`. The queue keeps the entry's position in it, so that removing it needs no search. */
export interface QueueEntry {
  /** Position in the heap; -1 while the entry is in no queue. Only the queue writes it. */
  index: number
}

/**
 * A priority queue on a binary heap whose entries know their position: adding, taking and removing any entry cost
 * O(log n). An entry is in at most one queue at a time, and its order must not change while it is in it.
 *
 * @example
 * ```ts
 * const queue = new PriorityQueue<{ index: number; due: number }>((a, b) => a.due < b.due)
 * queue.add({ index: -1, due: 10 })
 * queue.peek()?.due // 10
 * ```
 */
export class PriorityQueue<A extends QueueEntry> implements Iterable<A> {
  readonly #heap: Array<A> = []
  readonly #isBefore: (a: A, b: A) => boolean

  /** An empty queue; `isBefore` is a strict total order. */
  constructor(isBefore: (a: A, b: A) => boolean) {
    this.#isBefore = isBefore
  }

  /** Number of entries. */
  get size(): number {
    return this.#heap.length
  }

  /** Adds an entry that is in no queue. */
  add(entry: A): void {
    this.#rise(entry, this.#heap.length)
  }

  /** The first entry, which stays in the queue. */
  peek(): A | undefined {
    return this.#heap[0]
  }

  /** Removes and returns the first entry. */
  pop(): A | undefined {
    const first = this.#heap[0]
    if (first !== undefined) this.remove(first)
    return first
  }

  /** Removes an entry; false if it is not in the queue. */
  remove(entry: A): boolean {
    const { index } = entry
    if (index < 0) return false
    entry.index = -1
    const last = this.#heap.pop()
    if (last === undefined || last === entry) return true
    const parent = this.#heap[(index - 1) >> 1]
    if (index > 0 && parent !== undefined && this.#isBefore(last, parent)) this.#rise(last, index)
    else this.#sink(last, index)
    return true
  }

  /** All entries, in no particular order. */
  [Symbol.iterator](): IterableIterator<A> {
    return this.#heap.values()
  }

  #rise(entry: A, from: number): void {
    let index = from
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = this.#heap[above]
      if (parent === undefined || this.#isBefore(parent, entry)) break
      this.#place(parent, index)
      index = above
    }
    this.#place(entry, index)
  }

  #sink(entry: A, from: number): void {
    let index = from
    for (;;) {
      const left = this.#heap[2 * index + 1]
      const right = this.#heap[2 * index + 2]
      const child = right !== undefined && left !== undefined && this.#isBefore(right, left) ? right : left
      if (child === undefined || this.#isBefore(entry, child)) break
      const below = child.index
      this.#place(child, index)
      index = below
    }
    this.#place(entry, index)
  }

  #place(entry: A, index: number): void {
    this.#heap[index] = entry
    entry.index = index
  }
}

/** A value due at a time. */
export interface QueuedEvent<A> {
  readonly time: number
  readonly value: A
}

interface EventEntry<A> extends QueuedEvent<A>, QueueEntry {
  readonly sequence: number
}

const isEarlier = (a: EventEntry<unknown>, b: EventEntry<unknown>): boolean =>
  a.time < b.time || (a.time === b.time && a.sequence < b.sequence)

/** Events ordered by time; events of the same time keep the order in which they were added. */
export class EventQueue<A> {
  readonly #queue = new PriorityQueue<EventEntry<A>>(isEarlier)
  #sequence = 0

  /** An empty queue. */
  static readonly make = <A>(): EventQueue<A> => new EventQueue<A>()

  /** Number of pending events. */
  get size(): number {
    return this.#queue.size
  }

  /** Adds an event. The returned function removes it again; it returns false if the event has already left. */
  add(time: number, value: A): () => boolean {
    const entry: EventEntry<A> = { time, sequence: this.#sequence++, value, index: -1 }
    this.#queue.add(entry)
    return () => this.#queue.remove(entry)
  }

  /** The earliest event, which stays in the queue. */
  peek(): QueuedEvent<A> | undefined {
    return this.#queue.peek()
  }

  /** Removes and returns the earliest event. */
  pop(): QueuedEvent<A> | undefined {
    return this.#queue.pop()
  }
}
