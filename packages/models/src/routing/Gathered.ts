import { Channel, Chunk, Stream } from "effect"
import type { Delta } from "../answer/Delta.js"
import { lettersOf } from "./Letters.js"
import { type DeltaChannel, type DeltaStream, showing } from "./Watched.js"

/** What a piece, and a token whose likelihood is told, take up beside their text. */
const perPiece = 8

const likelihoodsIn = (delta: Delta): number =>
  delta._tag === "Text" && delta.logprobs !== undefined
    ? delta.logprobs.reduce((sum, { top }) => sum + 1 + top.length, 0)
    : 0

const sizeOf = (chunk: Chunk.Chunk<Delta>): number =>
  Chunk.reduce(chunk, 0, (sum, delta) => sum + lettersOf(delta) + perPiece * (1 + likelihoodsIn(delta)))

/**
 * An answer of which nothing is shown before its end, so that one that fails shows nothing at all. One that grows past
 * `most` is shown from there on. Sizes are UTF-16 units, 8 for each piece on top.
 */
export const gathered = (stream: DeltaStream, most: number): DeltaStream =>
  Stream.suspend(() => {
    const held: Array<Chunk.Chunk<Delta>> = []
    let size = 0
    const show = Channel.suspend(() => Channel.writeChunk(Chunk.unsafeFromArray(held)))
    const gather: DeltaChannel = Channel.readWithCause({
      onInput: (chunk: Chunk.Chunk<Delta>): DeltaChannel => {
        held.push(chunk)
        size += sizeOf(chunk)
        return size > most ? Channel.flatMap(show, () => showing) : gather
      },
      onFailure: Channel.failCause,
      onDone: () => show
    })
    return Stream.pipeThroughChannel(stream, gather)
  })
