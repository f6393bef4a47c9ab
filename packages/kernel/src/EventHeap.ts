/** Something that happens at a time; among those of the same time, in the order they were added. */
export interface HeapEvent<A> {
  readonly time: number
  readonly sequence: number
  readonly value: A
}

interface Slot<A> extends HeapEvent<A> {
  /** Where it sits in the heap; -1 once it has left. */
  index: number
}

const isBefore = (a: HeapEvent<unknown>, b: HeapEvent<unknown>): boolean =>
  a.time < b.time || (a.time === b.time && a.sequence < b.sequence)

/** Events in the order of time and then of adding. Adding, taking and removing cost O(log n). */
export class EventHeap<A> {
  readonly #slots: Array<Slot<A>> = []
  #sequence = 0

  /** An empty heap. */
  static readonly make = <A>(): EventHeap<A> => new EventHeap<A>()

  /** How many events wait. */
  get size(): number {
    return this.#slots.length
  }

  /** Adds an event; the result removes it again and says whether it was still there. */
  add(time: number, value: A): () => boolean {
    const slot: Slot<A> = { time, sequence: this.#sequence++, value, index: -1 }
    this.#rise(slot, this.#slots.length)
    return () => this.#remove(slot)
  }

  /** The earliest event, which stays. */
  peek(): HeapEvent<A> | undefined {
    return this.#slots[0]
  }

  /** Takes the earliest event out. */
  pop(): HeapEvent<A> | undefined {
    const first = this.#slots[0]
    if (first !== undefined) this.#remove(first)
    return first
  }

  #remove(slot: Slot<A>): boolean {
    const { index } = slot
    if (index < 0) return false
    slot.index = -1
    const last = this.#slots.pop()
    if (last === undefined || last === slot) return true
    const parent = this.#slots[(index - 1) >> 1]
    if (index > 0 && parent !== undefined && isBefore(last, parent)) this.#rise(last, index)
    else this.#sink(last, index)
    return true
  }

  #rise(slot: Slot<A>, from: number): void {
    let index = from
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = this.#slots[above]
      if (parent === undefined || isBefore(parent, slot)) break
      this.#place(parent, index)
      index = above
    }
    this.#place(slot, index)
  }

  #sink(slot: Slot<A>, from: number): void {
    let index = from
    for (;;) {
      const left = this.#slots[2 * index + 1]
      const right = this.#slots[2 * index + 2]
      const child = right !== undefined && left !== undefined && isBefore(right, left) ? right : left
      if (child === undefined || isBefore(slot, child)) break
      const below = child.index
      this.#place(child, index)
      index = below
    }
    this.#place(slot, index)
  }

  #place(slot: Slot<A>, index: number): void {
    this.#slots[index] = slot
    slot.index = index
  }
}
