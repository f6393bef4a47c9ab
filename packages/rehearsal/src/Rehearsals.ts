import { Timestamp } from "@trunkline/kernel"
import { Context, Effect, Layer, Schema } from "effect"
import { CalleeModel } from "./callees/CalleeModel.js"
import { type NothingToRehearse, type RehearsalOptions, type RehearsalProgress, rehearse } from "./Rehearse.js"
import type { RehearsalReport } from "./report/RehearsalReport.js"
import { Prices } from "./run/MakeReport.js"

/** Too many rehearsals are waiting to accept another one. */
export class RehearsalsBusy extends Schema.TaggedError<RehearsalsBusy>()("RehearsalsBusy", {}) {
  override get message() {
    return "Too many rehearsals are waiting: try again later"
  }
}

/** A rehearsal that can be sent to another thread: contacts are a number, and there are no callbacks. */
export interface RehearsalRequest extends Omit<RehearsalOptions, "contacts" | "onLog" | "onProgress"> {
  /** Number of contacts to call. */
  readonly contacts: number
}

/** Runs rehearsals for a server. */
export class Rehearsals extends Context.Tag("@trunkline/rehearsal/Rehearsals")<Rehearsals, {
  /**
   * Rehearses a campaign and reports its progress from time to time. Interruption stops it. Fails with `RehearsalsBusy`
   * when too many rehearsals are waiting.
   */
  readonly run: (
    request: RehearsalRequest,
    onProgress?: (progress: RehearsalProgress) => Effect.Effect<void>
  ) => Effect.Effect<RehearsalReport, NothingToRehearse | RehearsalsBusy>
}>() {
  /**
   * Runs one rehearsal at a time in this thread. It yields to the event loop, but shares the thread with everything
   * else; servers use `RehearsalWorker.layer` of `@trunkline/job-threads`.
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

/** Largest number of contacts of a rehearsal over HTTP. */
const maxRehearsedContacts = 1_000_000

/**
 * Request body of `POST W/campaigns/{id}/rehearse`, which rehearses an existing campaign; an extension of the API. All
 * fields are optional.
 */
export const RehearseCampaign = Schema.Struct({
  /** Model of the callees; absent parts have defaults. */
  callees: Schema.optional(CalleeModel),
  /** Number of contacts; that of the campaign when absent. */
  contacts: Schema.optional(Schema.Int.pipe(Schema.between(1, maxRehearsedContacts))),
  /** Seed of all random numbers; default 1. */
  seed: Schema.optional(Schema.Union(Schema.Int, Schema.String.pipe(Schema.maxLength(64)))),
  /** Start of the rehearsal; now when absent. */
  now: Schema.optional(Timestamp),
  /** Concurrent calls of the workspace; the engine's setting when absent. */
  max_concurrent_calls: Schema.optional(Schema.Int.pipe(Schema.between(1, 100_000))),
  prices: Schema.optional(Prices),
  /** False to skip the search for the lowest rate that finishes; default true. */
  lowest_rate: Schema.optional(Schema.Boolean)
})
export type RehearseCampaign = typeof RehearseCampaign.Type
