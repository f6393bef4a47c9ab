import { type RecordedRange, type Recording, Recordings } from "@trunkline/analytics"
import { callWavHeader } from "@trunkline/audio"
import { FileStore } from "@trunkline/cohorts"
import { inPieces } from "@trunkline/kernel"
import { type Context, Effect, Layer, Option, Stream } from "effect"
import { findLoose, piecesOfLoose, removeLoose } from "./LoosePieces.js"
import { contentOf, endOfFile, type Pieces, piecesOfFile, recordingName, wholeKey } from "./PieceFiles.js"
import { type PieceSeal, RecordingKeys } from "./RecordingKeys.js"

/** Bytes of a piece of a file that is kept as a whole. */
const filePieceBytes = 65_536

const sumOf = (sizes: ReadonlyArray<number>): number => sizes.reduce((sum, size) => sum + size, 0)

/** The recording that pieces hold; that of a call begins with the header of a WAV file, which is not stored. */
const recordingOf = (pieces: Pieces, seal: PieceSeal): Recording => {
  const bytes = sumOf(pieces.sizes)
  const header = pieces.rate === 0 ? new Uint8Array(0) : callWavHeader({ rate: pieces.rate, bytes })
  const read = ({ from, to }: RecordedRange) =>
    Stream.concat(
      Stream.fromIterable([header.subarray(from, to)].filter((part) => part.length > 0)),
      contentOf(pieces, seal, { from: Math.max(0, from - header.length), to: Math.max(0, to - header.length) })
    )
  const size = header.length + bytes
  return { size, read, bytes: read({ from: 0, to: size }) }
}

/** A file of before recordings were sealed. */
const plainRecording = (files: Context.Tag.Service<typeof FileStore>, key: string, size: number): Recording => {
  const read = (range: RecordedRange) =>
    Stream.unwrap(Effect.map(files.read(key, range), Option.getOrElse(() => Stream.empty)))
  return { size, read, bytes: read({ from: 0, to: size }) }
}

/** Recordings in the file store, sealed by the server's key; those that are not complete yet are read from their pieces. */
export const recordingsLayer: Layer.Layer<Recordings, never, FileStore | RecordingKeys> = Layer.effect(
  Recordings,
  Effect.gen(function*() {
    const files = yield* FileStore
    const keys = yield* RecordingKeys
    return Recordings.of({
      keep: (scope, interaction_id, bytes) =>
        Effect.gen(function*() {
          const name = yield* recordingName(scope, interaction_id)
          const seal = keys.sealOf(name)
          const sizes: Array<number> = []
          const pieces = Stream.mapEffect(inPieces(bytes, filePieceBytes), (piece) =>
            seal.seal(sizes.push(piece.length) - 1, piece, { rate: 0, hasSound: true }))
          const end = Stream.unwrap(Effect.map(
            Effect.suspend(() =>
              endOfFile(seal, { rate: 0, sizes })
            ),
            (bytes) => Stream.make(bytes)
          ))
          yield* files.write(wholeKey(name), Stream.concat(pieces, end))
        }),
      find: (scope, interaction_id) =>
        Effect.gen(function*() {
          const name = yield* recordingName(scope, interaction_id)
          const seal = keys.sealOf(name)
          const size = yield* files.size(wholeKey(name))
          if (Option.isSome(size)) {
            const pieces = yield* piecesOfFile(files, wholeKey(name), { seal, size: size.value })
            return Option.some(Option.match(pieces, {
              onNone: () => plainRecording(files, wholeKey(name), size.value),
              onSome: (foundPieces) => recordingOf(foundPieces, seal)
            }))
          }
          const loose = yield* Effect.flatMap(findLoose(files, name), piecesOfLoose)
          // The first piece tells at once whether a key fits.
          if (Option.isSome(loose)) {
            yield* Effect.flatMap(loose.value.readSealed(0), (sealedBytes) => seal.open(0, sealedBytes))
          }
          return Option.map(loose, (pieces) => recordingOf(pieces, seal))
        }),
      remove: (scope, interaction_id) =>
        Effect.gen(function*() {
          const name = yield* recordingName(scope, interaction_id)
          yield* files.remove(wholeKey(name))
          yield* removeLoose(files, name)
        })
    })
  })
)
