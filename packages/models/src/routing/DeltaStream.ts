import { ModelFailed } from "@trunkline/errors"
import { catchPullCause, flatMapNow, fromPull, mapSource, type Pull, toPull } from "@trunkline/kernel"
import { Cause, Effect, Either, Stream } from "effect"
import { type Delta, deltaLength } from "../Completion.js"
import type { ModelFailure } from "../LanguageModel.js"

/** A stream of the deltas of an answer. */
export type DeltaStream = Stream.Stream<Delta, ModelFailure>

/** Work at points of an answer. Default: none. */
interface StreamHooks {
  /** Before the first delta is emitted. */
  readonly onFirst?: () => Effect.Effect<void>
  /** Before `Finish` is emitted. */
  readonly onFinish?: () => void
}

const isFinish = ({ _tag }: Delta): boolean => _tag === "Finish"

const brokenOff = () => new ModelFailed({ message: "The model broke off its answer" })

/** Runs hooks at points of an answer, and fails with `ModelFailed` if it ends without `Finish`. */
export const withHooks = (
  stream: DeltaStream,
  { onFinish = () => {}, onFirst = () => Effect.void }: StreamHooks = {}
): DeltaStream =>
  mapSource(stream, () => {
    let hasBegun = false
    let hasFinished = false
    return (deltas): Pull<Delta, ModelFailure> => {
      if (deltas === null) return hasFinished ? Effect.succeed(null) : brokenOff()
      const isFirst = !hasBegun && deltas.length > 0
      const isLast = !hasFinished && deltas.some(isFinish)
      hasBegun ||= isFirst
      return flatMapNow(isFirst ? onFirst() : Effect.void, () => {
        if (isLast) {
          hasFinished = true
          onFinish()
        }
        return Effect.succeed(deltas)
      })
    }
  })

/** Continues with another answer where this one fails. */
export const catchFailure = (stream: DeltaStream, recover: (failure: ModelFailure) => DeltaStream): DeltaStream =>
  catchPullCause(
    stream,
    (cause) => Either.match(Cause.failureOrCause(cause), { onLeft: recover, onRight: Stream.failCause })
  )

/** Size of a delta, and of each token with logprobs, apart from its text. */
const perDelta = 8

const likelihoodsIn = (delta: Delta): number =>
  delta._tag === "Text" && delta.logprobs !== undefined
    ? delta.logprobs.reduce((sum, { top }) => sum + 1 + top.length, 0)
    : 0

const sizeOf = (deltas: ReadonlyArray<Delta>): number =>
  deltas.reduce((sum, delta) => sum + deltaLength(delta) + perDelta * (1 + likelihoodsIn(delta)), 0)

/**
 * Buffers an answer until its end, so that one that fails emits nothing. An answer that grows past `limit` is emitted
 * from there on. Sizes are UTF-16 units, plus 8 per delta.
 */
export const bufferWhole = (stream: DeltaStream, limit: number): DeltaStream =>
  fromPull(Effect.map(toPull(stream), (pull): Pull<Delta, ModelFailure> => {
    const bufferedDeltas: Array<ReadonlyArray<Delta>> = []
    let size = 0
    let isOver = false
    const emit = Effect.sync(() => bufferedDeltas.shift() ?? null)
    const gather: Pull<Delta, ModelFailure> = Effect.flatMap(pull, (deltas) => {
      if (deltas === null) {
        isOver = true
        return emit
      }
      bufferedDeltas.push(deltas)
      size += sizeOf(deltas)
      return size > limit ? emit : gather
    })
    return Effect.suspend(() => isOver || bufferedDeltas.length > 0 ? emit : size > limit ? pull : gather)
  }))
