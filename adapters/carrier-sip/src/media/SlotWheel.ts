/** Ticks of 20 ms for any number of calls, spread over slots that are 4 ms apart. */
export interface SlotWheel<Entry> {
  /** Adds an entry to the slot with the fewest; its first tick comes within 20 ms. */
  readonly add: (entry: Entry) => void
  readonly remove: (entry: Entry) => void
  /** Runs what is due. */
  readonly advance: (now: number) => void
  /** Time of the next tick; null when there are no entries. */
  readonly next: () => number | null
}

/** Effects of a wheel on its entries. */
export interface SlotWheelOptions<Entry> {
  /** Present time in milliseconds. */
  readonly now: number
  /** A tick that was due at a time. */
  readonly onTick: (entry: Entry, deadline: number) => void
  /** Ticks that are left out, the last of which was due at a time. */
  readonly onSkip: (entry: Entry, ticks: number, deadline: number) => void
}

/** Time between two ticks of an entry in milliseconds. There is a slot for each of them; entries take every fourth. */
const slotCount = 20

/**
 * Milliseconds between two slots with entries. Each of them wakes this thread and the main thread once, which costs more
 * than the tick of a call: with slots in each millisecond, 60 calls took a fifth more of a core.
 */
const gapRange = 4

/** Lateness in milliseconds beyond which ticks are left out. */
const maxLateness = 60

/**
 * Makes a wheel. Deadlines are absolute, so that lateness does not add up. Ticks that are up to 60 ms late are made up for.
 * After a longer standstill all missed ticks of an entry are left out but its last one: packets are never sent in a burst.
 *
 * @example
 * ```ts
 * const wheel = makeSlotWheel<Call>({ now: clock(), onTick: (call, at) => call.tick(at), onSkip: (call, n) => call.skip(n) })
 * wheel.add(call)
 * wheel.advance(clock())
 * setTimeout(turn, wheel.next() - clock())
 * ```
 */
export const makeSlotWheel = <Entry>({ now: start, onSkip, onTick }: SlotWheelOptions<Entry>): SlotWheel<Entry> => {
  const slots = Array.from({ length: slotCount }, () => new Set<Entry>())
  let size = 0
  /** Last millisecond whose slot was run. */
  let turn = Math.floor(start)

  const slotOf = (millis: number): ReadonlySet<Entry> | undefined => slots[millis % slotCount]

  /** Leaves out all ticks up to a millisecond. */
  const skip = (to: number): void => {
    slots.forEach((entries, slot) => {
      const last = to - (to - slot) % slotCount
      const ticks = Math.floor((last - turn - 1) / slotCount) + 1
      if (ticks > 0) { for (const entry of entries) onSkip(entry, ticks, last) }
    })
    turn = to
  }

  return {
    add: (entry) => {
      let fewest: Set<Entry> | undefined
      for (let millis = turn - turn % gapRange + gapRange; millis <= turn + slotCount; millis += gapRange) {
        const slot = slots[millis % slotCount]
        if (slot !== undefined && slot.size < (fewest?.size ?? Infinity)) fewest = slot
      }
      fewest?.add(entry)
      size += 1
    },
    remove: (entry) => {
      for (const entries of slots) if (entries.delete(entry)) size -= 1
    },
    advance: (now) => {
      const present = Math.floor(now)
      if (size === 0) {
        turn = Math.max(turn, present)
        return
      }
      if (now - turn - 1 > maxLateness) skip(present - slotCount)
      while (turn < present) {
        turn += 1
        for (const entry of slotOf(turn) ?? []) onTick(entry, turn)
      }
    },
    next: () => {
      if (size === 0) return null
      let next = turn + 1
      while (slotOf(next)?.size === 0) next += 1
      return next
    }
  }
}
