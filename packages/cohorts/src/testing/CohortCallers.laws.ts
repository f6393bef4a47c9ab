import { assert, layer } from "@effect/vitest"
import { PhoneNumber, type Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { CohortStore } from "../store/CohortStore.js"
import {
  at,
  campaign,
  cohort,
  completed,
  failed,
  findCaller,
  isStopped,
  pending,
  progressOf,
  scope,
  scopeOf,
  store,
  user,
  users
} from "./CohortFixtures.js"

/** The laws of `CohortStore` about lookups of phone numbers in cohorts and stop files. */
export const cohortCallerLaws = <E>(name: string, live: Layer.Layer<CohortStore | Transactions, E>) =>
  layer(live)(`CohortStore laws about callers: ${name}`, (it) => {
    it.effect("finds a caller in the newest cohort with the number; among equally new ones, in the last completed", () =>
      Effect.gen(function*() {
        const owner = campaign("caller")
        yield* store(owner, { id: "coh-caller-new", created: 9, users: users(1, 2) })
        yield* store(owner, { id: "coh-caller-old", created: 1, users: users(1, 2, 3) })
        yield* store(campaign("called elsewhere"), { id: "coh-caller-other", created: 20, users: users(1, 4) })
        yield* store(owner, { id: "coh-caller-failed", created: 20, users: users(1, 5), outcome: failed })
        assert.strictEqual(yield* findCaller(owner, 1), "coh-caller-new/1")
        assert.strictEqual(yield* findCaller(owner, 3), "coh-caller-old/3")
        assert.isUndefined(yield* findCaller(owner, 4))
        assert.isUndefined(yield* findCaller(owner, 5))
        yield* store(owner, { id: "coh-caller-equal", created: 9, users: users(2) })
        assert.strictEqual(yield* findCaller(owner, 2), "coh-caller-equal/2")
      }))

    it.effect("finds a caller with all values, by a number of any length", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("lengths")
        const numbers = ["+1234567", "+919876500001", "+919876500002", "+999999999999999"].map((digits) =>
          PhoneNumber.make(digits)
        )
        const callers = numbers.map((user_phone_number, index) => ({ ...user(index + 1), user_phone_number }))
        yield* store(owner, { id: "coh-lengths", users: callers })
        const results = yield* Effect.forEach(numbers, (number) => cohorts.findCaller(scope, owner, number))
        assert.deepStrictEqual(results.map(Option.map((one) => one.user)), callers.map((one) => Option.some(one)))
        assert.isTrue(Option.isNone(yield* cohorts.findCaller(scope, owner, PhoneNumber.make("+12345678"))))
      }))

    it.effect("finds the first row of a number, however often and in whatever order numbers are indexed", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("indexed")
        const { cohort_id } = cohort("coh-indexed", 1)
        const again = { ...user(4), user_phone_number: user(2).user_phone_number }
        yield* cohorts.insert(pending(owner, cohort("coh-indexed", 1)))
        yield* cohorts.keep(scope, cohort_id, { users: [...users(1, 2, 3), again], progress: progressOf(4) })
        for (const callers of [users(3), users(1, 2), [], users(2, 1, 3), [again]]) {
          assert.isTrue(yield* cohorts.index(scope, cohort_id, callers))
        }
        yield* cohorts.finish(scope, cohort_id, { ...completed(4), updated_at: at(2) })
        assert.deepStrictEqual(
          yield* Effect.forEach([1, 2, 3, 4], (row) => findCaller(owner, row)),
          ["coh-indexed/1", "coh-indexed/2", "coh-indexed/3", undefined]
        )
      }))

    it.effect("stops the numbers of completed stop files, which are no callers", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("stopped")
        const stopFile = cohort("coh-stopped-unfinished", 1, { cohort_category: "stop_file" })
        yield* store(owner, { id: "coh-stopped", users: users(1, 2), category: "stop_file", created: 9 })
        yield* store(owner, { id: "coh-stopped-failed", users: users(3), category: "stop_file", outcome: failed })
        yield* cohorts.insert(pending(owner, stopFile))
        yield* cohorts.keep(scope, stopFile.cohort_id, { users: users(4), progress: progressOf(1) })
        yield* cohorts.index(scope, stopFile.cohort_id, users(4))
        yield* store(owner, { id: "coh-stopped-cohort", users: users(1, 5) })
        yield* store(campaign("stopped elsewhere"), {
          id: "coh-stopped-other",
          users: users(5),
          category: "stop_file"
        })
        const rows = [1, 2, 3, 4, 5]
        assert.deepStrictEqual(
          yield* Effect.forEach(rows, (row) => isStopped(owner, row)),
          [true, true, false, false, false]
        )
        const phones = rows.map((row) => user(row).user_phone_number)
        assert.deepStrictEqual(yield* cohorts.filterStopped(scope, owner, phones), new Set(phones.slice(0, 2)))
        assert.deepStrictEqual(yield* cohorts.filterStopped(scopeOf("other"), owner, phones), new Set())
        assert.deepStrictEqual(
          yield* Effect.forEach(rows, (row) => findCaller(owner, row)),
          ["coh-stopped-cohort/1", undefined, undefined, undefined, "coh-stopped-cohort/5"]
        )
        yield* cohorts.removeOwner(scope, owner)
        assert.isFalse(yield* isStopped(owner, 1))
      }))
  })
