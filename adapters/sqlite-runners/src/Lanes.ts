/** Things that wait in lanes: within a lane in the order in which they came, the lanes in turn. */
export interface Lanes<A> {
  /** How many wait, in one lane or in all. */
  readonly size: (lane?: string) => number
  readonly add: (lane: string, item: A) => void
  /** Takes back what waits; false when it does no more. */
  readonly remove: (lane: string, item: A) => boolean
  /** Takes the next item out of the next lane that may go on. */
  readonly take: (mayGoOn: (lane: string) => boolean) => A | undefined
}

/** Lanes in which nothing waits yet. */
export const makeLanes = <A>(): Lanes<A> => {
  /** None is empty; the one whose turn it is comes first. */
  const lanes = new Map<string, Set<A>>()

  const remove = (lane: string, item: A): boolean => {
    const items = lanes.get(lane)
    const waited = items?.delete(item) ?? false
    if (items?.size === 0) lanes.delete(lane)
    return waited
  }

  return {
    size: (lane) =>
      lane === undefined
        ? [...lanes.values()].reduce((sum, items) => sum + items.size, 0)
        : lanes.get(lane)?.size ?? 0,
    add: (lane, item) => void lanes.set(lane, (lanes.get(lane) ?? new Set()).add(item)),
    remove,
    take: (mayGoOn) => {
      for (const [lane, items] of lanes) {
        const [item] = items
        if (item === undefined || !mayGoOn(lane)) continue
        remove(lane, item)
        if (lanes.delete(lane)) lanes.set(lane, items)
        return item
      }
      return undefined
    }
  }
}
