import { assert, layer } from "@effect/vitest"
import type { Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { at, campaign, cohort, completed, scope, scopeOf, store, user, users, walk } from "./CohortFixtures.js"
import { CohortStore } from "./CohortStore.js"

/** The laws of `CohortStore` about people: who is seen, when and in which order. */
export const cohortWalkLaws = <E>(name: string, live: Layer.Layer<CohortStore | Transactions, E>) =>
  layer(live)(`CohortStore laws about people: ${name}`, (it) => {
    it.effect("people are seen once their cohort is completed, whole as they were added", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("seen")
        const { cohort_id } = cohort("coh-seen", 1)
        const look = Effect.all([
          Effect.map(walk(owner, 10), ({ walked }) => walked.length),
          Effect.map(cohorts.findCaller(scope, owner, user(1).user_phone_number), Option.isSome),
          Effect.map(cohorts.progress(scope, owner), ({ users }) => users)
        ])
        yield* cohorts.insert(scope, owner, cohort("coh-seen", 1))
        yield* cohorts.addUsers(scope, cohort_id, users(1, 2))
        assert.deepStrictEqual(yield* look, [0, false, 0])
        yield* cohorts.finish(scope, cohort_id, { ...completed(2), updated_at: at(2) })
        assert.deepStrictEqual(yield* look, [2, true, 2])
        const [first] = yield* cohorts.usersAfter(scope, owner, { after: null, limit: 1 })
        assert.deepStrictEqual(first?.user, user(1))
      }))

    it.effect("the people of a failed cohort are never seen", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("failed")
        const outcome = { status: "failed", failure_reason: "The file is broken" } as const
        yield* store(owner, { id: "coh-failed", people: users(1, 2), outcome })
        assert.deepStrictEqual((yield* walk(owner, 10)).walked, [])
        assert.isTrue(Option.isNone(yield* cohorts.findCaller(scope, owner, user(1).user_phone_number)))
        assert.deepStrictEqual(yield* cohorts.progress(scope, owner), {
          cohorts: 1,
          processing: 0,
          completed: 0,
          users: 0
        })
      }))

    it.effect("a walk goes by completion, then by row, whatever the step", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("walk")
        const slow = cohort("coh-walk-slow", 1)
        yield* cohorts.insert(scope, owner, slow)
        yield* cohorts.addUsers(scope, slow.cohort_id, users(2, 3))
        yield* store(owner, { id: "coh-walk-fast", people: users(1, 4) })
        yield* store(campaign("walked elsewhere"), { id: "coh-walk-other", people: users(1) })
        yield* cohorts.addUsers(scope, slow.cohort_id, users(5, 11))
        yield* cohorts.finish(scope, slow.cohort_id, { ...completed(4), updated_at: at(3) })
        const order = ["fast/1", "fast/4", "slow/2", "slow/3", "slow/5", "slow/11"].map((row) => `coh-walk-${row}`)
        for (const limit of [1, 2, 3, 6, 100]) {
          assert.deepStrictEqual((yield* walk(owner, limit)).walked, order, `${limit} at a time`)
        }
      }))

    it.effect("a walk that has ended goes on with the cohorts completed since, and misses nobody", () =>
      Effect.gen(function*() {
        const owner = campaign("resumed")
        yield* store(owner, { id: "coh-resumed-1", people: users(1, 2), created: 9 })
        const { after } = yield* walk(owner, 10)
        yield* store(campaign("between"), { id: "coh-resumed-other", people: users(1) })
        yield* store(owner, { id: "coh-resumed-2", people: users(1), created: 1 })
        assert.deepStrictEqual((yield* walk(owner, 10, after)).walked, ["coh-resumed-2/1"])
      }))

    it.effect("the walks of a workspace hold nobody of another one", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("scoped")
        yield* store(owner, { id: "coh-scoped", people: users(1) })
        const other = scopeOf("other")
        assert.deepStrictEqual(yield* cohorts.usersAfter(other, owner, { after: null, limit: 10 }), [])
        assert.isTrue(Option.isNone(yield* cohorts.findCaller(other, owner, user(1).user_phone_number)))
        assert.deepStrictEqual(yield* cohorts.progress(other, owner), {
          cohorts: 0,
          processing: 0,
          completed: 0,
          users: 0
        })
        assert.deepStrictEqual(yield* cohorts.removeOwner(other, owner), [])
      }))

    it.effect("a caller is found in the newest cohort that has the number; of equally new, the last completed", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("caller")
        const find = (row: number) =>
          Effect.map(
            cohorts.findCaller(scope, owner, user(row).user_phone_number),
            Option.map(({ cohort_id, user }) => `${cohort_id}/${user.user_phone_number}`)
          )
        const found = (id: string, row: number) => Option.some(`${id}/${user(row).user_phone_number}`)
        yield* store(owner, { id: "coh-caller-new", created: 9, people: users(1, 2) })
        yield* store(owner, { id: "coh-caller-old", created: 1, people: users(1, 2, 3) })
        yield* store(campaign("called elsewhere"), { id: "coh-caller-other", created: 20, people: users(1, 4) })
        assert.deepStrictEqual(yield* find(1), found("coh-caller-new", 1))
        assert.deepStrictEqual(yield* find(3), found("coh-caller-old", 3))
        assert.deepStrictEqual(yield* find(4), Option.none())
        yield* store(owner, { id: "coh-caller-equal", created: 9, people: users(2) })
        assert.deepStrictEqual(yield* find(2), found("coh-caller-equal", 2))
      }))
  })
