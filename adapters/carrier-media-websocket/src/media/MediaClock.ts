import { frameMillis } from "@trunkline/audio"

/** The beat of all streams of a process: one timer, which stops while there is none. */
export interface MediaClock {
  /** Monotonic time in milliseconds. */
  readonly now: () => number
  /** Calls back every 20 ms with the monotonic time in milliseconds; returns what stops it. */
  readonly every: (tick: (now: number) => void) => () => void
}

/** Milliseconds between two beats. Each stream has every fourth, so that the sound of others holds up the frames of none for long. */
const beatMillis = 5

/** Groups of streams, one for each beat in 20 ms. */
const groupCount = frameMillis / beatMillis

/** Number of the beat at a time. */
const beatAt = (now: number): number => Math.floor(now / beatMillis)

/** Makes the beat of streams. */
export const makeMediaClock = (): MediaClock => {
  const groups = Array.from({ length: groupCount }, () => new Set<(now: number) => void>())
  let timer: ReturnType<typeof setTimeout> | null = null
  /** The last beat that was made. */
  let last = 0

  const groupOf = (beat: number): ReadonlySet<(now: number) => void> | undefined => groups[beat % groupCount]

  /** Waits for the next beat of a group with streams. */
  const wait = (): void => {
    for (let beat = last + 1; beat <= last + groupCount; beat++) {
      if (groupOf(beat)?.size === 0) continue
      timer = setTimeout(make, Math.max(1, Math.ceil(beat * beatMillis - performance.now())))
      return
    }
    timer = null
  }

  /** Makes the beats that are due: each group has one, however late they are. */
  const make = (): void => {
    const now = performance.now()
    const due = beatAt(now)
    for (let beat = Math.max(last + 1, due - groupCount + 1); beat <= due; beat++) {
      groupOf(beat)?.forEach((tick) => tick(now))
    }
    last = due
    wait()
  }

  return {
    now: () => performance.now(),
    every: (tick) => {
      const group = groups.reduce((least, each) => each.size < least.size ? each : least)
      group.add(tick)
      if (timer === null) last = beatAt(performance.now())
      else if (group.size === 1) clearTimeout(timer)
      if (timer === null || group.size === 1) wait()
      return () => {
        group.delete(tick)
        if (timer === null || groups.some(({ size }) => size > 0)) return
        clearTimeout(timer)
        timer = null
      }
    }
  }
}
