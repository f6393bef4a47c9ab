import { Chunk, Clock, type Duration, Effect, Stream } from "effect"
import { appendDelta, type Completion, type Delta, emptyCompletion } from "./Completion.js"
import type { Model, ModelFailure } from "./LanguageModel.js"
import type { ModelRequest } from "./ModelRequest.js"

/** One thing that a fake model does on its way through an answer. */
export type FakeStep =
  | { readonly _tag: "Wait"; readonly duration: Duration.DurationInput }
  | { readonly _tag: "Send"; readonly deltas: ReadonlyArray<Delta> }
  | { readonly _tag: "Fail"; readonly failure: ModelFailure }
  | { readonly _tag: "Hang" }

/** An answer that was asked for. */
export interface FakeCall {
  readonly request: ModelRequest
  /** When, in milliseconds. */
  readonly at: number
  /** How often its end was noticed: 0 while it goes on, 1 afterwards, and anything else is wrong. */
  readonly closings: number
}

/** A model for tests that does as it is told, and what became of it. */
export interface FakeModel extends Model {
  /** In the order in which they began. */
  readonly calls: ReadonlyArray<FakeCall>
  /** How many went on at once at most. */
  readonly maxConcurrent: () => number
}

/** Waits. */
export const waits = (duration: Duration.DurationInput): FakeStep => ({ _tag: "Wait", duration })
/** Sends pieces, all in one chunk. */
export const sends = (...deltas: ReadonlyArray<Delta>): FakeStep => ({ _tag: "Send", deltas })
/** Fails. */
export const fails = (failure: ModelFailure): FakeStep => ({ _tag: "Fail", failure })
/** Does nothing any more. */
export const hangs: FakeStep = { _tag: "Hang" }

/** Says texts, each in a chunk of its own, and no more. */
export const says = (...texts: ReadonlyArray<string>): ReadonlyArray<FakeStep> =>
  texts.map((text) => sends({ _tag: "Text", text }))

/** Ends an answer, with one token of usage for each of its texts. */
export const ends = (outputTokens: number): FakeStep =>
  sends(
    { _tag: "Usage", usage: { inputTokens: 1, cachedTokens: 0, outputTokens, reasoningTokens: 0 } },
    { _tag: "Finish", reason: "stop" }
  )

/** A whole answer. */
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

/** A model that gives these answers one after the other, and the last one ever after. */
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
