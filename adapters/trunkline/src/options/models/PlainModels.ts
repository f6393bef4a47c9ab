import { BadRequest, ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { reasonOfThrown } from "@trunkline/kernel"
import {
  emptyCompletion,
  gatherDeltas,
  type Model as EngineModel,
  type ModelFailure,
  splitIntoDeltas
} from "@trunkline/models"
import { Chunk, Effect, Stream } from "effect"
import type { Delta, ModelRequest } from "../../generated/Models.js"
import type { PlainModel } from "../ModelOptions.js"
import { completionOf, deltaOf } from "./PlainAnswers.js"

const failures = [BadRequest, ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable] as const

/** A rejection as the failure that it is, or as that of a failing model. */
export const modelFailure = (error: unknown): ModelFailure =>
  failures.find((failure): boolean => error instanceof failure) === undefined
    ? new ModelFailed({ message: reasonOfThrown(error) })
    : error as ModelFailure

/** Items that a method yields; whatever it throws, at once or later, is a failure of the model. */
export const streamFrom = <A>(make: () => AsyncIterable<A>): Stream.Stream<A, ModelFailure> =>
  Stream.unwrap(Effect.flatMap(
    Effect.try({ try: make, catch: modelFailure }),
    (items) =>
      typeof Object(items)[Symbol.asyncIterator] === "function"
        ? Effect.succeed(Stream.fromAsyncIterable(items, modelFailure))
        : new ModelFailed({
          message: "The model's stream is not iterable: use an async generator, as in async function*"
        })
  ))

/** Deltas of an answer; one that does not finish by itself is finished. */
const deltasOf = (pieces: Stream.Stream<string | Delta, ModelFailure>): Stream.Stream<Delta, ModelFailure> =>
  Stream.suspend(() => {
    let isFinished = false
    return pieces.pipe(
      Stream.mapEffect(deltaOf),
      Stream.tap((delta) =>
        Effect.sync(() => {
          if (delta._tag === "Finish") isFinished = true
        })
      ),
      Stream.concat(
        Stream.suspend(() => isFinished ? Stream.empty : Stream.make<[Delta]>({ _tag: "Finish", reason: "stop" }))
      )
    )
  })

/** A model of plain methods as a model of the engine. */
export const fromPlain = (model: PlainModel): EngineModel => {
  const generate = model.generate?.bind(model)
  const stream = model.stream?.bind(model)
  const whole = generate && ((request: ModelRequest) =>
    Effect.flatMap(
      Effect.tryPromise({ try: (signal) => generate(request, { signal }), catch: modelFailure }),
      completionOf
    ))
  const streamOf = stream && ((request: ModelRequest) =>
    Stream.unwrapScoped(Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new AbortController()),
        (controller) => Effect.sync(() => controller.abort())
      ),
      ({ signal }) => deltasOf(streamFrom(() => stream(request, { signal })))
    )))
  return {
    generate: whole ?? ((request) =>
      streamOf === undefined
        ? Effect.succeed(emptyCompletion)
        : Effect.map(Stream.runCollect(streamOf(request)), (deltas) => gatherDeltas(Chunk.toReadonlyArray(deltas)))),
    stream: streamOf ?? ((request) =>
      whole === undefined
        ? Stream.empty
        : Stream.unwrap(Effect.map(whole(request), (completion) => Stream.fromIterable(splitIntoDeltas(completion)))))
  }
}
