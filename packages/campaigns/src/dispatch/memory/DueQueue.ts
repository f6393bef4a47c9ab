/** An item of the queue, ordered by due time, then by seat. */
export interface QueueItem {
  readonly seat: number
  due: number
  /** Position in the heap; -1 while it is not in the queue. */
  index: number
}

const isBefore = (a: QueueItem, b: QueueItem): boolean => a.due < b.due || (a.due === b.due && a.seat < b.seat)

/** A binary heap whose items know their position, so that removing one takes O(log n) too. */
export class DueQueue<A extends QueueItem> {
  readonly #heap: Array<A> = []

  /** Adds an item that is not in the queue. */
  add(item: A, due: number): void {
    item.due = due
    this.#rise(item, this.#heap.length)
  }

  /** Removes an item, if it is in the queue. */
  remove(item: A): void {
    const { index } = item
    if (index < 0) return
    item.index = -1
    const last = this.#heap.pop()
    if (last === undefined || last === item) return
    const above = this.#heap[(index - 1) >> 1]
    if (index > 0 && above !== undefined && isBefore(last, above)) this.#rise(last, index)
    else this.#sink(last, index)
  }

  /** The first item. */
  get first(): A | undefined {
    return this.#heap[0]
  }

  /** The first items that are due, in order; they stay in the queue. */
  ready(now: number, limit: number): ReadonlyArray<A> {
    const found: Array<A> = []
    while (found.length < limit) {
      const first = this.#heap[0]
      if (first === undefined || first.due > now) break
      found.push(first)
      this.remove(first)
    }
    for (const item of found) this.add(item, item.due)
    return found
  }

  /** Due time of the item that is due last; null when the queue is empty. */
  get lastDue(): number | null {
    let last: number | null = null
    for (const { due } of this.#heap) last = last === null || due > last ? due : last
    return last
  }

  #rise(item: A, from: number): void {
    let index = from
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = this.#heap[above]
      if (parent === undefined || isBefore(parent, item)) break
      this.#place(parent, index)
      index = above
    }
    this.#place(item, index)
  }

  #sink(item: A, from: number): void {
    let index = from
    for (;;) {
      const left = this.#heap[2 * index + 1]
      const right = this.#heap[2 * index + 2]
      const child = right !== undefined && left !== undefined && isBefore(right, left) ? right : left
      if (child === undefined || isBefore(item, child)) break
      const below = child.index
      this.#place(child, index)
      index = below
    }
    this.#place(item, index)
  }

  #place(item: A, index: number): void {
    this.#heap[index] = item
    item.index = index
  }
}
