import { callWavFrameBytes } from "@trunkline/audio"
import type { FileStore } from "@trunkline/cohorts"
import { BusinessTime, describeCause } from "@trunkline/kernel"
import { type Context, Effect, Option, type Scope, Stream } from "effect"
import { findLoose, piecesOfLoose, removeLoose } from "./LoosePieces.js"
import { endOfFile, type Pieces, piecesOfFile, wholeKey } from "./PieceFiles.js"
import type { RecordingKeys } from "./RecordingKeys.js"

/** Parts that recordings are completed with. */
interface CompletionParts {
  readonly files: Context.Tag.Service<typeof FileStore>
  readonly keys: Context.Tag.Service<typeof RecordingKeys>
}

/** Joined pieces. */
interface Joined {
  readonly hasSound: boolean
  readonly seconds: number
}

/**
 * Joins the pieces of a call to one file, as they are sealed, and removes them; pieces without any sound are only removed.
 * None where there are no pieces. After an interruption it can be repeated, and until then the pieces are read: a file is written
 * whole or not at all, so that one which exists has every piece, also those that were removed by then.
 */
export const joinPieces = (
  { files, keys }: CompletionParts,
  name: string
): Effect.Effect<Option.Option<Joined>> =>
  Effect.gen(function*() {
    const recording = yield* findLoose(files, name)
    const loose = yield* piecesOfLoose(recording)
    if (Option.isNone(loose)) return Option.none()
    const { rate, readSealed, sizes } = loose.value
    const seal = keys.sealOf(name)
    const earlier = yield* Effect.flatMap(
      files.size(wholeKey(name)),
      Option.match({
        onNone: () => Effect.succeed(Option.none<Pieces>()),
        onSome: (size) => Effect.orDie(piecesOfFile(files, wholeKey(name), { seal, size }))
      })
    )
    const heads = yield* Effect.forEach(recording.pieces, ({ head }) => head)
    const hasSound = Option.isSome(earlier) || heads.some((head) => head.hasSound)
    if (hasSound && Option.isNone(earlier)) {
      const pieces = Stream.mapEffect(Stream.range(0, sizes.length - 1), readSealed)
      yield* files.write(wholeKey(name), Stream.concat(pieces, Stream.fromEffect(endOfFile(seal, { rate, sizes }))))
    }
    yield* removeLoose(files, name)
    const bytes = Option.getOrElse(earlier, () => loose.value).sizes.reduce((sum, size) => sum + size, 0)
    return Option.some({ hasSound, seconds: Math.round(bytes * 1000 / (callWavFrameBytes * rate)) / 1000 })
  })

/** Recordings that are completed at a time, so that many calls that end together do not fill the memory. */
const joinedAtOnce = 4

/**
 * Makes a function that completes the recording of a name in the background. What fails or is interrupted stays as pieces,
 * which are read as well.
 */
export const makeCompletion = (
  parts: CompletionParts
): Effect.Effect<(name: string) => Effect.Effect<void>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const permits = yield* Effect.makeSemaphore(joinedAtOnce)
    return (name) =>
      BusinessTime.hold(permits.withPermits(1)(joinPieces(parts, name))).pipe(
        Effect.catchAllCause((cause) =>
          Effect.logWarning("A recording stays in pieces, since it could not be completed", describeCause(cause))
        ),
        Effect.forkIn(scope),
        Effect.asVoid
      )
  })
