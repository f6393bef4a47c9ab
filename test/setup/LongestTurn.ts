import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"

/** The scheduler's counters of the process's main thread, on Linux: the first is its time on a processor, in nanoseconds. */
const counters = `/proc/${process.pid}/task/${process.pid}/schedstat`

/** Time that this thread has worked, in milliseconds; where the system does not count it, time on the clock. */
const workedMillis = existsSync(counters)
  ? () => Number(readFileSync(counters, "utf8").split(" ")[0]) / 1e6
  : () => performance.now()

/**
 * Measures the longest work of the event loop without a pause while an effect runs, in milliseconds of processor time. Other
 * programs that keep the processors busy do not count.
 */
export const longestTurn = <E, R>(effect: Effect.Effect<unknown, E, R>): Effect.Effect<number, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      let [longest, worked] = [0, workedMillis()]
      const read = () => {
        const now = workedMillis()
        longest = Math.max(longest, now - worked)
        worked = now
        return longest
      }
      return { timer: setInterval(read, 1), read }
    }),
    ({ read }) => Effect.map(effect, read),
    ({ timer }) => Effect.sync(() => clearInterval(timer))
  )
