import { appendBytes, concatBytes } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Stream } from "effect"

/** A part of a file in bytes: from `from` up to, but without, `to`. What lies after the end of the file is left out. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** Bytes that follow a file's first `at` ones, in parts. */
export interface AppendedBytes {
  readonly at: number
  readonly parts: ReadonlyArray<Uint8Array>
}

/** The bytes of a stream within a range, whatever its parts are. */
export const inRange = (bytes: Stream.Stream<Uint8Array>, { from, to }: ByteRange): Stream.Stream<Uint8Array> =>
  Stream.suspend(() => {
    let read = 0
    return bytes.pipe(
      Stream.takeUntil(({ length }) => read + length >= to),
      Stream.map((part) => {
        const at = read
        read += part.length
        return part.subarray(Math.max(0, from - at), Math.max(0, to - at))
      }),
      Stream.filter((part) => part.length > 0)
    )
  })

/**
 * Port of a file store, with keys such as `coh-1a2b3c4d5e6f/cohort`. `fileStoreLaws` tests implementations.
 *
 * @example
 * ```ts
 * const write = Effect.flatMap(FileStore, (files) => files.write("coh-1/cohort", Stream.make(bytes)))
 * ```
 */
export class FileStore extends Context.Tag("@trunkline/cohorts/FileStore")<FileStore, {
  /** Stores a stream in place of an earlier file. When the stream fails, the earlier file stays. */
  readonly write: <E>(key: string, bytes: Stream.Stream<Uint8Array, E>) => Effect.Effect<void, E>
  /**
   * Stores bytes that are all there, in parts, as `write` does, where that costs less without a stream. Use
   * `FileStore.writeBytes`, which works with every store.
   */
  readonly writeBytes?: (key: string, parts: ReadonlyArray<Uint8Array>) => Effect.Effect<void>
  /**
   * Adds bytes to a file, which it creates, and returns once they are on the disk. They begin at `at`, the end of the file
   * in bytes: what lies there after an append that was cut off is dropped. Missing in stores that cannot, such as buckets.
   */
  readonly append?: (key: string, bytes: AppendedBytes) => Effect.Effect<void>
  /** The bytes of a file, or of a range of it; none if it does not exist. */
  readonly read: (key: string, range?: ByteRange) => Effect.Effect<Option.Option<Stream.Stream<Uint8Array>>>
  /** The size of a file in bytes, or none if it does not exist. */
  readonly size: (key: string) => Effect.Effect<Option.Option<number>>
  /** Removes a file, if it exists. */
  readonly remove: (key: string) => Effect.Effect<void>
}>() {
  /** Stores bytes that are all there, in parts, in place of an earlier file. */
  static readonly writeBytes = (
    files: Context.Tag.Service<typeof FileStore>,
    key: string,
    parts: ReadonlyArray<Uint8Array>
  ): Effect.Effect<void> => files.writeBytes?.(key, parts) ?? files.write(key, Stream.fromIterable(parts))
  /** Stores files in memory. */
  static readonly layerMemory: Layer.Layer<FileStore> = Layer.sync(FileStore, () => {
    const files = new Map<string, ReadonlyArray<Uint8Array>>()
    const bytesOf = (key: string) => concatBytes(files.get(key) ?? [])
    return FileStore.of({
      write: (key, bytes) =>
        Effect.suspend(() => {
          const parts: Array<Uint8Array> = []
          return Effect.map(
            Stream.runForEach(bytes, (part) => Effect.sync(() => appendBytes(parts, new Uint8Array(part)))),
            () => void files.set(key, parts)
          )
        }),
      append: (key, { at, parts }) =>
        Effect.sync(() =>
          void files.set(key, [bytesOf(key).subarray(0, at), ...parts.map((part) => new Uint8Array(part))])
        ),
      read: (key, range) =>
        Effect.sync(() =>
          Option.map(Option.fromNullable(files.get(key)), (parts) => {
            const bytes = Stream.fromIterable(parts)
            return range === undefined ? bytes : inRange(bytes, range)
          })
        ),
      size: (key) =>
        Effect.sync(() =>
          Option.map(Option.fromNullable(files.get(key)), (parts) => parts.reduce((sum, part) => sum + part.length, 0))
        ),
      remove: (key) => Effect.sync(() => void files.delete(key))
    })
  })
}
