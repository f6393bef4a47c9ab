import { assert, type Vitest } from "@effect/vitest"
import { Scope, type Transactions, WorkspaceId } from "@trunkline/kernel"
import { Effect, Option } from "effect"
import type { CallRecord } from "../CallRecord.js"
import { CallRecords } from "../CallRecords.js"
import {
  attemptId,
  callRecord,
  interactionId,
  modelInputsOf,
  testPlace,
  transcriptOf,
  unanswered
} from "./CallFixtures.js"

const store = (records: ReadonlyArray<CallRecord>) =>
  Effect.flatMap(CallRecords, (calls) => calls.recordMany(records.map((record) => ({ record, transcript: null }))))

/** Laws of the lookups of `CallRecords` by attempt and by user. */
export const callLookupLaws = (it: Vitest.MethodsNonLive<CallRecords | Transactions, false>): void => {
  it.effect("finds a call of the workspace by its attempt id, with its transcript", () =>
    Effect.gen(function*() {
      const place = testPlace("find")
      const calls = yield* CallRecords
      const [record, transcript, missed] = [
        callRecord(place, 1),
        transcriptOf(place, 1, "Hello."),
        callRecord(place, 2, unanswered)
      ]
      yield* calls.recordMany([{ record, transcript }, { record: missed, transcript: null }])
      assert.deepStrictEqual(yield* calls.find(place.scope, record.attempt_id), Option.some({ record, transcript }))
      assert.deepStrictEqual(
        yield* calls.find(place.scope, missed.attempt_id),
        Option.some({ record: missed, transcript: null })
      )
      const second = new Scope({ ...place.scope, workspace_id: WorkspaceId.make("second") })
      for (const scope of [second, testPlace("find-of-another").scope]) {
        assert.deepStrictEqual(yield* calls.find(scope, record.attempt_id), Option.none())
      }
      assert.deepStrictEqual(yield* calls.find(place.scope, attemptId(place, 3)), Option.none())
    }))

  it.effect("keeps what the model was sent, of calls that failed too, until the call is reported again or erased", () =>
    Effect.gen(function*() {
      const place = testPlace("model-inputs")
      const calls = yield* CallRecords
      const talk = { record: callRecord(place, 1), transcript: transcriptOf(place, 1, "Hello.") }
      const failure = { record: callRecord(place, 2, unanswered), transcript: null, modelInputs: modelInputsOf(2) }
      const withInputs = { ...talk, modelInputs: modelInputsOf(1) }
      const find = (number: number) => calls.find(place.scope, attemptId(place, number))
      yield* calls.recordMany([withInputs, failure])
      assert.deepStrictEqual(yield* find(1), Option.some(withInputs))
      assert.deepStrictEqual(yield* find(2), Option.some(failure))
      const again = { ...withInputs, modelInputs: modelInputsOf(9) }
      yield* calls.recordMany([again])
      assert.deepStrictEqual(yield* find(1), Option.some(again))
      yield* calls.recordMany([talk])
      assert.deepStrictEqual(yield* find(1), Option.some(talk))
      yield* calls.erase(place.scope, [attemptId(place, 2)])
      yield* calls.recordMany([{ record: failure.record, transcript: null }])
      assert.deepStrictEqual(yield* find(2), Option.some({ record: failure.record, transcript: null }))
    }))

  it.effect("lists the attempts for a user in the given workspace", () =>
    Effect.gen(function*() {
      const records = yield* CallRecords
      const [place, other] = [testPlace("of-user"), testPlace("of-user-other")]
      const asha = { user_identifier: "asha" }
      yield* store([
        callRecord(place, 1, asha),
        callRecord(place, 2, { ...unanswered, ...asha }),
        callRecord(place, 3),
        callRecord(other, 1, asha)
      ])
      assert.sameDeepMembers([...yield* records.ofUser(place.scope, "asha")], [
        { attempt_id: attemptId(place, 1), interaction_id: interactionId(place, 1) },
        { attempt_id: attemptId(place, 2), interaction_id: null }
      ])
      assert.deepStrictEqual(yield* records.ofUser(place.scope, "Asha"), [])
    }))
}
