import { ModelFailed } from "@trunkline/errors"
import { type Cause, Channel, Chunk, Effect, Stream } from "effect"
import { type Delta, deltaLength } from "../Completion.js"
import type { ModelFailure } from "../LanguageModel.js"

/** A stream of the deltas of an answer. */
export type DeltaStream = Stream.Stream<Delta, ModelFailure>

/** A transformation between an answer and its reader. */
export type DeltaChannel = Channel.Channel<
  Chunk.Chunk<Delta>,
  Chunk.Chunk<Delta>,
  ModelFailure,
  ModelFailure,
  unknown,
  unknown
>

/** Effects that run at points of an answer. Default: none. */
interface StreamHooks {
  /** Before the first delta is emitted. */
  readonly onFirst?: Effect.Effect<void>
  /** Before `Finish` is emitted. */
  readonly onFinish?: Effect.Effect<void>
}

/** Unwraps an effect that makes a stream. Same as `Stream.unwrap`, without its cost per chunk. */
export const unwrapStream = (effect: Effect.Effect<DeltaStream, ModelFailure>): DeltaStream =>
  Stream.fromChannel(Channel.unwrap(Effect.map(effect, Stream.toChannel)))

/** Passes everything through unchanged. */
const passThrough: DeltaChannel = Channel.readWithCause({
  onInput: (chunk: Chunk.Chunk<Delta>) => Channel.flatMap(Channel.write(chunk), () => passThrough),
  onFailure: Channel.failCause,
  onDone: Channel.succeed
})

const finishes = (chunk: Chunk.Chunk<Delta>) => Chunk.some(chunk, ({ _tag }) => _tag === "Finish")

/** Runs hooks at points of an answer, and fails with `ModelFailed` if it ends without `Finish`. */
export const withHooks = (
  stream: DeltaStream,
  { onFinish = Effect.void, onFirst = Effect.void }: StreamHooks = {}
): DeltaStream => {
  const ending = {
    onFailure: (cause: Cause.Cause<ModelFailure>) => Channel.failCause(cause),
    onDone: () => Channel.fail(new ModelFailed({ message: "The model broke off its answer" }))
  }
  const emit = (chunk: Chunk.Chunk<Delta>): DeltaChannel =>
    finishes(chunk)
      ? Channel.fromEffect(onFinish).pipe(Channel.zipRight(Channel.write(chunk)), Channel.flatMap(() => passThrough))
      : Channel.flatMap(Channel.write(chunk), () => rest)
  const rest: DeltaChannel = Channel.readWithCause({ onInput: emit, ...ending })
  const start: DeltaChannel = Channel.readWithCause({
    onInput: (chunk: Chunk.Chunk<Delta>): DeltaChannel =>
      Chunk.isEmpty(chunk) ? start : Channel.flatMap(Channel.fromEffect(onFirst), () => emit(chunk)),
    ...ending
  })
  return Stream.pipeThroughChannel(stream, start)
}

/** Size of a delta, and of each token with logprobs, apart from its text. */
const perDelta = 8

const likelihoodsIn = (delta: Delta): number =>
  delta._tag === "Text" && delta.logprobs !== undefined
    ? delta.logprobs.reduce((sum, { top }) => sum + 1 + top.length, 0)
    : 0

const sizeOf = (chunk: Chunk.Chunk<Delta>): number =>
  Chunk.reduce(chunk, 0, (sum, delta) => sum + deltaLength(delta) + perDelta * (1 + likelihoodsIn(delta)))

/**
 * Buffers an answer until its end, so that one that fails emits nothing. An answer that grows past `limit` is emitted
 * from there on. Sizes are UTF-16 units, plus 8 per delta.
 */
export const bufferWhole = (stream: DeltaStream, limit: number): DeltaStream =>
  Stream.suspend(() => {
    const buffered: Array<Chunk.Chunk<Delta>> = []
    let size = 0
    const emit = Channel.suspend(() => Channel.writeChunk(Chunk.unsafeFromArray(buffered)))
    const gather: DeltaChannel = Channel.readWithCause({
      onInput: (chunk: Chunk.Chunk<Delta>): DeltaChannel => {
        buffered.push(chunk)
        size += sizeOf(chunk)
        return size > limit ? Channel.flatMap(emit, () => passThrough) : gather
      },
      onFailure: Channel.failCause,
      onDone: () => emit
    })
    return Stream.pipeThroughChannel(stream, gather)
  })
