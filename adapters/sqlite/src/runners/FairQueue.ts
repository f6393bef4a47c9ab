/** A queue with lanes: items of a lane leave in order of arrival, and the lanes take turns. */
export interface FairQueue<A> {
  /** Number of items in one lane, or in all. */
  readonly size: (lane?: string) => number
  readonly add: (lane: string, item: A) => void
  /** Removes an item; false when it was not in the queue any more. */
  readonly remove: (lane: string, item: A) => boolean
  /** Takes the next item of the next lane that may run. */
  readonly take: (mayRun: (lane: string) => boolean) => A | undefined
}

/** Makes an empty queue. */
export const makeFairQueue = <A>(): FairQueue<A> => {
  /** Lanes with items, in the order of their turns. */
  const lanes = new Map<string, Set<A>>()

  const remove = (lane: string, item: A): boolean => {
    const items = lanes.get(lane)
    const isRemoved = items?.delete(item) ?? false
    if (items?.size === 0) lanes.delete(lane)
    return isRemoved
  }

  return {
    size: (lane) =>
      lane === undefined
        ? [...lanes.values()].reduce((sum, items) => sum + items.size, 0)
        : lanes.get(lane)?.size ?? 0,
    add: (lane, item) => void lanes.set(lane, (lanes.get(lane) ?? new Set()).add(item)),
    remove,
    take: (mayRun) => {
      for (const [lane, items] of lanes) {
        const [item] = items
        if (item === undefined || !mayRun(lane)) continue
        remove(lane, item)
        if (lanes.delete(lane)) lanes.set(lane, items)
        return item
      }
      return undefined
    }
  }
}
