import { frameMillis } from "@trunkline/audio"

/** The beat of all streams of a process: one timer, which stops while there is none. */
export interface MediaClock {
  /** Calls back every 20 ms with the monotonic time in milliseconds; returns what stops it. */
  readonly every: (tick: (now: number) => void) => () => void
}

/** Makes the beat of streams. */
export const makeMediaClock = (): MediaClock => {
  const ticks = new Set<(now: number) => void>()
  let timer: ReturnType<typeof setInterval> | null = null

  const beat = (): void => {
    const now = performance.now()
    for (const tick of ticks) tick(now)
  }

  return {
    every: (tick) => {
      ticks.add(tick)
      timer ??= setInterval(beat, frameMillis)
      return () => {
        ticks.delete(tick)
        if (ticks.size > 0 || timer === null) return
        clearInterval(timer)
        timer = null
      }
    }
  }
}
