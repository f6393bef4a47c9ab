import { type AttemptId, InteractionId, MemoryTable } from "@trunkline/kernel"
import { Context, Effect, Layer, Schema } from "effect"
import { TranscriptTurn } from "../call/CallHandler.js"

/**
 * Note of a call that goes on. `Signalling`: what another process needs to end the call, in the carrier's own form.
 * `Answered`: the start of its conversation, in epoch milliseconds of business time. `Turn`: something that was said. `Saying`:
 * what was heard so far of a turn that goes on. `Step` and `Line`: the logs of a conversation and of a leg that can go on in another
 * process, in their own form. `Resumed`: another process went on, in epoch milliseconds of business time.
 */
export const JournalEntry = Schema.Union(
  Schema.TaggedStruct("Signalling", { state: Schema.String }),
  Schema.TaggedStruct("Answered", { interaction_id: InteractionId, started_at: Schema.Number }),
  Schema.TaggedStruct("Turn", { turn: TranscriptTurn }),
  Schema.TaggedStruct("Saying", { turn: TranscriptTurn }),
  Schema.TaggedStruct("Step", { text: Schema.String }),
  Schema.TaggedStruct("Line", { text: Schema.String }),
  Schema.TaggedStruct("Resumed", { at: Schema.Number })
)
export type JournalEntry = typeof JournalEntry.Type

/** An entry with its attempt. */
export interface JournalLine {
  readonly attempt_id: AttemptId
  readonly entry: JournalEntry
}

/** Storage of the entries of calls that go on. Every write joins the current transaction. */
export class CallJournalStore extends Context.Tag("@trunkline/telephony/CallJournalStore")<CallJournalStore, {
  /** Adds entries, in order. */
  readonly append: (lines: ReadonlyArray<JournalLine>) => Effect.Effect<void>
  /** The entries of an attempt, in the order in which they were added. */
  readonly ofAttempt: (id: AttemptId) => Effect.Effect<ReadonlyArray<JournalEntry>>
  /** Removes the entries of some attempts. */
  readonly remove: (ids: ReadonlyArray<AttemptId>) => Effect.Effect<void>
}>() {
  /** Stores entries in memory. */
  static readonly layerMemory = Layer.sync(CallJournalStore, () => {
    const entries = MemoryTable.make<AttemptId, ReadonlyArray<JournalEntry>>()
    return CallJournalStore.of({
      append: (lines) =>
        Effect.forEach(
          lines,
          ({ attempt_id, entry }) =>
            Effect.suspend(() => entries.set(attempt_id, [...entries.get(attempt_id) ?? [], entry])),
          { discard: true }
        ),
      ofAttempt: (id) => Effect.sync(() => entries.get(id) ?? []),
      remove: (ids) => Effect.forEach(ids, (id) => entries.delete(id), { discard: true })
    })
  })
}
