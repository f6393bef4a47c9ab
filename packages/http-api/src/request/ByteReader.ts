import { BodyTooLarge } from "@trunkline/errors"
import { appendBytes, concatBytes } from "@trunkline/kernel"
import { Chunk, Data, Effect, Option, type Scope, Stream } from "effect"
import { slownessOf } from "./SlowBody.js"

/** The body ended, its connection broke off, or it came too slowly, before the expected bytes arrived. */
export class UnexpectedEnd extends Data.TaggedError("CutShort")<{ readonly cause?: unknown }> {
  /** The reason where the client was too slow; otherwise the given one. */
  reasonOr(otherwise: string): string {
    return slownessOf(this.cause) ?? otherwise
  }
}

/** Bytes past the limit that are still read and discarded, so that a client that is busy sending receives the response. */
const maxDrainBytes = 16_777_216

/** Reads a body incrementally, with at most one chunk in memory. */
export interface ByteReader {
  /**
   * Reads up to the delimiter and skips it. `onDelimiter` is called as soon as the delimiter is found, even if the stream
   * is not pulled again after the last bytes before it. Fails with `UnexpectedEnd` when the body has no delimiter.
   */
  readonly readUntil: (
    delimiter: Uint8Array,
    onDelimiter?: () => void
  ) => Stream.Stream<Uint8Array, BodyTooLarge | UnexpectedEnd>
  /** Reads exactly `count` bytes. Fails with `UnexpectedEnd` when the body is shorter. */
  readonly readExactly: (count: number) => Effect.Effect<Uint8Array, BodyTooLarge | UnexpectedEnd>
  /** Reads the remaining bytes. */
  readonly remaining: Stream.Stream<Uint8Array, BodyTooLarge | UnexpectedEnd>
  /** Reads and discards the remaining bytes, up to 16 MiB past the limit. */
  readonly drain: Effect.Effect<void>
}

/** Collects the chunks of a stream. Fails with `BodyTooLarge` beyond `limitBytes`. */
export const collectBytes = <E>(
  stream: Stream.Stream<Uint8Array, E>,
  limitBytes: number
): Effect.Effect<ReadonlyArray<Uint8Array>, E | BodyTooLarge> =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    return Effect.as(
      Stream.runForEach(stream, (chunk) => {
        appendBytes(chunks, chunk)
        size += chunk.length
        return size > limitBytes ? new BodyTooLarge({ limitBytes }) : Effect.void
      }),
      chunks
    )
  })

/** Index of the delimiter in the bytes, or -1. */
const indexOf = (bytes: Uint8Array, delimiter: Uint8Array): number => {
  const [first = 0] = delimiter
  const last = bytes.length - delimiter.length
  for (let at = bytes.indexOf(first); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1)) {
    if (delimiter.every((byte, offset) => bytes[at + offset] === byte)) return at
  }
  return -1
}

/**
 * Makes a reader of a body of at most `limitBytes`; more fails with `BodyTooLarge`. `prefix` is read before the body. The
 * body is released when the scope closes, after the response: releasing it earlier would close the connection.
 */
export const makeByteReader = <E>(
  body: Stream.Stream<Uint8Array, E>,
  { limitBytes, prefix = new Uint8Array() }: { readonly limitBytes: number; readonly prefix?: Uint8Array }
): Effect.Effect<ByteReader, never, Scope.Scope> =>
  Effect.map(Stream.toPull(body), (pull) => {
    let bufferedBytes = prefix
    let size = 0
    let state: "open" | "ended" | UnexpectedEnd = "open"

    const take = (count: number, skip = 0) => {
      const bytes = bufferedBytes.subarray(0, count)
      bufferedBytes = bufferedBytes.subarray(count + skip)
      return bytes
    }

    const read = Effect.match(pull, {
      onFailure: (failure) => {
        state = Option.isNone(failure) ? "ended" : new UnexpectedEnd({ cause: failure.value })
        return new Uint8Array()
      },
      onSuccess: (chunks) => {
        const bytes = concatBytes(Chunk.toReadonlyArray(chunks))
        size += bytes.length
        return bytes
      }
    })

    /** Reads another chunk; false at the end. */
    const readMore: Effect.Effect<boolean, BodyTooLarge | UnexpectedEnd> = Effect.suspend(() =>
      state === "ended" ?
        Effect.succeed(false) :
        state !== "open" ?
        state :
        Effect.flatMap(read, (bytes) => {
          if (size > limitBytes) return new BodyTooLarge({ limitBytes })
          bufferedBytes = concatBytes([bufferedBytes, bytes])
          return state === "open" ? Effect.succeed(true) : readMore
        })
    )

    const readUntil = (delimiter: Uint8Array, onDelimiter = () => {}) => {
      const step = (
        isFound: boolean
      ): Effect.Effect<Option.Option<[Uint8Array, boolean]>, BodyTooLarge | UnexpectedEnd> => {
        if (isFound) return Effect.succeedNone
        const at = indexOf(bufferedBytes, delimiter)
        if (at >= 0) {
          onDelimiter()
          return Effect.succeedSome([take(at, delimiter.length), true])
        }
        const safe = bufferedBytes.length - delimiter.length + 1
        if (safe > 0) return Effect.succeedSome([take(safe), false])
        return Effect.flatMap(readMore, (isMore) => isMore ? step(false) : new UnexpectedEnd({}))
      }
      return Stream.unfoldEffect(false, step)
    }

    const readExactly = (count: number): Effect.Effect<Uint8Array, BodyTooLarge | UnexpectedEnd> =>
      Effect.suspend(() =>
        bufferedBytes.length >= count
          ? Effect.succeed(take(count))
          : Effect.flatMap(readMore, (isMore) => isMore ? readExactly(count) : new UnexpectedEnd({}))
      )

    const remaining = Stream.unfoldEffect(undefined, () =>
      Effect.map(bufferedBytes.length > 0 ? Effect.succeed(true) : readMore, (isMore) =>
        isMore ? Option.some([take(bufferedBytes.length), undefined] as const) : Option.none()))

    const drain: Effect.Effect<void> = Effect.suspend(() =>
      state === "open" && size <= limitBytes + maxDrainBytes ? Effect.zipRight(read, drain) : Effect.void
    )

    return { readUntil, readExactly, remaining, drain }
  })
