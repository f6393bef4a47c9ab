import { assert, layer } from "@effect/vitest"
import type { AfterCallResult, Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { CallRecord } from "../CallRecord.js"
import { CallRecords } from "../CallRecords.js"
import { attemptId, callRecord, modelInputsOf, testPlace, transcriptOf } from "./CallFixtures.js"

const result: AfterCallResult = {
  summary: "Pays on Friday.",
  output_variables: { promise_date: "2026-12-04", amount: 500, agrees: true, mood: null },
  extraction: {
    status: "done",
    reason: null,
    model: "core-105b",
    tries: 2,
    duration_seconds: 1.5,
    usage: { input_tokens: 300, output_tokens: 20 },
    variables: [{ name: "promise_date", type: "date", source: "model" }, { name: "mood", type: "enum", source: null }]
  }
}

/** Laws of what is found out about calls after their end. */
export const callEvaluationLaws = <E>(name: string, live: Layer.Layer<CallRecords | Transactions, E>) =>
  layer(live)(`CallRecords laws, evaluations: ${name}`, (it) => {
    it.effect("stores it in the record, and leaves the rest as it is", () =>
      Effect.gen(function*() {
        const calls = yield* CallRecords
        const place = testPlace("evaluate")
        const record = callRecord(place, 1)
        const parts = { transcript: transcriptOf(place, 1, "Hello?"), modelInputs: modelInputsOf(1) }
        yield* calls.recordMany([{ record, ...parts }])
        assert.isTrue(yield* calls.evaluate(place.scope, attemptId(place, 1), result))
        assert.deepStrictEqual(
          yield* calls.find(place.scope, attemptId(place, 1)),
          Option.some({ record: new CallRecord({ ...record, after_call: result }), ...parts })
        )
      }))

    it.effect("stores nothing of unknown attempts, those of other workspaces, and erased ones", () =>
      Effect.gen(function*() {
        const calls = yield* CallRecords
        const [place, other] = [testPlace("evaluate-none"), testPlace("evaluate-other")]
        const id = attemptId(place, 1)
        assert.isFalse(yield* calls.evaluate(place.scope, id, result))
        yield* calls.recordMany([{ record: callRecord(place, 1), transcript: null }])
        assert.isFalse(yield* calls.evaluate(other.scope, id, result))
        yield* calls.erase(place.scope, [id])
        assert.isFalse(yield* calls.evaluate(place.scope, id, result))
        assert.deepStrictEqual(yield* calls.find(place.scope, id), Option.none())
      }))
  })
