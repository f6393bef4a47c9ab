import type { LanguageModel, ModelFailure, ModelRequest, Usage } from "@trunkline/models"
import { Clock, Effect, Either, Stream } from "effect"

/** A request without anything special. */
export const hello: ModelRequest = { model: "core-105b", messages: [{ role: "user", content: "Hello" }] }

/** Everything that was read from a stream. */
export interface Read {
  /** The texts of each chunk. */
  readonly chunks: ReadonlyArray<ReadonlyArray<string>>
  readonly usage: ReadonlyArray<Usage>
  readonly isFinished: boolean
  /** Null when it ended well. */
  readonly failure: ModelFailure | null
  /** Milliseconds, from the beginning of the clock. */
  readonly firstAt: number | null
  readonly endedAt: number
}

/** Reads a stream to its end. */
export const read = (model: LanguageModel["Type"], request: ModelRequest = hello): Effect.Effect<Read> =>
  Effect.gen(function*() {
    const clock = yield* Effect.clock
    const chunks: Array<ReadonlyArray<string>> = []
    const usage: Array<Usage> = []
    let isFinished = false
    let firstAt: number | null = null
    const end = yield* Effect.either(Stream.runForEachChunk(model.stream(request), (chunk) =>
      Effect.sync(() => {
        firstAt ??= clock.unsafeCurrentTimeMillis()
        const texts: Array<string> = []
        for (const delta of chunk) {
          if (delta._tag === "Text") texts.push(delta.text)
          if (delta._tag === "Usage") usage.push(delta.usage)
          if (delta._tag === "Finish") isFinished = true
        }
        chunks.push(texts)
      })))
    const endedAt = yield* Clock.currentTimeMillis
    return { chunks, usage, isFinished, failure: Either.isLeft(end) ? end.left : null, firstAt, endedAt }
  })

/** Everything that a stream said. */
export const textOf = ({ chunks }: Read): string => chunks.flat().join("")

/** Asks for a whole answer: its text, or the tag of its failure. */
export const ask = (model: LanguageModel["Type"], request: ModelRequest = hello): Effect.Effect<string> =>
  Effect.match(model.generate(request), { onSuccess: ({ text }) => text, onFailure: ({ _tag }) => _tag })

/** Both ways to ask, whatever comes of it. */
export const ways: ReadonlyArray<(model: LanguageModel["Type"]) => Effect.Effect<void>> = [
  (model) => Effect.asVoid(ask(model)),
  (model) => Effect.asVoid(read(model))
]
