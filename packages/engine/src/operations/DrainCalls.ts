import { CallRegistry, LiveCalls } from "@trunkline/telephony"
import { Duration, Effect } from "effect"

/** Ways in which the calls of a process end. */
export interface CallDrain {
  /** Begins no more calls, and completes when all have ended or, where that is possible, were left to another process. */
  readonly close: Effect.Effect<void>
  /** Leaves the calls that go on in another process to it, whatever else goes on. */
  readonly leave: Effect.Effect<void>
}

/** Time between two looks at the calls that go on, while some of them can be left. */
const lookEvery = Duration.millis(50)

/**
 * Makes the end of the calls of this process. Those that another process can go on with, the next start of this one included, are
 * left to it once all others are over. `handsOver` is false where nobody would find them.
 */
export const makeCallDrain = (handsOver: boolean): Effect.Effect<CallDrain, never, CallRegistry | LiveCalls> =>
  Effect.gen(function*() {
    const live = yield* LiveCalls
    const { leavable, leave } = yield* CallRegistry
    if (!handsOver) return { close: live.close, leave: Effect.void }
    const onlyThose = Effect.zipWith(live.count, leavable, (calls, those) => calls <= those)
    const othersOver = Effect.repeat(Effect.delay(onlyThose, lookEvery), { until: (isSo) => isSo })
    return {
      close: Effect.raceFirst(live.close, Effect.zipRight(othersOver, Effect.zipRight(leave, live.close))),
      leave
    }
  })
