import { assert, layer } from "@effect/vitest"
import { OrgId, Scope, Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import type { NotificationStore } from "../store/NotificationStore.js"
import { emptyStore, otherScope, putRule, ruleOf, runOf, scope } from "./NotificationFixtures.js"

const anyScope = { exceptScopes: [] }

/** Laws of claiming and releasing runs of a `NotificationStore`. */
export const notificationClaimLaws = <E>(name: string, live: Layer.Layer<NotificationStore | Transactions, E>) =>
  layer(live)(`NotificationStore laws, claims: ${name}`, (it) => {
    it.effect("accepts one run per occurrence of a rule", () =>
      Effect.gen(function*() {
        const store = yield* emptyStore
        const [rule, other] = [yield* putRule(ruleOf()), yield* putRule(ruleOf())]
        const run = runOf(rule.rule_id)
        assert.isTrue(yield* store.insertRun(run))
        assert.isFalse(yield* store.insertRun(runOf(rule.rule_id)))
        assert.isTrue(yield* store.insertRun(runOf(rule.rule_id, { scheduled_for: 2_000 })))
        assert.isTrue(yield* store.insertRun(runOf(other.rule_id, { scheduled_for: 3_000, state: "skipped_missed" })))
        const dueRuns = yield* store.claimRuns({ now: 50, limit: 10, leaseMillis: 100, exceptScopes: [] })
        assert.deepStrictEqual(dueRuns.map(({ scheduled_for }) => scheduled_for), [1_000, 2_000])
        assert.deepStrictEqual(dueRuns[0], { ...run, claims: 1, first_claimed_at: 50, leased_until: 150 })
      }))

    it.effect("makes a claimed run available again when its lease ends, to one of several claimants", () =>
      Effect.gen(function*() {
        const store = yield* emptyStore
        const transactions = yield* Transactions
        const rule = yield* putRule(ruleOf())
        for (const scheduled_for of [1, 2, 3, 4, 5]) yield* store.insertRun(runOf(rule.rule_id, { scheduled_for }))
        const claimAt = (now: number, limit: number) =>
          transactions.run(store.claimRuns({ now, limit, leaseMillis: 100, exceptScopes: [] }))
        const claims = yield* Effect.all([claimAt(0, 2), claimAt(0, 2), claimAt(0, 2)], { concurrency: "unbounded" })
        assert.deepStrictEqual(claims.flat().map(({ scheduled_for }) => scheduled_for).sort(), [1, 2, 3, 4, 5])
        assert.deepStrictEqual(yield* store.nextRunClaim(anyScope), Option.some(100))
        assert.deepStrictEqual(yield* claimAt(99, 10), [])
        const again = yield* claimAt(100, 10)
        assert.deepStrictEqual(again.map(({ claims }) => claims), [2, 2, 2, 2, 2])
        assert.deepStrictEqual(again.map(({ first_claimed_at }) => first_claimed_at), [0, 0, 0, 0, 0])
      }))

    it.effect("excludes the given workspaces from claims", () =>
      Effect.gen(function*() {
        const store = yield* emptyStore
        const foreign = new Scope({ ...scope, org_id: OrgId.make("globex") })
        const owners = [scope, otherScope, foreign]
        for (const [index, owner] of owners.entries()) {
          const { rule_id } = yield* putRule(ruleOf(), owner)
          yield* store.insertRun(runOf(rule_id, { scope: owner, scheduled_for: index }))
          yield* store.insertRun(runOf(rule_id, { scope: owner, scheduled_for: 100 + index, leased_until: 10 + index }))
        }
        const claim = (now: number, exceptScopes: ReadonlyArray<typeof scope>) =>
          Effect.map(
            store.claimRuns({ now, limit: 1, leaseMillis: 1_000, exceptScopes }),
            (runs) => runs.map((run) => run.scheduled_for)
          )
        assert.deepStrictEqual(yield* claim(1, [scope]), [1])
        assert.deepStrictEqual(yield* claim(1, [scope, otherScope]), [2])
        assert.deepStrictEqual(yield* claim(1, [scope, otherScope]), [])
        assert.deepStrictEqual(yield* store.nextRunClaim({ exceptScopes: [scope] }), Option.some(11))
        assert.deepStrictEqual(yield* store.nextRunClaim({ exceptScopes: [scope, otherScope] }), Option.some(12))
        assert.deepStrictEqual(yield* store.nextRunClaim({ exceptScopes: owners }), Option.none())
        assert.deepStrictEqual(yield* claim(1, [otherScope, foreign]), [0])
        assert.deepStrictEqual(yield* claim(1_000, owners), [])
      }))

    it.effect("lets the latest claimant release a run until a given time", () =>
      Effect.gen(function*() {
        const store = yield* emptyStore
        const run = runOf((yield* putRule(ruleOf())).rule_id)
        yield* store.insertRun(run)
        const claimAt = (now: number) => store.claimRuns({ now, limit: 10, leaseMillis: 100, exceptScopes: [] })
        yield* claimAt(5)
        assert.isTrue(yield* store.releaseRun({ ...run, claims: 1 }, 30))
        assert.deepStrictEqual(yield* store.nextRunClaim(anyScope), Option.some(30))
        assert.deepStrictEqual(yield* claimAt(29), [])
        const secondClaim = { ...run, claims: 2, releases: 1, first_claimed_at: 5, leased_until: 130 }
        assert.deepStrictEqual(yield* claimAt(30), [secondClaim])
        assert.isFalse(yield* store.releaseRun({ ...run, claims: 1 }, 40))
        assert.isFalse(yield* store.settleRun({ ...run, claims: 1, state: "failed" }, null))
        assert.deepStrictEqual(yield* store.nextRunClaim(anyScope), Option.some(130))
        assert.isTrue(yield* store.settleRun({ ...run, claims: 2, state: "failed" }, null))
        assert.isFalse(yield* store.releaseRun({ ...run, claims: 2 }, 40))
        assert.deepStrictEqual(yield* store.nextRunClaim(anyScope), Option.none())
        assert.isFalse(yield* store.releaseRun(runOf(run.rule_id), 40))
      }))
  })
