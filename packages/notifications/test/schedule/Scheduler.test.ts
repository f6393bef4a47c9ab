import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { NotificationRules, NotificationStore, type RuleId } from "@trunkline/notifications"
import { Context, Effect } from "effect"
import {
  board_id,
  chatUrl,
  create,
  daily,
  history,
  nine,
  Outside,
  saga,
  scope,
  start,
  startProcess,
  story,
  until
} from "../fixtures.js"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const statuses = (id: RuleId) =>
  Effect.map(history(id), (items) => items.map((item) => [item.channel, item.status, item.scheduled_for.epochMillis]))

describe("Scheduler", () => {
  saga(
    "several processes that see the same rule due at the same time decide it once, and send it once",
    () =>
      Effect.gen(function*() {
        const store = yield* NotificationStore
        let seen = 0
        const slow = NotificationStore.of({
          ...store,
          dueRules: (options) =>
            Effect.tap(store.dueRules(options), (due) => {
              seen += due.length
              return due.length === 0 ? Effect.void : Effect.sleep(1)
            })
        })
        const startSlow = Effect.provideService(startProcess(), NotificationStore, slow)
        const rules = Context.get((yield* startSlow).services, NotificationRules)
        yield* Effect.forEach(
          ["0 * * * *", "0 * * * *", "30 */2 * * *"],
          (cron) => rules.create(scope, board_id, daily({ cron, slack_webhook_url: chatUrl }))
        )
        yield* Effect.replicateEffect(startSlow, 3, { discard: true })
        yield* Effect.sleep(12 * hour)
        const { mails, posts, reports } = yield* Outside
        const expected = 2 * 12 + 6
        assert.deepStrictEqual([mails.length, posts.length, reports.length], [expected, expected, expected])
        assert.strictEqual(seen, 4 * expected)
        assert.strictEqual(new Set(mails.map(({ message_id }) => message_id)).size, expected)
      })
  )

  story("what is late by an hour at most is run, once, however much was missed", () =>
    Effect.gen(function*() {
      const rule = yield* create()
      const latest = nine + 3 * day
      yield* until(latest + hour)
      yield* start
      yield* Effect.sleep(minute)
      assert.deepStrictEqual((yield* Outside).reports, [latest + hour])
      assert.deepStrictEqual(yield* statuses(rule.rule_id), [["email", "delivered", latest]])
      yield* until(latest + day + minute)
      assert.deepStrictEqual((yield* Outside).reports, [latest + hour, latest + day])
    }))

  story("what is later than an hour is recorded as missed, and not run", () =>
    Effect.gen(function*() {
      const rule = yield* create({ slack_webhook_url: chatUrl })
      const latest = nine + 3 * day
      yield* until(latest + hour + 1)
      yield* start
      yield* Effect.sleep(minute)
      const { mails, posts, reports } = yield* Outside
      assert.deepStrictEqual([mails.length, posts.length, reports.length], [0, 0, 0])
      assert.deepStrictEqual(yield* statuses(rule.rule_id), [
        ["email", "skipped_missed", latest],
        ["slack", "skipped_missed", latest]
      ])
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual([item?.tries, item?.next_try_at], [0, null])
      assert.isNotNull(item?.finished_at ?? null)
    }))

  story(
    "a disabled rule is not decided; enabled again it goes on with its next occurrence",
    () =>
      Effect.gen(function*() {
        yield* start
        const rules = yield* NotificationRules
        const { rule_id } = yield* create()
        yield* rules.patch(scope, board_id, rule_id, { enabled: false })
        yield* until(nine + 2 * day + hour)
        assert.deepStrictEqual((yield* Outside).reports, [])
        yield* rules.patch(scope, board_id, rule_id, { enabled: true })
        yield* until(nine + 3 * day + minute)
        assert.deepStrictEqual((yield* Outside).reports, [nine + 3 * day])
        assert.lengthOf(yield* history(rule_id), 1)
      })
  )

  story("occurrences are in business time, what is done about them in real time", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create()
      yield* until(nine + minute)
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual(
        [item?.scheduled_for.epochMillis, item?.started_at?.epochMillis],
        [nine + 10 * day, nine]
      )
    }).pipe(Effect.provideService(BusinessTime, BusinessTime.fromClock(10 * day))))

  story("a rule that is made or changed while everybody sleeps is not overslept", () =>
    Effect.gen(function*() {
      yield* start
      const rules = yield* NotificationRules
      const { rule_id } = yield* create({ cron: "0 9 1 6 *" })
      yield* until(nine - hour)
      yield* rules.patch(scope, board_id, rule_id, { cron: "15 8 * * *" })
      yield* until(nine)
      assert.deepStrictEqual((yield* Outside).reports, [nine - 45 * minute])
    }))
})
