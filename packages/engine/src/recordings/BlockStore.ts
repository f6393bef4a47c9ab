import type { FileStore } from "@trunkline/cohorts"
import { BusinessTime, describeCause } from "@trunkline/kernel"
import { Cause, type Context, Effect } from "effect"
import type { BlockBuffers } from "./BlockBuffers.js"
import { findLoose, storePiece } from "./LoosePieces.js"
import { type PieceSeal, sealBytes } from "./RecordingKeys.js"
import type { SoundBlock } from "./SoundBlocks.js"

/** Blocks that may wait to be stored; a further one drops the recording. */
const maxWaiting = 4

/** Stores the blocks of a call one after the other, beside the call. */
export interface BlockStore {
  /** Takes a block, at once. */
  readonly offer: (block: SoundBlock) => void
  /** No block follows. */
  readonly close: () => void
  /** Why storing has stopped; null while it goes on. */
  readonly fault: () => string | null
  /** Stores until `close`, or until it fails. */
  readonly run: Effect.Effect<void>
  /** Bytes that are stored, with those of an earlier process. */
  readonly storedBytes: () => number
  readonly hasSound: () => boolean
}

/** Place of a recording. */
interface RecordingPlace {
  readonly files: Context.Tag.Service<typeof FileStore>
  readonly name: string
  readonly seal: PieceSeal
  readonly rate: number
  /** Takes the buffers of stored blocks back. */
  readonly buffers: BlockBuffers
  /** True where an earlier process may have stored blocks. */
  readonly isResumed: boolean
}

const tooSlow = "the file store did not keep up with the call"
const storeFailed = "the file store failed"
const otherRate = "the call went on with another sample rate"

/** Code of an error of the operating system, such as `ENOSPC`; it says nothing private. */
const codeOf = (cause: Cause.Cause<never>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error && "code" in error && typeof error.code === "string" ? ` (${error.code})` : ""
}

/** Makes a store of the blocks of one call. */
export const makeBlockStore = ({ buffers, files, isResumed, name, rate, seal }: RecordingPlace): BlockStore => {
  const waiting: Array<SoundBlock> = []
  const arrival = Effect.unsafeMakeLatch(false)
  let isClosed = false
  let fault: string | null = null
  let place = 0
  /** Position in the log of pieces, where the store appends. */
  let logEnd = 0
  let storedBytes = 0
  let hasSound = false

  const fail = (reason: string): void => {
    fault ??= reason
    waiting.length = 0
    arrival.unsafeOpen()
  }

  /** Finds out what an earlier process has stored. */
  const lookBack = Effect.gen(function*() {
    const loose = yield* findLoose(files, name)
    const heads = yield* Effect.forEach(loose.pieces, ({ head }) => head)
    if (heads.some((head) => head.rate !== rate)) fail(otherRate)
    place = heads.length
    logEnd = loose.logEnd
    storedBytes = loose.pieces.reduce((sum, { size }) => sum + size, 0)
    hasSound = heads.some((head) => head.hasSound)
  })

  const store = (block: SoundBlock): Effect.Effect<void> =>
    seal.sealParts(place, block.bytes, { rate, hasSound: block.hasSound }).pipe(
      Effect.flatMap((parts) => storePiece(files, name, { place, logEnd, parts })),
      Effect.map(() => {
        place += 1
        logEnd += block.bytes.length + sealBytes
        storedBytes += block.bytes.length
        hasSound ||= block.hasSound
      })
    )

  const storeAll = Effect.gen(function*() {
    if (isResumed) yield* BusinessTime.hold(lookBack)
    while (fault === null) {
      const [block] = waiting
      if (block !== undefined) {
        yield* BusinessTime.hold(store(block))
        waiting.shift()
        buffers.release(block.bytes)
      } else {
        if (isClosed) return
        arrival.unsafeClose()
        yield* arrival.await
      }
    }
  })

  return {
    offer: (block) => {
      if (fault !== null || isClosed) return
      if (waiting.length >= maxWaiting) return fail(tooSlow)
      waiting.push(block)
      arrival.unsafeOpen()
    },
    close: () => {
      isClosed = true
      arrival.unsafeOpen()
    },
    fault: () => fault,
    run: Effect.catchAllCause(storeAll, (cause) =>
      Effect.zipRight(
        Effect.sync(() => fail(`${storeFailed}${codeOf(cause)}`)),
        Effect.logWarning("A recording was dropped, since its sound could not be stored", describeCause(cause))
      )),
    storedBytes: () => storedBytes,
    hasSound: () => hasSound
  }
}
