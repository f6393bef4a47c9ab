import { makeSpares } from "@trunkline/kernel"
import { NothingToRehearse, nothingToRehearse, Rehearsals, RehearsalsBusy } from "@trunkline/rehearsal"
import { Duration, Effect, Layer } from "effect"
import { startThread } from "./RehearsalThread.js"
import { ownEntry } from "./ThreadEntry.js"

/** What rehearsals may take of the machine. */
export interface RehearsalWorkerOptions {
  /** How many rehearsals may wait while one is played; 4 when absent. */
  readonly waiting?: number
  /** How large the JavaScript heap of a thread may grow, in megabytes; 1,536 when absent, enough for a million people. */
  readonly heapMegabytes?: number
  /** How long one may be played; 10 minutes when absent. */
  readonly limit?: Duration.DurationInput
  /** How long the thread waits for the next rehearsal before it ends; a minute when absent. */
  readonly idle?: Duration.DurationInput
}

/** Rehearses campaigns in worker threads, so that the server goes on dialling and answering. */
export const RehearsalWorker = {
  /**
   * `Rehearsals` in a thread, one at a time, and the others in the order in which they came. The thread is started by the
   * first of them and stays for the next, so that only one waits until its modules are loaded. What cannot be rehearsed
   * is refused without it.
   *
   * Interruption ends the thread at once; so does the limit, which fails with `NothingToRehearse`. A thread that breaks,
   * for want of memory or otherwise, is a defect of its rehearsal alone. Either way the next rehearsal gets a new one.
   */
  layer: (
    { heapMegabytes = 1_536, idle = "1 minute", limit = "10 minutes", waiting = 4 }: RehearsalWorkerOptions = {}
  ): Layer.Layer<Rehearsals> =>
    Layer.scoped(
      Rehearsals,
      Effect.gen(function*() {
        const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 128 }
        const threads = yield* makeSpares({
          start: () => startThread(ownEntry, resourceLimits),
          idleMillis: Duration.toMillis(idle)
        })
        const turns = yield* Effect.makeSemaphore(1)
        let taken = 0
        const take = Effect.suspend(() => {
          if (taken > waiting) return new RehearsalsBusy()
          taken += 1
          return Effect.void
        })
        const leave = Effect.sync(() => void (taken -= 1))
        const tooLong = new NothingToRehearse({
          message: `The rehearsal takes longer than ${Duration.format(limit)}: ask for fewer people`
        })
        return Rehearsals.of({
          run: (request, onProgress = () => Effect.void) =>
            Effect.suspend(() => nothingToRehearse(request) ?? Effect.void).pipe(
              Effect.zipRight(Effect.acquireUseRelease(
                take,
                () =>
                  turns.withPermits(1)(Effect.timeoutFail(
                    threads.use((thread) => thread.run(request, onProgress)),
                    { duration: limit, onTimeout: () => tooLong }
                  )),
                () => leave
              ))
            )
        })
      })
    )
}
