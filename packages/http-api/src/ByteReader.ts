import { BodyTooLarge } from "@trunkline/errors"
import { concatBytes } from "@trunkline/kernel"
import { Chunk, Data, Effect, Option, type Scope, Stream } from "effect"

/** The body ended, or broke off, before it should have. */
export class CutShort extends Data.TaggedError("CutShort") {}

/** Bytes past the limit that are still read and thrown away, so that a client that is busy sending hears the answer. */
const courtesyBytes = 16_777_216

/** Reads a body piece by piece, and holds no more of it than one piece. */
export interface ByteReader {
  /**
   * What comes before the delimiter, which is passed over: `onPassed` says when, even if nobody asks for more after the
   * last bytes before it. `CutShort` when the body ends without it.
   */
  readonly until: (
    delimiter: Uint8Array,
    onPassed?: () => void
  ) => Stream.Stream<Uint8Array, BodyTooLarge | CutShort>
  /** So many bytes. `CutShort` when the body ends before. */
  readonly first: (count: number) => Effect.Effect<Uint8Array, BodyTooLarge | CutShort>
  /** All that is left. */
  readonly rest: Stream.Stream<Uint8Array, BodyTooLarge | CutShort>
  /** Passes over what is left, within reason. */
  readonly drain: Effect.Effect<void>
}

/** The pieces of a stream that gives at most so many bytes; more fail with `BodyTooLarge`. */
export const collect = <E>(
  stream: Stream.Stream<Uint8Array, E>,
  limitBytes: number
): Effect.Effect<ReadonlyArray<Uint8Array>, E | BodyTooLarge> =>
  Effect.suspend(() => {
    const pieces: Array<Uint8Array> = []
    let size = 0
    return Effect.as(
      Stream.runForEach(stream, (piece) => {
        pieces.push(piece)
        size += piece.length
        return size > limitBytes ? new BodyTooLarge({ limitBytes }) : Effect.void
      }),
      pieces
    )
  })

/** Where the delimiter begins in the bytes, or -1. */
const indexOf = (bytes: Uint8Array, delimiter: Uint8Array): number => {
  const [first = 0] = delimiter
  const last = bytes.length - delimiter.length
  for (let at = bytes.indexOf(first); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1)) {
    if (delimiter.every((byte, offset) => bytes[at + offset] === byte)) return at
  }
  return -1
}

/**
 * Reads a body of at most `limitBytes`; more fails with `BodyTooLarge`. `prefix` is read before it. The body is let go
 * when the scope closes, which is after the answer: letting go earlier would cut the connection.
 */
export const makeByteReader = <E>(
  body: Stream.Stream<Uint8Array, E>,
  { limitBytes, prefix = new Uint8Array() }: { readonly limitBytes: number; readonly prefix?: Uint8Array }
): Effect.Effect<ByteReader, never, Scope.Scope> =>
  Effect.map(Stream.toPull(body), (pull) => {
    let held = prefix
    let size = 0
    let ended: "no" | "well" | "early" = "no"

    const take = (count: number, skipped = 0) => {
      const taken = held.subarray(0, count)
      held = held.subarray(count + skipped)
      return taken
    }

    const read = Effect.match(pull, {
      onFailure: (failure) => {
        ended = Option.isNone(failure) ? "well" : "early"
        return new Uint8Array()
      },
      onSuccess: (pieces) => {
        const bytes = concatBytes(Chunk.toReadonlyArray(pieces))
        size += bytes.length
        return bytes
      }
    })

    /** Reads some more; false at the end. */
    const more: Effect.Effect<boolean, BodyTooLarge | CutShort> = Effect.suspend(() =>
      ended === "well" ? Effect.succeed(false) : ended === "early" ? new CutShort() : Effect.flatMap(read, (bytes) => {
        if (size > limitBytes) return new BodyTooLarge({ limitBytes })
        held = concatBytes([held, bytes])
        return ended === "no" ? Effect.succeed(true) : more
      })
    )

    const until = (delimiter: Uint8Array, onPassed = () => {}) => {
      const step = (found: boolean): Effect.Effect<Option.Option<[Uint8Array, boolean]>, BodyTooLarge | CutShort> => {
        if (found) return Effect.succeedNone
        const at = indexOf(held, delimiter)
        if (at >= 0) {
          onPassed()
          return Effect.succeedSome([take(at, delimiter.length), true])
        }
        const certain = held.length - delimiter.length + 1
        if (certain > 0) return Effect.succeedSome([take(certain), false])
        return Effect.flatMap(more, (isMore) => isMore ? step(false) : new CutShort())
      }
      return Stream.unfoldEffect(false, step)
    }

    const first = (count: number): Effect.Effect<Uint8Array, BodyTooLarge | CutShort> =>
      Effect.suspend(() =>
        held.length >= count
          ? Effect.succeed(take(count))
          : Effect.flatMap(more, (isMore) => isMore ? first(count) : new CutShort())
      )

    const rest = Stream.unfoldEffect(undefined, () =>
      Effect.map(held.length > 0 ? Effect.succeed(true) : more, (isMore) =>
        isMore ? Option.some([take(held.length), undefined] as const) : Option.none()))

    const drain: Effect.Effect<void> = Effect.suspend(() =>
      ended === "no" && size <= limitBytes + courtesyBytes ? Effect.zipRight(read, drain) : Effect.void
    )

    return { until, first, rest, drain }
  })
