/** Somebody in the queue: who is due first comes first, of equally due ones who was enrolled first. */
export interface Queued {
  readonly seat: number
  due: number
  /** Where they stand in the heap; -1 while they are not in the queue. */
  index: number
}

const isBefore = (a: Queued, b: Queued): boolean => a.due < b.due || (a.due === b.due && a.seat < b.seat)

/** Those who wait, in order: a heap in which everybody knows where they stand, so that leaving costs O(log n) too. */
export class DueQueue<A extends Queued> {
  readonly #heap: Array<A> = []

  /** Takes somebody in who is not in it. */
  add(one: A, due: number): void {
    one.due = due
    this.#rise(one, this.#heap.length)
  }

  /** Lets somebody out, if they are in it. */
  remove(one: A): void {
    const { index } = one
    if (index < 0) return
    one.index = -1
    const last = this.#heap.pop()
    if (last === undefined || last === one) return
    const above = this.#heap[(index - 1) >> 1]
    if (index > 0 && above !== undefined && isBefore(last, above)) this.#rise(last, index)
    else this.#sink(last, index)
  }

  /** Who comes first. */
  get first(): A | undefined {
    return this.#heap[0]
  }

  /** Those who come first and are due, in order. */
  ready(now: number, limit: number): ReadonlyArray<A> {
    const found: Array<A> = []
    while (found.length < limit) {
      const first = this.#heap[0]
      if (first === undefined || first.due > now) break
      found.push(first)
      this.remove(first)
    }
    for (const one of found) this.add(one, one.due)
    return found
  }

  /** When the last one is due; null when there is nobody. */
  get lastDue(): number | null {
    let last: number | null = null
    for (const { due } of this.#heap) last = last === null || due > last ? due : last
    return last
  }

  #rise(one: A, from: number): void {
    let index = from
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = this.#heap[above]
      if (parent === undefined || isBefore(parent, one)) break
      this.#place(parent, index)
      index = above
    }
    this.#place(one, index)
  }

  #sink(one: A, from: number): void {
    let index = from
    for (;;) {
      const left = this.#heap[2 * index + 1]
      const right = this.#heap[2 * index + 2]
      const child = right !== undefined && left !== undefined && isBefore(right, left) ? right : left
      if (child === undefined || isBefore(one, child)) break
      const below = child.index
      this.#place(child, index)
      index = below
    }
    this.#place(one, index)
  }

  #place(one: A, index: number): void {
    this.#heap[index] = one
    one.index = index
  }
}
