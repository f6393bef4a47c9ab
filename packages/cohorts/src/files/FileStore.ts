import { Chunk, Context, Effect, Layer, Option, Stream } from "effect"

/** Keeps files under keys such as `coh-1a2b3c4d5e6f/cohort`. */
export class FileStore extends Context.Tag("@trunkline/cohorts/FileStore")<FileStore, {
  /** Keeps all that the stream gives, in place of what was there; when it fails, what was there stays. */
  readonly write: <E>(key: string, bytes: Stream.Stream<Uint8Array, E>) => Effect.Effect<void, E>
  /** The bytes under a key, or none when there is no such file. */
  readonly read: (key: string) => Effect.Effect<Option.Option<Stream.Stream<Uint8Array>>>
  /** How many bytes are under a key, or none when there is no such file. */
  readonly size: (key: string) => Effect.Effect<Option.Option<number>>
  /** Removes a file; there may be none. */
  readonly remove: (key: string) => Effect.Effect<void>
}>() {
  /** Keeps files in memory. */
  static readonly layerMemory: Layer.Layer<FileStore> = Layer.sync(FileStore, () => {
    const files = new Map<string, Chunk.Chunk<Uint8Array>>()
    return FileStore.of({
      write: (key, bytes) =>
        Stream.runCollect(Stream.map(bytes, (part) => new Uint8Array(part))).pipe(
          Effect.map((parts) => void files.set(key, parts))
        ),
      read: (key) => Effect.sync(() => Option.map(Option.fromNullable(files.get(key)), Stream.fromChunk)),
      size: (key) =>
        Effect.sync(() =>
          Option.map(Option.fromNullable(files.get(key)), Chunk.reduce(0, (sum, part) => sum + part.length))
        ),
      remove: (key) => Effect.sync(() => void files.delete(key))
    })
  })
}
