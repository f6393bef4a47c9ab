import { type InteractionId, type Scope, scopeKey } from "@trunkline/kernel"
import { Chunk, Context, Effect, Layer, Option, Stream } from "effect"

/** The sound of one conversation, as a WAV file. */
export interface Recording {
  readonly bytes: Stream.Stream<Uint8Array>
  /** How many bytes there are. */
  readonly size: number
}

/** Keeps what conversations sounded like. */
export class Recordings extends Context.Tag("@trunkline/analytics/Recordings")<Recordings, {
  /** Keeps a WAV file, in place of what was there; when the stream fails, what was there stays. */
  readonly keep: <E>(
    scope: Scope,
    interaction_id: InteractionId,
    bytes: Stream.Stream<Uint8Array, E>
  ) => Effect.Effect<void, E>
  /** The recording of a conversation of this workspace. */
  readonly find: (scope: Scope, interaction_id: InteractionId) => Effect.Effect<Option.Option<Recording>>
  /** Removes a recording; there may be none. */
  readonly remove: (scope: Scope, interaction_id: InteractionId) => Effect.Effect<void>
}>() {
  /** Keeps recordings in memory. */
  static readonly layerMemory = Layer.sync(Recordings, () => {
    const kept = new Map<string, Chunk.Chunk<Uint8Array>>()
    const key = (scope: Scope, interaction_id: InteractionId) => `${scopeKey(scope)}/${interaction_id}`
    return Recordings.of({
      keep: (scope, interaction_id, bytes) =>
        Effect.map(Stream.runCollect(bytes), (parts) => void kept.set(key(scope, interaction_id), parts)),
      find: (scope, interaction_id) =>
        Effect.sync(() =>
          Option.map(Option.fromNullable(kept.get(key(scope, interaction_id))), (parts) => ({
            bytes: Stream.fromChunk(parts),
            size: Chunk.reduce(parts, 0, (sum, part) => sum + part.byteLength)
          }))
        ),
      remove: (scope, interaction_id) => Effect.sync(() => void kept.delete(key(scope, interaction_id)))
    })
  })
}
