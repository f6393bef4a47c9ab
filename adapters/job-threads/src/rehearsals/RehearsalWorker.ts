import { NothingToRehearse, nothingToRehearse, Rehearsals, RehearsalsBusy } from "@trunkline/rehearsal"
import { makeWorkerPool } from "@trunkline/workers"
import { Duration, Effect, Layer } from "effect"
import { rehearsalsEntry } from "../Threads.js"
import { rehearseIn, startRehearsalThread } from "./RehearsalThread.js"

/** Limits on the resources that rehearsals use. */
export interface RehearsalWorkerOptions {
  /** Number of rehearsals that may wait while one runs; 4 by default. */
  readonly waiting?: number
  /** Limit of the JavaScript heap of a thread, in megabytes; 1,536 by default, enough for a million contacts. */
  readonly heapMegabytes?: number
  /** Time limit of one rehearsal, without the wait for its turn; 10 minutes by default. */
  readonly limit?: Duration.DurationInput
  /** Time that an idle thread waits for the next rehearsal before it ends; a minute by default. */
  readonly idle?: Duration.DurationInput
}

/** Rehearses campaigns in a worker thread, so that the server keeps dialling and responding. */
export const RehearsalWorker = {
  /**
   * `Rehearsals` in a thread: one at a time, in order of arrival. The thread starts with the first rehearsal and stays for
   * the next, so that only one waits for its modules to load. A request that cannot be rehearsed is refused without a
   * thread.
   *
   * An interruption ends the thread at once. So does the time limit, which fails with `NothingToRehearse`. A thread that
   * crashes, for want of memory or otherwise, is a defect (`RehearsalBroke`) of its rehearsal alone. The next rehearsal
   * gets a new thread.
   *
   * @example
   * const rehearsals = RehearsalWorker.layer({ waiting: 2, limit: "5 minutes" })
   */
  layer: (
    { heapMegabytes = 1_536, idle = "1 minute", limit = "10 minutes", waiting = 4 }: RehearsalWorkerOptions = {}
  ): Layer.Layer<Rehearsals> =>
    Layer.scoped(
      Rehearsals,
      Effect.gen(function*() {
        const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes }
        const pool = yield* makeWorkerPool({
          start: () => startRehearsalThread(rehearsalsEntry, resourceLimits),
          idleMillis: Duration.toMillis(idle),
          limit: { size: 1, waiting, onFull: () => new RehearsalsBusy() }
        })
        const tooLong = () =>
          new NothingToRehearse({
            message: `The rehearsal takes longer than ${Duration.format(limit)}: ask for fewer contacts`
          })
        return Rehearsals.of({
          run: (request, onProgress = () => Effect.void) =>
            Effect.suspend(() => nothingToRehearse(request) ?? Effect.void).pipe(
              Effect.zipRight(pool.use((thread) =>
                Effect.timeoutFail(rehearseIn(thread, request, onProgress), { duration: limit, onTimeout: tooLong })
              )),
              Effect.flatten
            )
        })
      })
    )
}
