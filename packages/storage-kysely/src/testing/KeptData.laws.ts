import { assert, layer } from "@effect/vitest"
import { CallRecords } from "@trunkline/analytics"
import {
  attemptId,
  type CallPlace,
  callRecord,
  modelInputsOf,
  testPlace,
  transcriptOf,
  unanswered
} from "@trunkline/analytics/testing"
import {
  findOne,
  OrgId,
  PersonData,
  PhoneNumber,
  RetainedData,
  Scope,
  StoreProbe,
  Transactions,
  WorkspaceId
} from "@trunkline/kernel"
import { AttemptStore } from "@trunkline/telephony"
import { attemptFixture as attempt, talkedFixture as talked } from "@trunkline/telephony/testing"
import { Clock, Effect, type Layer, Option } from "effect"
import type { Stores } from "../StoresSql.js"

/** Start of the first call of {@link callRecord}, in milliseconds since 1970. */
const first = Date.parse("2026-01-01T00:00:00Z")

/** Workspace of {@link attempt}. */
const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })

const storeCalls = (place: CallPlace, numbers: ReadonlyArray<number>) =>
  Effect.flatMap(CallRecords, (calls) =>
    calls.recordMany(numbers.map((number) => ({
      record: callRecord(place, number),
      transcript: transcriptOf(place, number, "Hello")
    }))))

/** Laws of `StoreProbe`, `RetainedData` and `PersonData`, over stores that keep data for days. */
export const keptDataLaws = <E>(name: string, live: Layer.Layer<Stores, E>): void => {
  layer(live)(`StoreProbe laws: ${name}`, (it) => {
    it.effect("writes a mark again and again, and knows the version of its tables", () =>
      Effect.gen(function*() {
        const probe = yield* StoreProbe
        yield* probe.write
        yield* probe.write
        const { storedVersion, ownVersion } = yield* probe.version
        assert.isAbove(ownVersion, 0)
        assert.strictEqual(storedVersion, ownVersion)
      }))
  })

  layer(live)(`RetainedData laws: ${name}`, (it) => {
    it.effect("counts, finds and deletes what is from before a time, in one workspace", () =>
      Effect.gen(function*() {
        const [place, other] = [testPlace("retained"), testPlace("retained-other")]
        const data = yield* RetainedData
        const calls = yield* CallRecords
        for (const each of [place, other]) yield* storeCalls(each, [1, 2, 3])
        const before = first + 3_000
        assert.strictEqual(yield* data.count(place.scope, "calls", before), 2)
        assert.strictEqual(yield* data.count(place.scope, "transcripts", first), 0)
        const [row, ...more] = yield* data.find(place.scope, "calls", { before, limit: 1 })
        assert.lengthOf(more, 0)
        assert.isDefined(row)
        const rows = yield* data.find(place.scope, "calls", { before, limit: 10 })
        assert.sameMembers(rows.map(({ id }) => id), [attemptId(place, 1), attemptId(place, 2)])
        const removals = yield* data.remove(place.scope, "calls", rows)
        assert.sameMembers([...removals], [attemptId(place, 1), attemptId(place, 2)])
        assert.strictEqual(yield* data.count(place.scope, "calls", before), 0)
        assert.isTrue(Option.isSome(yield* calls.find(place.scope, attemptId(place, 3))))
        assert.strictEqual(yield* data.count(other.scope, "calls", before), 2)
      }))

    it.effect("joins the running transaction", () =>
      Effect.gen(function*() {
        const place = testPlace("retained-undone")
        const data = yield* RetainedData
        const { run } = yield* Transactions
        yield* storeCalls(place, [1])
        const before = first + 86_400_000
        const rows = yield* data.find(place.scope, "transcripts", { before, limit: 10 })
        yield* Effect.flip(run(Effect.zipRight(data.remove(place.scope, "transcripts", rows), Effect.fail("undone"))))
        assert.strictEqual(yield* data.count(place.scope, "transcripts", before), 1)
      }))

    it.effect("deletes what models were sent with transcripts, also of calls without one", () =>
      Effect.gen(function*() {
        const place = testPlace("retained-inputs")
        const data = yield* RetainedData
        const calls = yield* CallRecords
        const failedCall = callRecord(place, 2, unanswered)
        yield* calls.recordMany([
          { record: callRecord(place, 1), transcript: transcriptOf(place, 1, "Hello"), modelInputs: modelInputsOf(1) },
          { record: failedCall, transcript: null, modelInputs: modelInputsOf(2) },
          { record: callRecord(place, 3, unanswered), transcript: null }
        ])
        const before = first + 86_400_000
        assert.strictEqual(yield* data.count(place.scope, "transcripts", before), 2)
        const rows = yield* data.find(place.scope, "transcripts", { before, limit: 10 })
        assert.sameMembers(rows.map(({ id }) => id), [attemptId(place, 1), attemptId(place, 2)])
        yield* data.remove(place.scope, "transcripts", rows)
        assert.strictEqual(yield* data.count(place.scope, "transcripts", before), 0)
        assert.deepStrictEqual(
          yield* calls.find(place.scope, failedCall.attempt_id),
          Option.some({ record: failedCall, transcript: null })
        )
      }))

    it.effect("keeps attempts that go on, however old they are", () =>
      Effect.gen(function*() {
        const data = yield* RetainedData
        const store = yield* AttemptStore
        const going = attempt("kept-going", { state: "accepted", attempted_at: 1_000 })
        const endedAttempt = attempt("kept-ended", { state: "ended", attempted_at: 1_000, result: talked })
        yield* store.insertMany([going, endedAttempt])
        const now = yield* Clock.currentTimeMillis
        const rows = yield* data.find(scope, "attempts", { before: now + 86_400_000, limit: 100 })
        const ids = rows.map(({ id }) => id)
        assert.include(ids, endedAttempt.attempt_id)
        assert.notInclude(ids, going.attempt_id)
        const as = (id: string) => ({ id, interaction_id: null, at: 1_000 })
        yield* data.remove(scope, "attempts", [as(going.attempt_id), as(endedAttempt.attempt_id)])
        assert.isTrue(Option.isSome(yield* findOne(store.findMany, going.attempt_id)))
        assert.isTrue(Option.isNone(yield* findOne(store.findMany, endedAttempt.attempt_id)))
      }))
  })

  layer(live)(`PersonData laws: ${name}`, (it) => {
    const phone = PhoneNumber.make("+919811122233")

    it.effect("finds the ended attempts of a number, counts what goes on, and erases only the former", () =>
      Effect.gen(function*() {
        const people = yield* PersonData
        const store = yield* AttemptStore
        const going = attempt("person-going", { state: "accepted", user_phone_number: phone })
        const endedAttempt = attempt("person-ended", { state: "ended", user_phone_number: phone, result: talked })
        const another = attempt("person-another", { state: "ended", result: talked })
        yield* store.insertMany([going, endedAttempt, another])
        const person = yield* people.find(scope, phone)
        assert.deepStrictEqual(person.attempts, [endedAttempt.attempt_id])
        assert.strictEqual(person.open.attempts, 1)
        assert.include(yield* people.remove(scope, phone, person), { attempts: 1, contacts: 0 })
        assert.isTrue(Option.isNone(yield* findOne(store.findMany, endedAttempt.attempt_id)))
        for (const { attempt_id } of [going, another]) {
          assert.isTrue(Option.isSome(yield* findOne(store.findMany, attempt_id)))
        }
        assert.deepStrictEqual((yield* people.find(scope, phone)).attempts, [])
      }))

    it.effect("holds nothing of a number that is nowhere", () =>
      Effect.gen(function*() {
        const people = yield* PersonData
        const stranger = yield* people.find(scope, PhoneNumber.make("+919800000000"))
        assert.deepStrictEqual(stranger, {
          identifiers: [],
          attempts: [],
          cohorts: [],
          open: { attempts: 0, contacts: 0, webhooks: 0 }
        })
      }))
  })
}
