import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { NotificationRules, NotificationStore, type RuleId } from "@trunkline/notifications"
import { Context, Effect } from "effect"
import {
  board_id,
  chatUrl,
  create,
  dailyRule,
  FakeServices,
  history,
  itWithProcess,
  itWithStore,
  nine,
  scope,
  sleepUntil,
  start,
  startProcess
} from "../Fixtures.js"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const statuses = (id: RuleId) =>
  Effect.map(history(id), (items) => items.map((item) => [item.channel, item.status, item.scheduled_for.epochMillis]))

describe("Scheduler", () => {
  itWithStore(
    "schedules and sends an occurrence once with several processes",
    () =>
      Effect.gen(function*() {
        const store = yield* NotificationStore
        let count = 0
        const slow = NotificationStore.of({
          ...store,
          dueRules: (options) =>
            Effect.tap(store.dueRules(options), (due) => {
              count += due.length
              return due.length === 0 ? Effect.void : Effect.sleep(1)
            })
        })
        const startSlow = Effect.provideService(startProcess(), NotificationStore, slow)
        const rules = Context.get((yield* startSlow).services, NotificationRules)
        yield* Effect.forEach(
          ["0 * * * *", "0 * * * *", "30 */2 * * *"],
          (cron) => rules.create(scope, board_id, dailyRule({ cron, slack_webhook_url: chatUrl }))
        )
        yield* Effect.replicateEffect(startSlow, 3, { discard: true })
        yield* Effect.sleep(12 * hour)
        const { mails, posts, reports } = yield* FakeServices
        const expected = 2 * 12 + 6
        assert.deepStrictEqual([mails.length, posts.length, reports.length], [expected, expected, expected])
        assert.strictEqual(count, 4 * expected)
        assert.strictEqual(new Set(mails.map(({ message_id }) => message_id)).size, expected)
      })
  )

  itWithProcess(
    "runs the latest of the missed occurrences when it is at most an hour late",
    () =>
      Effect.gen(function*() {
        const rule = yield* create()
        const latest = nine + 3 * day
        yield* sleepUntil(latest + hour)
        yield* start
        yield* Effect.sleep(minute)
        assert.deepStrictEqual((yield* FakeServices).reports, [latest + hour])
        assert.deepStrictEqual(yield* statuses(rule.rule_id), [["email", "delivered", latest]])
        yield* sleepUntil(latest + day + minute)
        assert.deepStrictEqual((yield* FakeServices).reports, [latest + hour, latest + day])
      })
  )

  itWithProcess("records an occurrence as missed when it is more than an hour late", () =>
    Effect.gen(function*() {
      const rule = yield* create({ slack_webhook_url: chatUrl })
      const latest = nine + 3 * day
      yield* sleepUntil(latest + hour + 1)
      yield* start
      yield* Effect.sleep(minute)
      const { mails, posts, reports } = yield* FakeServices
      assert.deepStrictEqual([mails.length, posts.length, reports.length], [0, 0, 0])
      assert.deepStrictEqual(yield* statuses(rule.rule_id), [
        ["email", "skipped_missed", latest],
        ["slack", "skipped_missed", latest]
      ])
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual([item?.tries, item?.next_try_at], [0, null])
      assert.isNotNull(item?.finished_at ?? null)
    }))

  itWithProcess(
    "skips a disabled rule, and resumes with the next occurrence when it is enabled",
    () =>
      Effect.gen(function*() {
        yield* start
        const rules = yield* NotificationRules
        const { rule_id } = yield* create()
        yield* rules.patch(scope, board_id, rule_id, { enabled: false })
        yield* sleepUntil(nine + 2 * day + hour)
        assert.deepStrictEqual((yield* FakeServices).reports, [])
        yield* rules.patch(scope, board_id, rule_id, { enabled: true })
        yield* sleepUntil(nine + 3 * day + minute)
        assert.deepStrictEqual((yield* FakeServices).reports, [nine + 3 * day])
        assert.lengthOf(yield* history(rule_id), 1)
      })
  )

  itWithProcess("schedules in business time and processes in real time", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create()
      yield* sleepUntil(nine + minute)
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual(
        [item?.scheduled_for.epochMillis, item?.started_at?.epochMillis],
        [nine + 10 * day, nine]
      )
    }).pipe(Effect.provideService(BusinessTime, BusinessTime.fromClock(10 * day))))

  itWithProcess("schedules a new or changed rule in time while all workers sleep", () =>
    Effect.gen(function*() {
      yield* start
      const rules = yield* NotificationRules
      const { rule_id } = yield* create({ cron: "0 9 1 6 *" })
      yield* sleepUntil(nine - hour)
      yield* rules.patch(scope, board_id, rule_id, { cron: "15 8 * * *" })
      yield* sleepUntil(nine)
      assert.deepStrictEqual((yield* FakeServices).reports, [nine - 45 * minute])
    }))
})
