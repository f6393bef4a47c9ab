import { FileStore } from "@trunkline/cohorts"
import { type Context, Effect, Option } from "effect"
import { type Pieces, readAll } from "./PieceFiles.js"
import { pieceHeadBytes, readHead, sealBytes, type StoredHead } from "./RecordingKeys.js"

type Files = Context.Tag.Service<typeof FileStore>

/** Key of the file that pieces are appended to while the call goes on, in stores that append. */
export const pieceLogKey = (name: string): string => `${name}/pieces`

/** Key of the file of one piece while the call goes on, in other stores, and in those of versions before the log. */
export const pieceKey = (name: string, place: number): string => `${name}/piece-${place}`

/** A piece that a call has stored. */
interface LoosePiece {
  /** Size of its content in bytes. */
  readonly size: number
  readonly head: Effect.Effect<StoredHead>
  readonly sealedBytes: Effect.Effect<Uint8Array>
}

/** The pieces that a call has stored so far. */
export interface LoosePieces {
  readonly pieces: ReadonlyArray<LoosePiece>
  /** End of the last whole piece of the log, in bytes. */
  readonly logEnd: number
}

const separatePieces = (files: Files, name: string): Effect.Effect<ReadonlyArray<LoosePiece>> =>
  Effect.gen(function*() {
    const pieces: Array<LoosePiece> = []
    for (;;) {
      const key = pieceKey(name, pieces.length)
      const size = yield* files.size(key)
      if (Option.isNone(size)) return pieces
      pieces.push({
        size: size.value - sealBytes,
        head: Effect.map(readAll(files, key, { from: 0, to: pieceHeadBytes }), readHead),
        sealedBytes: readAll(files, key)
      })
    }
  })

/** The pieces of the log, from head to head. The last one is left out if a crash has cut it off. */
const piecesOfLog = (files: Files, name: string): Effect.Effect<LoosePieces> =>
  Effect.gen(function*() {
    const key = pieceLogKey(name)
    const logSize = Option.getOrElse(yield* files.size(key), () => 0)
    const pieces: Array<LoosePiece> = []
    let at = 0
    while (at + sealBytes < logSize) {
      const from = at
      const head = readHead(yield* readAll(files, key, { from, to: from + pieceHeadBytes }))
      const to = from + head.size + sealBytes
      if (head.size === 0 || to > logSize) break
      pieces.push({ size: head.size, head: Effect.succeed(head), sealedBytes: readAll(files, key, { from, to }) })
      at = to
    }
    return { pieces, logEnd: at }
  })

/** Finds the pieces that a call has stored. Those of the log follow those with files of their own. */
export const findLoose = (files: Files, name: string): Effect.Effect<LoosePieces> =>
  Effect.zipWith(separatePieces(files, name), piecesOfLog(files, name), (separate, { logEnd, pieces }) => ({
    pieces: [...separate, ...pieces],
    logEnd
  }))

/** The loose pieces of a recording; none without any. */
export const piecesOfLoose = ({ pieces }: LoosePieces): Effect.Effect<Option.Option<Pieces>> => {
  const [first] = pieces
  return first === undefined ? Effect.succeedNone : Effect.map(first.head, ({ rate }) =>
    Option.some({
      rate,
      sizes: pieces.map(({ size }) => size),
      readSealed: (place) => pieces[place]?.sealedBytes ?? Effect.dieMessage("The recording has no such piece")
    }))
}

/** Stores a piece in its place, in parts: at `logEnd`, the end of the log in bytes, in stores that append. */
export const storePiece = (
  files: Files,
  name: string,
  { logEnd, parts, place }: {
    readonly place: number
    readonly logEnd: number
    readonly parts: ReadonlyArray<Uint8Array>
  }
): Effect.Effect<void> =>
  files.append?.(pieceLogKey(name), { at: logEnd, parts }) ?? FileStore.writeBytes(files, pieceKey(name, place), parts)

/** Removes loose pieces, the last first, so that what is left after an interruption is still found. */
export const removeLoose = (files: Files, name: string): Effect.Effect<void> =>
  Effect.gen(function*() {
    yield* files.remove(pieceLogKey(name))
    const { length } = yield* separatePieces(files, name)
    for (let place = length - 1; place >= 0; place--) yield* files.remove(pieceKey(name, place))
  })
