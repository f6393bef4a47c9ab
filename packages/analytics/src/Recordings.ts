import { type InteractionId, type Scope, scopeKey } from "@trunkline/kernel"
import { Chunk, Context, Effect, Layer, Option, Stream } from "effect"

/** Recording of a conversation, as a WAV file. */
export interface Recording {
  readonly bytes: Stream.Stream<Uint8Array>
  /** Size in bytes. */
  readonly size: number
}

/** Store of recordings of conversations. */
export class Recordings extends Context.Tag("@trunkline/analytics/Recordings")<Recordings, {
  /** Stores a WAV file, replacing an earlier one. If the stream fails, the earlier one stays. */
  readonly keep: <E>(
    scope: Scope,
    interaction_id: InteractionId,
    bytes: Stream.Stream<Uint8Array, E>
  ) => Effect.Effect<void, E>
  /** Finds the recording of a conversation of this workspace. */
  readonly find: (scope: Scope, interaction_id: InteractionId) => Effect.Effect<Option.Option<Recording>>
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
          Option.map(Option.fromNullable(recordings.get(key(scope, interaction_id))), (chunks) => ({
            bytes: Stream.fromChunk(chunks),
            size: Chunk.reduce(chunks, 0, (sum, chunk) => sum + chunk.byteLength)
          }))
        ),
      remove: (scope, interaction_id) => Effect.sync(() => void recordings.delete(key(scope, interaction_id)))
    })
  })
}
