import { concatBytes, type InteractionId, type Scope, scopeKey } from "@trunkline/kernel"
import { Chunk, Context, Effect, Layer, Option, Schema, Stream } from "effect"

/** A range of bytes: from `from` up to, but without, `to`. */
export interface RecordedRange {
  readonly from: number
  readonly to: number
}

/** Recording of a conversation, as a WAV file. */
export interface Recording {
  readonly bytes: Stream.Stream<Uint8Array>
  /** Size in bytes. */
  readonly size: number
  /** The bytes of a range, without what comes before and after it. */
  readonly read: (range: RecordedRange) => Stream.Stream<Uint8Array>
}

/** A recording that was encrypted with a key that this process does not have, or that is damaged. */
export class RecordingLocked extends Schema.TaggedError<RecordingLocked>()("RecordingLocked", {
  /** Id of the key that it was encrypted with, eight hexadecimal digits. */
  key_id: Schema.String
}) {
  override get message() {
    return `The recording was encrypted with the key ${this.key_id}, which this server does not have or which does not fit. `
      + "Give that key among the previous keys of recordings."
  }
}

/** Store of recordings of conversations. */
export class Recordings extends Context.Tag("@trunkline/analytics/Recordings")<Recordings, {
  /** Stores a WAV file, replacing an earlier one. If the stream fails, the earlier one stays. */
  readonly keep: <E>(
    scope: Scope,
    interaction_id: InteractionId,
    bytes: Stream.Stream<Uint8Array, E>
  ) => Effect.Effect<void, E>
  /** Finds the recording of a conversation of this workspace. Fails where no key fits it. */
  readonly find: (
    scope: Scope,
    interaction_id: InteractionId
  ) => Effect.Effect<Option.Option<Recording>, RecordingLocked>
  /** Removes a recording, if there is one. */
  readonly remove: (scope: Scope, interaction_id: InteractionId) => Effect.Effect<void>
}>() {
  /** Stores recordings in memory. */
  static readonly layerMemory = Layer.sync(Recordings, () => {
    const recordings = new Map<string, Chunk.Chunk<Uint8Array>>()
    const key = (scope: Scope, interaction_id: InteractionId) => `${scopeKey(scope)}/${interaction_id}`
    return Recordings.of({
      keep: (scope, interaction_id, bytes) =>
        Effect.map(Stream.runCollect(bytes), (chunks) => void recordings.set(key(scope, interaction_id), chunks)),
      find: (scope, interaction_id) =>
        Effect.sync(() =>
          Option.map(Option.fromNullable(recordings.get(key(scope, interaction_id))), (chunks) => {
            const bytes = concatBytes(Chunk.toReadonlyArray(chunks))
            return {
              bytes: Stream.make(bytes),
              size: bytes.length,
              read: ({ from, to }) => Stream.make(bytes.subarray(from, to))
            }
          })
        ),
      remove: (scope, interaction_id) => Effect.sync(() => void recordings.delete(key(scope, interaction_id)))
    })
  })
}
