import { assert, layer } from "@effect/vitest"
import { Transactions } from "@trunkline/kernel"
import { DateTime, Effect, type Layer, Option } from "effect"
import { RuleId } from "../rules/NotificationRule.js"
import type { NotificationStore } from "../store/NotificationStore.js"
import { notificationClaimLaws } from "./NotificationClaims.laws.js"
import { board_id, emptyStore, otherScope, putRule, ruleOf, runOf, scope } from "./NotificationFixtures.js"
import { notificationRunLaws } from "./NotificationRuns.laws.js"

const at = (millis: number) => DateTime.unsafeMake(millis)
const page = { limit: 10, offset: 0 }

/**
 * Laws of `NotificationStore`. The layer may be shared by all laws, but its store must not be used by others meanwhile.
 */
export const notificationStoreLaws = <E>(name: string, live: Layer.Layer<NotificationStore | Transactions, E>) => {
  layer(live)(`NotificationStore laws, rules: ${name}`, (it) => {
    it.effect("finds a rule in its own workspace only, and replaces it", () =>
      Effect.gen(function*() {
        const store = yield* emptyStore
        const full = yield* putRule(ruleOf({ name: "सुबह", sealed_slack_webhook: "v1.x", slack_channel_name: "#calls" }))
        assert.deepStrictEqual(yield* store.findRule(scope, full.rule_id), Option.some(full))
        assert.deepStrictEqual(yield* store.findRule(otherScope, full.rule_id), Option.none())
        assert.deepStrictEqual(yield* store.findRule(scope, RuleId.make("none")), Option.none())
        const newRule = ruleOf({
          ...full,
          name: null,
          enabled: false,
          email_recipients: null,
          next_run_at: null,
          updated_at: at(5)
        })
        yield* store.putRule(scope, newRule)
        assert.deepStrictEqual(yield* store.findRule(scope, full.rule_id), Option.some(newRule))
        assert.deepStrictEqual(yield* store.nextRunAt, Option.none())
      }))

    it.effect("lists the rules of a board by newest, then id, in pages", () =>
      Effect.gen(function*() {
        const store = yield* emptyStore
        const [a, b, c] = [ruleOf(), ruleOf({ created_at: at(2) }), ruleOf()]
        yield* Effect.forEach([c, b, a], (rule) => putRule(rule))
        yield* putRule(ruleOf({ board_id: "board-2" }))
        yield* putRule(ruleOf(), otherScope)
        const list = (limit: number, offset: number) => store.listRules(scope, board_id, { limit, offset })
        assert.deepStrictEqual(yield* list(10, 0), { items: [b, a, c], total: 3 })
        assert.deepStrictEqual(yield* list(1, 1), { items: [a], total: 3 })
        assert.deepStrictEqual(yield* list(10, 3), { items: [], total: 3 })
      }))

    it.effect("returns due rules of all workspaces, longest due first", () =>
      Effect.gen(function*() {
        const store = yield* emptyStore
        const late = yield* putRule(ruleOf({ next_run_at: at(3_000) }))
        const later = yield* putRule(ruleOf({ next_run_at: at(3_001) }), otherScope)
        const first = yield* putRule(ruleOf({ next_run_at: at(2_000) }))
        yield* putRule(ruleOf({ enabled: false, next_run_at: null }))
        const due = (now: number, limit = 10) =>
          Effect.map(store.dueRules({ now, limit }), (rows) => rows.map(({ rule }) => rule.rule_id))
        assert.deepStrictEqual(yield* due(1_999), [])
        assert.deepStrictEqual(yield* due(3_000), [first.rule_id, late.rule_id])
        assert.deepStrictEqual(yield* due(9_000, 2), [first.rule_id, late.rule_id])
        assert.deepStrictEqual(yield* store.dueRules({ now: 9_000, limit: 3 }), [
          { scope, rule: first },
          { scope, rule: late },
          { scope: otherScope, rule: later }
        ])
        assert.deepStrictEqual(yield* store.nextRunAt, Option.some(2_000))
      }))

    it.effect("advances a rule once when several try, and changes nothing else", () =>
      Effect.gen(function*() {
        const store = yield* emptyStore
        const { run } = yield* Transactions
        const rule = yield* putRule(ruleOf())
        const move = run(store.advance(rule.rule_id, { from: 1_000, to: 2_000 }))
        const moves = yield* Effect.all([move, move, move], { concurrency: "unbounded" })
        assert.deepStrictEqual(moves.filter((one) => one).length, 1)
        const nextRule = ruleOf({ ...rule, next_run_at: at(2_000) })
        assert.deepStrictEqual(yield* store.findRule(scope, rule.rule_id), Option.some(nextRule))
        assert.deepStrictEqual(yield* store.nextRunAt, Option.some(2_000))
        assert.isTrue(yield* store.advance(rule.rule_id, { from: 2_000, to: null }))
        assert.deepStrictEqual(yield* store.nextRunAt, Option.none())
        assert.isFalse(yield* store.advance(rule.rule_id, { from: 2_000, to: 3_000 }))
        assert.isFalse(yield* store.advance(RuleId.make("none"), { from: 2_000, to: 3_000 }))
      }))

    it.effect("removes a rule with its runs, in its own workspace only", () =>
      Effect.gen(function*() {
        const store = yield* emptyStore
        const rule = yield* putRule(ruleOf())
        yield* store.insertRun(runOf(rule.rule_id))
        assert.isFalse(yield* store.removeRule(otherScope, rule.rule_id))
        assert.deepStrictEqual(yield* store.nextRunClaim({ exceptScopes: [] }), Option.some(0))
        assert.isTrue(yield* store.removeRule(scope, rule.rule_id))
        assert.isFalse(yield* store.removeRule(scope, rule.rule_id))
        assert.deepStrictEqual(yield* store.findRule(scope, rule.rule_id), Option.none())
        assert.deepStrictEqual(yield* store.nextRunClaim({ exceptScopes: [] }), Option.none())
      }))

    it.effect("removes the rules of the given widgets only", () =>
      Effect.gen(function*() {
        const store = yield* emptyStore
        const firstRule = yield* putRule(ruleOf({ widget_id: "kept" }))
        yield* putRule(ruleOf({ widget_id: "gone" }))
        yield* putRule(ruleOf({ widget_id: "too" }))
        const other = yield* putRule(ruleOf({ widget_id: "gone", board_id: "board-2" }))
        const foreign = yield* putRule(ruleOf({ widget_id: "gone" }), otherScope)
        yield* store.removeRulesOf(scope, board_id, [])
        assert.strictEqual((yield* store.listRules(scope, board_id, page)).total, 3)
        yield* store.removeRulesOf(scope, board_id, ["gone", "too", "none"])
        assert.deepStrictEqual((yield* store.listRules(scope, board_id, page)).items, [firstRule])
        assert.isTrue(Option.isSome(yield* store.findRule(scope, other.rule_id)))
        assert.isTrue(Option.isSome(yield* store.findRule(otherScope, foreign.rule_id)))
      }))

    it.effect("rolls back changes of a failed transaction", () =>
      Effect.gen(function*() {
        const store = yield* emptyStore
        const { run } = yield* Transactions
        const rule = yield* putRule(ruleOf())
        const rollBack = <A>(change: Effect.Effect<A>) =>
          Effect.flip(run(Effect.zipRight(change, Effect.fail("undone"))))
        yield* rollBack(store.advance(rule.rule_id, { from: 1_000, to: 2_000 }))
        yield* rollBack(store.removeRule(scope, rule.rule_id))
        yield* rollBack(store.insertRun(runOf(rule.rule_id)))
        assert.deepStrictEqual(yield* store.findRule(scope, rule.rule_id), Option.some(rule))
        assert.deepStrictEqual(yield* store.nextRunClaim({ exceptScopes: [] }), Option.none())
      }))
  })

  notificationClaimLaws(name, live)
  notificationRunLaws(name, live)
}
