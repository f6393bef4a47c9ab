import { ModelFailed } from "@trunkline/errors"
import { type Cause, Channel, Chunk, Effect, Stream } from "effect"
import { type Delta, deltaLength } from "../Completion.js"
import type { ModelFailure } from "../LanguageModel.js"

/** An answer as it arrives. */
export type DeltaStream = Stream.Stream<Delta, ModelFailure>

/** What stands between an answer and its reader. */
export type DeltaChannel = Channel.Channel<
  Chunk.Chunk<Delta>,
  Chunk.Chunk<Delta>,
  ModelFailure,
  ModelFailure,
  unknown,
  unknown
>

/** What is done at the turns of an answer; nothing unless told. */
interface StreamHooks {
  /** Before the first piece is shown. */
  readonly onFirst?: Effect.Effect<void>
  /** Before the piece that ends the answer is shown. */
  readonly onFinish?: Effect.Effect<void>
}

/** The answer that an effect comes to. It is what `Stream.unwrap` is, and costs nothing for each chunk. */
export const unwrapStream = (effect: Effect.Effect<DeltaStream, ModelFailure>): DeltaStream =>
  Stream.fromChannel(Channel.unwrap(Effect.map(effect, Stream.toChannel)))

/** Shows everything as it comes. */
export const passThrough: DeltaChannel = Channel.readWithCause({
  onInput: (chunk: Chunk.Chunk<Delta>) => Channel.flatMap(Channel.write(chunk), () => passThrough),
  onFailure: Channel.failCause,
  onDone: Channel.succeed
})

const finishes = (chunk: Chunk.Chunk<Delta>) => Chunk.some(chunk, ({ _tag }) => _tag === "Finish")

/** An answer that fails with `ModelFailed` where it would end without its `Finish`, and that is watched meanwhile. */
export const withHooks = (
  stream: DeltaStream,
  { onFinish = Effect.void, onFirst = Effect.void }: StreamHooks = {}
): DeltaStream => {
  const ending = {
    onFailure: (cause: Cause.Cause<ModelFailure>) => Channel.failCause(cause),
    onDone: () => Channel.fail(new ModelFailed({ message: "The model broke off its answer" }))
  }
  const show = (chunk: Chunk.Chunk<Delta>): DeltaChannel =>
    finishes(chunk)
      ? Channel.fromEffect(onFinish).pipe(Channel.zipRight(Channel.write(chunk)), Channel.flatMap(() => passThrough))
      : Channel.flatMap(Channel.write(chunk), () => rest)
  const rest: DeltaChannel = Channel.readWithCause({ onInput: show, ...ending })
  const beginning: DeltaChannel = Channel.readWithCause({
    onInput: (chunk: Chunk.Chunk<Delta>): DeltaChannel =>
      Chunk.isEmpty(chunk) ? beginning : Channel.flatMap(Channel.fromEffect(onFirst), () => show(chunk)),
    ...ending
  })
  return Stream.pipeThroughChannel(stream, beginning)
}

/** What a piece, and a token whose likelihood is told, take up beside their text. */
const perDelta = 8

const likelihoodsIn = (delta: Delta): number =>
  delta._tag === "Text" && delta.logprobs !== undefined
    ? delta.logprobs.reduce((sum, { top }) => sum + 1 + top.length, 0)
    : 0

const sizeOf = (chunk: Chunk.Chunk<Delta>): number =>
  Chunk.reduce(chunk, 0, (sum, delta) => sum + deltaLength(delta) + perDelta * (1 + likelihoodsIn(delta)))

/**
 * An answer of which nothing is shown before its end, so that one that fails shows nothing at all. One that grows past
 * `most` is shown from there on. Sizes are UTF-16 units, 8 for each piece on top.
 */
export const bufferWhole = (stream: DeltaStream, most: number): DeltaStream =>
  Stream.suspend(() => {
    const held: Array<Chunk.Chunk<Delta>> = []
    let size = 0
    const show = Channel.suspend(() => Channel.writeChunk(Chunk.unsafeFromArray(held)))
    const gather: DeltaChannel = Channel.readWithCause({
      onInput: (chunk: Chunk.Chunk<Delta>): DeltaChannel => {
        held.push(chunk)
        size += sizeOf(chunk)
        return size > most ? Channel.flatMap(show, () => passThrough) : gather
      },
      onFailure: Channel.failCause,
      onDone: () => show
    })
    return Stream.pipeThroughChannel(stream, gather)
  })
