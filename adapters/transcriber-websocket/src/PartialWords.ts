import { Effect, Stream } from "effect"

/** Partial words for any number of readers. */
export interface PartialWords {
  /** The words from now on, as they change; ends with `end`. A reader that is behind misses the oldest. */
  readonly stream: Stream.Stream<string>
  readonly publish: (words: string) => void
  readonly end: () => void
}

/** Changes that are kept for a slow reader. */
const maxPartials = 16

/** Makes partial words without readers. */
export const makePartialWords = (): PartialWords => {
  interface Reader {
    readonly single: (words: string) => void
    readonly end: () => void
  }
  const readers = new Set<Reader>()
  let isEnded = false
  return {
    stream: Stream.asyncPush<string>(
      (reader) =>
        Effect.acquireRelease(
          Effect.sync(() => isEnded ? reader.end() : void readers.add(reader)),
          () => Effect.sync(() => readers.delete(reader))
        ),
      { bufferSize: maxPartials, strategy: "sliding" }
    ),
    publish: (words) => readers.forEach((reader) => reader.single(words)),
    end: () => {
      isEnded = true
      readers.forEach((reader) => reader.end())
    }
  }
}
