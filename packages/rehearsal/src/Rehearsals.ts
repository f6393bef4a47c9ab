import { Context, Effect, Layer } from "effect"
import type { RehearsalsBusy } from "./RehearsalsBusy.js"
import { type NothingToRehearse, type RehearsalOptions, type RehearsalProgress, rehearse } from "./Rehearse.js"
import type { RehearsalReport } from "./report/RehearsalReport.js"

/** What is rehearsed, without what cannot cross to another thread: people are a number, and no log is handed on. */
export interface RehearsalRequest extends Omit<RehearsalOptions, "contacts" | "onLog" | "onProgress"> {
  /** How many people are called. */
  readonly contacts: number
}

/** Rehearses campaigns for a server, without holding up what it does besides. */
export class Rehearsals extends Context.Tag("@trunkline/rehearsal/Rehearsals")<Rehearsals, {
  /**
   * Plays a campaign, and tells from time to time how far it is. Interrupting it stops it. Fails with `RehearsalsBusy`
   * when too many wait already.
   */
  readonly run: (
    request: RehearsalRequest,
    onProgress?: (progress: RehearsalProgress) => Effect.Effect<void>
  ) => Effect.Effect<RehearsalReport, NothingToRehearse | RehearsalsBusy>
}>() {
  /**
   * Rehearses in this thread, one after the other. Nothing is blocked for long, but everything else has to share the
   * thread: servers use `RehearsalWorker.layer` of `@trunkline/rehearsal-worker`.
   */
  static readonly layer: Layer.Layer<Rehearsals> = Layer.effect(
    Rehearsals,
    Effect.map(Effect.makeSemaphore(1), (turns) =>
      Rehearsals.of({
        run: (request, onProgress) =>
          turns.withPermits(1)(rehearse({ ...request, ...(onProgress === undefined ? {} : { onProgress }) }))
      }))
  )
}
