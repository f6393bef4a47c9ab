import { BodyTooLarge } from "@trunkline/errors"
import { Chunk, Effect, Stream } from "effect"

/** The bytes as long as they stay within the limit; more fail with `BodyTooLarge` as soon as they come. */
export const withinLimit = <E>(
  bytes: Stream.Stream<Uint8Array, E>,
  limitBytes: number
): Stream.Stream<Uint8Array, E | BodyTooLarge> =>
  Stream.mapAccumEffect(bytes, 0, (size, piece) =>
    size + piece.length > limitBytes
      ? Effect.fail(new BodyTooLarge({ limitBytes }))
      : Effect.succeed([size + piece.length, piece] as const))

/** All bytes in one. */
export const collectBytes = <E>(bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<Uint8Array, E> =>
  Effect.map(Stream.runCollect(bytes), (pieces) => {
    const whole = new Uint8Array(Chunk.reduce(pieces, 0, (size, piece) => size + piece.length))
    Chunk.reduce(pieces, 0, (at, piece) => (whole.set(piece, at), at + piece.length))
    return whole
  })
