import { assert, describe, it } from "@effect/vitest"
import { Recordings } from "@trunkline/analytics"
import { attemptId, testPlace } from "@trunkline/analytics/testing"
import { FileStore } from "@trunkline/cohorts"
import { Entropy, RetainedData, Transactions } from "@trunkline/kernel"
import { callTracesLaws } from "@trunkline/replay/testing"
import { CallTraces } from "@trunkline/replay/trace"
import { AttemptStore } from "@trunkline/telephony"
import { Effect, Layer, Option, Redacted } from "effect"
import { Retention } from "../../src/operations/Retention.js"
import { RecordingKeys } from "../../src/recordings/RecordingKeys.js"
import { callTracesLayer } from "../../src/traces/TraceFiles.js"

const keysOf = (letter: string) =>
  Layer.provide(RecordingKeys.layer([Redacted.make(letter.repeat(32))]), Entropy.layerSeeded("traces"))

const place = testPlace("traces")
const id = attemptId(place, 1)

callTracesLaws("sealed files", Layer.provide(callTracesLayer, Layer.merge(keysOf("a"), FileStore.layerMemory)))

describe("sealed traces", () => {
  it.effect("cannot be read with another key, and say so", () =>
    Effect.gen(function*() {
      const files = yield* FileStore
      const stored = Layer.succeed(FileStore, files)
      const traces = (letter: string) => Layer.provide(callTracesLayer, Layer.merge(keysOf(letter), stored))
      yield* Effect.provide(Effect.flatMap(CallTraces, ({ keep }) => keep(place.scope, id, "words")), traces("a"))
      const error = yield* Effect.flip(
        Effect.provide(Effect.flatMap(CallTraces, ({ find }) => find(place.scope, id)), traces("b"))
      )
      assert.include(error.message, "it was encrypted with the key")
    }).pipe(Effect.provide(FileStore.layerMemory)))

  it.effect("go with old transcripts", () =>
    Effect.gen(function*() {
      const { find, keep } = yield* CallTraces
      yield* keep(place.scope, id, "words")
      const { run } = yield* Retention
      yield* run(place.scope, { recordings: 1 }, 0)
      assert.isTrue(Option.isSome(yield* find(place.scope, id)))
      yield* run(place.scope, { transcripts: 1 }, 0)
      assert.isTrue(Option.isNone(yield* find(place.scope, id)))
    }).pipe(Effect.provide(Layer.provideMerge(
      Retention.layer,
      Layer.mergeAll(
        CallTraces.layerMemory,
        Recordings.layerMemory,
        Transactions.layerMemory,
        AttemptStore.layerMemory,
        Layer.succeed(RetainedData, {
          count: () => Effect.succeed(1),
          find: () => Effect.succeed([{ id, interaction_id: null, at: 0 }]),
          remove: () => Effect.succeed([])
        })
      )
    ))))
})
