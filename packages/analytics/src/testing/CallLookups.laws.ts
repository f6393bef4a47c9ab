import { assert, type Vitest } from "@effect/vitest"
import { Scope, type Transactions, WorkspaceId } from "@trunkline/kernel"
import { Effect, Option } from "effect"
import type { CallRecord } from "../CallRecord.js"
import { CallRecords } from "../CallRecords.js"
import { attemptId, callRecord, interactionId, testPlace, transcriptOf, unanswered } from "./CallFixtures.js"

const store = (records: ReadonlyArray<CallRecord>) =>
  Effect.flatMap(CallRecords, (calls) => Effect.forEach(records, (record) => calls.record(record, null)))

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
      yield* calls.record(record, transcript)
      yield* calls.record(missed, null)
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
