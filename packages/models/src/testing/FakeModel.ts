import { Chunk, Clock, type Duration, Effect, Stream } from "effect"
import { appendDelta, type Completion, type Delta, emptyCompletion } from "../Completion.js"
import type { Model, ModelFailure } from "../LanguageModel.js"
import type { ModelRequest } from "../ModelRequest.js"

/** A step of a scripted answer. */
export type FakeStep =
  | { readonly _tag: "Wait"; readonly duration: Duration.DurationInput }
  | { readonly _tag: "Send"; readonly deltas: ReadonlyArray<Delta> }
  | { readonly _tag: "Fail"; readonly failure: ModelFailure }
  | { readonly _tag: "Hang" }

/** A call of the fake model. */
export interface FakeCall {
  readonly request: ModelRequest
  /** Time of the call in milliseconds. */
  readonly at: number
  /** Number of times it was closed: 0 while in progress, 1 afterwards; anything else is an error. */
  readonly closings: number
}

/** A model for tests that plays scripts and records its calls. */
export interface FakeModel extends Model {
  /** Calls in the order in which they began. */
  readonly calls: ReadonlyArray<FakeCall>
  /** Most calls that were in progress at once. */
  readonly maxConcurrent: () => number
}

/** Waits for a duration. */
export const waits = (duration: Duration.DurationInput): FakeStep => ({ _tag: "Wait", duration })
/** Emits deltas in one chunk. */
export const sends = (...deltas: ReadonlyArray<Delta>): FakeStep => ({ _tag: "Send", deltas })
/** Fails with a failure. */
export const fails = (failure: ModelFailure): FakeStep => ({ _tag: "Fail", failure })
/** Never continues. */
export const hangs: FakeStep = { _tag: "Hang" }

/** Emits texts, each in its own chunk, without ending the answer. */
export const says = (...texts: ReadonlyArray<string>): ReadonlyArray<FakeStep> =>
  texts.map((text) => sends({ _tag: "Text", text }))

/** Ends an answer with usage and `Finish`. */
export const ends = (outputTokens: number): FakeStep =>
  sends(
    { _tag: "Usage", usage: { inputTokens: 1, cachedTokens: 0, outputTokens, reasoningTokens: 0 } },
    { _tag: "Finish", reason: "stop" }
  )

/** A complete answer: texts, usage and `Finish`. */
export const answers = (
  ...texts: ReadonlyArray<string>
): ReadonlyArray<FakeStep> => [...says(...texts), ends(texts.length)]

const deltasOf = (step: FakeStep): Effect.Effect<ReadonlyArray<Delta>, ModelFailure> => {
  switch (step._tag) {
    case "Wait":
      return Effect.as(Effect.sleep(step.duration), [])
    case "Send":
      return Effect.succeed(step.deltas)
    case "Fail":
      return Effect.fail(step.failure)
    case "Hang":
      return Effect.never
  }
}

/**
 * Makes a model that plays these scripts one per call, and repeats the last one.
 *
 * @example
 * const model = fakeModel([[fails(new ModelFailed({ message: "down" }))], answers("Hello")])
 */
export const fakeModel = (scripts: ReadonlyArray<ReadonlyArray<FakeStep>>): FakeModel => {
  const calls: Array<{ readonly request: ModelRequest; readonly at: number; closings: number }> = []
  let open = 0
  let most = 0

  const begin = (request: ModelRequest) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      const call = { request, at, closings: 0 }
      const steps = scripts[Math.min(calls.length, scripts.length - 1)] ?? []
      calls.push(call)
      open += 1
      most = Math.max(most, open)
      return { call, steps }
    })
  const end = ({ call }: Effect.Effect.Success<ReturnType<typeof begin>>) =>
    Effect.sync(() => {
      call.closings += 1
      open -= 1
    })

  return {
    calls,
    maxConcurrent: () => most,
    generate: (request) =>
      Effect.acquireUseRelease(
        begin(request),
        ({ steps }) =>
          Effect.map(
            Effect.forEach(steps, deltasOf),
            (pieces): Completion => pieces.flat().reduce(appendDelta, emptyCompletion)
          ),
        end
      ),
    stream: (request) =>
      Stream.acquireRelease(begin(request), end).pipe(
        Stream.flatMap(({ steps }) =>
          Stream.fromIterable(steps).pipe(
            Stream.rechunk(1),
            Stream.mapEffect(deltasOf),
            Stream.flatMap((deltas) => Stream.fromChunk(Chunk.fromIterable(deltas)))
          )
        )
      )
  }
}
