import { assert, layer } from "@effect/vitest"
import { AppId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import type { CallQuery } from "../CallQuery.js"
import type { CallRecord, Transcript } from "../CallRecord.js"
import { CallRecords } from "../CallRecords.js"
import { type CallKind, matchesSearch, searchOrder } from "../CallSearch.js"
import { fieldNames } from "../Fields.js"
import {
  atSecond,
  attemptId,
  type CallPlace,
  callRecord,
  conditionsOn,
  interactionId,
  testPlace,
  transcriptOf,
  unanswered,
  variedCalls
} from "./CallFixtures.js"
import { callLookupLaws } from "./CallLookups.laws.js"

const everything: CallQuery = {
  start_datetime: atSecond(0),
  end_datetime: atSecond(86_400),
  limit: 100,
  offset: 0,
  sort_order: "desc",
  filter_conditions: []
}

const ask = (place: CallPlace, change: Partial<CallQuery> = {}, kind: CallKind = "attempts") =>
  Effect.flatMap(CallRecords, (records) => records.query({ ...place, kind, query: { ...everything, ...change } }))

const ids = (items: ReadonlyArray<CallRecord>) => items.map((record) => record.attempt_id)

const report = (record: CallRecord, transcript: Transcript | null) =>
  Effect.flatMap(CallRecords, (calls) => calls.recordMany([{ record, transcript }]))

const store = (records: ReadonlyArray<CallRecord>) =>
  Effect.flatMap(CallRecords, (calls) => calls.recordMany(records.map((record) => ({ record, transcript: null }))))

/** Laws of `CallRecords`. Every law uses a separate organisation, so rows may live as long as the layer. */
export const callRecordsLaws = <E>(name: string, live: Layer.Layer<CallRecords | Transactions, E>) =>
  layer(live)(`CallRecords laws: ${name}`, (it) => {
    it.effect("returns exactly the recorded calls, connected or not", () =>
      Effect.gen(function*() {
        const place = testPlace("round-trip")
        const records = variedCalls(place)
        yield* store(records)
        const { items, total } = yield* ask(place, { sort_by: "attempt_id", sort_order: "asc" })
        assert.deepStrictEqual(items, records)
        assert.strictEqual(total, records.length)
        assert.deepStrictEqual(yield* ask(testPlace("round-trip-of-another")), { items: [], total: 0 })
      }))

    it.effect("replaces an earlier report of an attempt and its transcript", () =>
      Effect.gen(function*() {
        const place = testPlace("replace")
        const calls = yield* CallRecords
        const conversation = { ...place, interaction_id: interactionId(place, 1) }
        yield* report(callRecord(place, 1, { completion_status: "partial" }), transcriptOf(place, 1, "Hello?"))
        const last = transcriptOf(place, 1, "Hello. Goodbye.")
        yield* report(callRecord(place, 1), last)
        assert.deepStrictEqual(yield* ask(place), { items: [callRecord(place, 1)], total: 1 })
        assert.deepStrictEqual(yield* calls.transcript(conversation), Option.some(last))
        yield* report(callRecord(place, 1, unanswered), null)
        assert.deepStrictEqual(yield* calls.transcript(conversation), Option.none())
      }))

    it.effect("includes the start of a range and excludes its end", () =>
      Effect.gen(function*() {
        const place = testPlace("range")
        yield* store([1, 2, 3].map((number) => callRecord(place, number)))
        const { items, total } = yield* ask(place, {
          start_datetime: atSecond(1),
          end_datetime: atSecond(3)
        })
        assert.deepStrictEqual(ids(items), [attemptId(place, 2), attemptId(place, 1)])
        assert.strictEqual(total, 2)
      }))

    it.effect("lists attempts with a conversation as interactions, by its start", () =>
      Effect.gen(function*() {
        const place = testPlace("interactions")
        yield* store([
          callRecord(place, 1, { conversation: { start_datetime: atSecond(50) } }),
          callRecord(place, 2, unanswered),
          callRecord(place, 3, { conversation: { start_datetime: atSecond(40) } })
        ])
        const range = { start_datetime: atSecond(40), end_datetime: atSecond(51) }
        assert.deepStrictEqual(ids((yield* ask(place, range, "interactions")).items), [
          attemptId(place, 1),
          attemptId(place, 3)
        ])
        assert.strictEqual((yield* ask(place, range)).total, 0)
        assert.strictEqual((yield* ask(place, {}, "interactions")).total, 2)
      }))

    it.effect("matchesSearch no call of another organisation, workspace or agent", () =>
      Effect.gen(function*() {
        const place = testPlace("isolation")
        const calls = yield* CallRecords
        yield* report(callRecord(place, 1), transcriptOf(place, 1, "Hello."))
        const interaction_id = interactionId(place, 1)
        const other = testPlace("isolation-of-another").scope
        const strangers: ReadonlyArray<CallPlace> = [
          { ...place, app_id: AppId.make("sales") },
          { ...place, scope: other },
          { ...place, scope: new Scope({ ...place.scope, workspace_id: WorkspaceId.make("second") }) }
        ]
        for (const stranger of strangers) {
          assert.deepStrictEqual(yield* ask(stranger), { items: [], total: 0 })
          assert.deepStrictEqual(yield* calls.transcript({ ...stranger, interaction_id }), Option.none())
        }
        assert.isTrue(Option.isSome(yield* calls.transcript({ ...place, interaction_id })))
      }))

    it.effect("sorts by time and then by attempt id, in both directions", () =>
      Effect.gen(function*() {
        const place = testPlace("order")
        const at = (number: number, seconds: number) => callRecord(place, number, { attempted_at: atSecond(seconds) })
        yield* store([at(3, 10), at(1, 20), at(2, 10)])
        const newest = yield* ask(place)
        assert.deepStrictEqual(ids(newest.items), [1, 2, 3].map((number) => attemptId(place, number)))
        const oldest = yield* ask(place, { sort_order: "asc" })
        assert.deepStrictEqual(ids(oldest.items), [2, 3, 1].map((number) => attemptId(place, number)))
      }))

    it.effect("sorts calls without a value last, in both directions", () =>
      Effect.gen(function*() {
        const place = testPlace("nulls-last")
        const lasting = (number: number, duration_in_seconds: number) =>
          callRecord(place, number, { conversation: { duration_in_seconds } })
        yield* store([callRecord(place, 1, unanswered), lasting(2, 9), lasting(3, 10)])
        for (const [sort_order, order] of [["asc", [2, 3, 1]], ["desc", [3, 2, 1]]] as const) {
          const { items } = yield* ask(place, { sort_by: "duration_in_seconds", sort_order })
          assert.deepStrictEqual(ids(items), order.map((number) => attemptId(place, number)))
        }
      }))

    it.effect("returns consecutive pages without gaps or overlaps, each with the total", () =>
      Effect.gen(function*() {
        const place = testPlace("pages")
        yield* store(
          [1, 2, 3, 4, 5].map((number) => callRecord(place, number, { attempted_at: atSecond(0) }))
        )
        const pages = yield* Effect.forEach([0, 2, 4, 6], (offset) => ask(place, { limit: 2, offset }))
        assert.deepStrictEqual(pages.map(({ items }) => items.length), [2, 2, 1, 0])
        assert.deepStrictEqual(pages.map(({ total }) => total), [5, 5, 5, 5])
        assert.deepStrictEqual(
          pages.flatMap(({ items }) => ids(items)),
          [1, 2, 3, 4, 5].map((number) => attemptId(place, number))
        )
      }))

    it.effect("requires all conditions to hold", () =>
      Effect.gen(function*() {
        const place = testPlace("and")
        yield* store(variedCalls(place))
        const page = yield* ask(place, {
          filter_conditions: [
            { id: "c1", kind: "string", field: "language_name", operator: "starts_with", value: "HIN" },
            { id: "c1", kind: "number", field: "num_messages", operator: "greater_than", value: 4 }
          ]
        })
        assert.deepStrictEqual(ids(page.items), [attemptId(place, 10)])
        assert.strictEqual(page.total, 1)
      }))

    it.effect("applies every operator on every field and on variables", () =>
      Effect.gen(function*() {
        const place = testPlace("operators")
        const records = variedCalls(place)
        yield* store(records)
        const variables = ["name", "due", "paid", "note", "first.name", "a\"b'c", "absent"]
        const names = [...fieldNames, ...variables.map((variable) => `agent_variables.${variable}`)]
        const conditions = names.flatMap((field) => conditionsOn(field, records))
        for (const condition of conditions) {
          const query = { ...everything, filter_conditions: [condition] }
          const search = { ...place, kind: "attempts", query } as const
          const expected = records.filter((record) => matchesSearch(search, record)).sort(searchOrder(search))
          const page = yield* ask(place, query)
          assert.deepStrictEqual(ids(page.items), ids(expected), JSON.stringify(condition))
          assert.strictEqual(page.total, expected.length)
        }
      }))

    it.effect("sorts both lists by every field", () =>
      Effect.gen(function*() {
        const place = testPlace("sorts")
        const records = variedCalls(place)
        yield* store(records)
        for (const sort_by of fieldNames) {
          for (const sort_order of ["asc", "desc"] as const) {
            for (const kind of ["attempts", "interactions"] as const) {
              const search = { ...place, kind, query: { ...everything, sort_by, sort_order } }
              const expected = records.filter((record) => matchesSearch(search, record)).sort(searchOrder(search))
              const page = yield* ask(place, search.query, kind)
              assert.deepStrictEqual(ids(page.items), ids(expected), `${kind} by ${sort_by} ${sort_order}`)
            }
          }
        }
      }))

    callLookupLaws(it)

    it.effect("erases attempts and transcripts in the given workspace only", () =>
      Effect.gen(function*() {
        const records = yield* CallRecords
        const [place, other] = [testPlace("erase"), testPlace("erase-other")]
        yield* records.recordMany(
          [1, 2].map((n) => ({ record: callRecord(place, n), transcript: transcriptOf(place, n, "Namaste") }))
        )
        yield* records.recordMany([{ record: callRecord(other, 1), transcript: transcriptOf(other, 1, "Namaste") }])
        yield* records.erase(place.scope, [attemptId(place, 1), attemptId(other, 1), attemptId(place, 9)])
        const wordsOf = (at: typeof place, number: number) =>
          records.transcript({ ...at, interaction_id: interactionId(at, number) })
        assert.isTrue(Option.isNone(yield* wordsOf(place, 1)))
        assert.isTrue(Option.isSome(yield* wordsOf(place, 2)))
        assert.isTrue(Option.isSome(yield* wordsOf(other, 1)))
        assert.deepStrictEqual(ids((yield* ask(place)).items), [attemptId(place, 2)])
        assert.deepStrictEqual(ids((yield* ask(other)).items), [attemptId(other, 1)])
      }))

    it.effect("rolls back a record of a failed transaction", () =>
      Effect.gen(function*() {
        const place = testPlace("rollback")
        const calls = yield* CallRecords
        const transactions = yield* Transactions
        const write = report(callRecord(place, 1), transcriptOf(place, 1, "Hello."))
        yield* Effect.flip(transactions.run(Effect.zipRight(write, Effect.fail("refused"))))
        assert.strictEqual((yield* ask(place)).total, 0)
        const interaction_id = interactionId(place, 1)
        assert.deepStrictEqual(yield* calls.transcript({ ...place, interaction_id }), Option.none())
      }))
  })
