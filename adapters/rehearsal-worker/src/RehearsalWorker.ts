import { NothingToRehearse, Rehearsals, RehearsalsBusy } from "@trunkline/rehearsal"
import { Duration, Effect, Layer } from "effect"
import { rehearseInThread } from "./RehearsalThread.js"
import { ownEntry } from "./ThreadEntry.js"

/** What rehearsals may take of the machine. */
export interface RehearsalWorkerOptions {
  /** How many rehearsals may wait while one is played; 4 when absent. */
  readonly waiting?: number
  /** How large the JavaScript heap of a thread may grow, in megabytes; 1,536 when absent, enough for a million people. */
  readonly heapMegabytes?: number
  /** How long one may be played; 10 minutes when absent. */
  readonly limit?: Duration.DurationInput
}

/** Rehearses campaigns in worker threads, so that the server goes on dialling and answering. */
export const RehearsalWorker = {
  /**
   * `Rehearsals` with a thread for each, one at a time, and the others in the order in which they came. Interruption
   * ends the thread at once; so does the limit, which fails with `NothingToRehearse`. A thread that breaks, for want of memory or otherwise, is a defect of its rehearsal alone.
   */
  layer: (
    { heapMegabytes = 1_536, limit = "10 minutes", waiting = 4 }: RehearsalWorkerOptions = {}
  ): Layer.Layer<Rehearsals> =>
    Layer.effect(
      Rehearsals,
      Effect.map(Effect.makeSemaphore(1), (turns) => {
        let taken = 0
        const take = Effect.suspend(() => {
          if (taken > waiting) return new RehearsalsBusy()
          taken += 1
          return Effect.void
        })
        const leave = Effect.sync(() => void (taken -= 1))
        const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 128 }
        const tooLong = new NothingToRehearse({
          message: `The rehearsal takes longer than ${Duration.format(limit)}: ask for fewer people`
        })
        return Rehearsals.of({
          run: (request, onProgress = () => Effect.void) =>
            Effect.acquireUseRelease(
              take,
              () =>
                turns.withPermits(1)(Effect.timeoutFail(
                  rehearseInThread(ownEntry, { request, onProgress, resourceLimits }),
                  { duration: limit, onTimeout: () => tooLong }
                )),
              () => leave
            )
        })
      })
    )
}
