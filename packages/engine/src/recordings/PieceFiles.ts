import type { RecordingLocked } from "@trunkline/analytics"
import type { ByteRange, FileStore } from "@trunkline/cohorts"
import { collectBytes, type InteractionId, type Scope, scopeKey, sha256Hex } from "@trunkline/kernel"
import { type Context, Effect, Option, Schema, Stream } from "effect"
import { type PieceSeal, sealBytes } from "./RecordingKeys.js"

/** Sealed pieces of a recording, in order. */
export interface Pieces {
  /** Moments a second; 0 for bytes of a file. */
  readonly rate: number
  /** Sizes of the contents in bytes. */
  readonly sizes: ReadonlyArray<number>
  /** Reads a sealed piece. */
  readonly readSealed: (place: number) => Effect.Effect<Uint8Array>
}

/** Place of the index of a file, after all pieces. */
const indexPlace = 0xFF_FF_FF_FF

const Index = Schema.parseJson(Schema.Struct({ rate: Schema.Number, sizes: Schema.Array(Schema.Number) }))
const encodeIndex = Schema.encodeSync(Index)
const decodeIndex = Schema.decodeSync(Index)

/** Last bytes of a file, after the size of its sealed index in four bytes. */
const endMark = new TextEncoder().encode("TRR1")
const endBytes = 8

/** Name of the recording of a conversation, without characters that have a meaning in file systems. */
export const recordingName = (scope: Scope, interaction_id: InteractionId): Effect.Effect<string> =>
  Effect.map(sha256Hex(`${scopeKey(scope)}/${interaction_id}`), (hash) => `rec-${hash.slice(0, 32)}`)

/** Key of the file of a whole recording. */
export const wholeKey = (name: string): string => `${name}/recording`

type Files = Context.Tag.Service<typeof FileStore>

/** Reads a file, or a range of it; nothing where it is missing. */
export const readAll = (files: Files, key: string, range?: ByteRange): Effect.Effect<Uint8Array> =>
  Effect.flatMap(
    files.read(key, range),
    Option.match({ onNone: () => Effect.succeed(new Uint8Array(0)), onSome: collectBytes })
  )

/** The pieces of a file; none where it is a plain file, of before recordings were sealed. */
export const piecesOfFile = (files: Files, key: string, { seal, size }: {
  readonly size: number
  readonly seal: PieceSeal
}): Effect.Effect<Option.Option<Pieces>, RecordingLocked> =>
  Effect.gen(function*() {
    const end = yield* readAll(files, key, { from: Math.max(0, size - endBytes), to: size })
    if (end.length < endBytes || endMark.some((byte, at) => end[4 + at] !== byte)) return Option.none()
    const indexBytes = new DataView(end.buffer, end.byteOffset, end.byteLength).getUint32(0)
    const from = size - endBytes - indexBytes
    const sealedIndex = yield* readAll(files, key, { from, to: size - endBytes })
    const { rate, sizes } = decodeIndex(new TextDecoder().decode(yield* seal.open(indexPlace, sealedIndex)))
    const starts = startsOf(sizes.map((length) => length + sealBytes))
    return Option.some({
      rate,
      sizes,
      readSealed: (place) => {
        const start = starts[place] ?? 0
        return readAll(files, key, { from: start, to: start + (sizes[place] ?? 0) + sealBytes })
      }
    })
  })

/** The bytes that follow the pieces of a file: their index and its size. */
export const endOfFile = (
  seal: PieceSeal,
  { rate, sizes }: Pick<Pieces, "rate" | "sizes">
): Effect.Effect<Uint8Array> =>
  Effect.map(
    seal.seal(indexPlace, new TextEncoder().encode(encodeIndex({ rate, sizes })), { rate, hasSound: true }),
    (sealedIndex) => {
      const bytes = new Uint8Array(sealedIndex.length + endBytes)
      bytes.set(sealedIndex)
      new DataView(bytes.buffer).setUint32(sealedIndex.length, sealedIndex.length)
      bytes.set(endMark, sealedIndex.length + 4)
      return bytes
    }
  )

/** Starts of parts that lie one after the other. */
const startsOf = (sizes: ReadonlyArray<number>): ReadonlyArray<number> => {
  let at = 0
  return sizes.map((size) => (at += size) - size)
}

/** The contents of pieces within a range. A piece that does not open is a defect: the response has begun by then. */
export const contentOf = (
  { readSealed, sizes }: Pieces,
  seal: PieceSeal,
  { from, to }: ByteRange
): Stream.Stream<Uint8Array> => {
  const starts = startsOf(sizes)
  const places = sizes.flatMap((size, place) => {
    const start = starts[place] ?? 0
    return start < to && start + size > from ? [{ place, start }] : []
  })
  return Stream.mapEffect(
    Stream.fromIterable(places),
    ({ place, start }) =>
      Effect.flatMap(readSealed(place), (bytes) => seal.open(place, bytes)).pipe(
        Effect.orDie,
        Effect.map((content) => content.subarray(Math.max(0, from - start), Math.max(0, to - start)))
      )
  )
}
