import { assert, describe } from "@effect/vitest"
import { NotificationDelivery, NotificationRules } from "@trunkline/notifications"
import { Effect, Fiber } from "effect"
import { board_id, chatUrl, create, history, nine, Outside, scope, start, story, table, until } from "../fixtures.js"

const second = 1_000
const minute = 60 * second

let busy = 0
let [atOnce, most] = [0, 0]

describe("the pace of NotificationDelivery", () => {
  story("posts to one chat webhook once a second, and to others meanwhile", () =>
    Effect.gen(function*() {
      yield* start
      const [sibling, other] = ["https://hooks.slack.com/services/T0/B0/other", "https://chat.example.in/hook"]
      for (const slack_webhook_url of [chatUrl, sibling, other, chatUrl, other]) {
        yield* create({ email_recipients: null, slack_webhook_url })
      }
      yield* until(nine + minute)
      const timesOf = (address: string) =>
        Effect.map(Outside, ({ posts }) => posts.filter(({ url }) => url === address).map(({ at }) => at - nine))
      assert.deepStrictEqual(yield* timesOf(chatUrl), [0, second])
      assert.deepStrictEqual(yield* timesOf(sibling), [0])
      assert.deepStrictEqual(yield* timesOf(other), [0, second])
    }), { chatHosts: ["hooks.slack.com", "chat.example.in"] })

  story("runs four widgets at once and no more, and each of them once", () =>
    Effect.gen(function*() {
      ;[atOnce, most] = [0, 0]
      yield* start
      yield* Effect.replicateEffect(create(), 11, { discard: true })
      yield* until(nine + minute)
      const { mails, reports } = yield* Outside
      assert.deepStrictEqual([mails.length, reports.length, most], [11, 11, 4])
      assert.deepStrictEqual(
        reports.map((at) => at - nine),
        [0, 0, 0, 0, 5, 5, 5, 5, 10, 10, 10].map((at) => at * second)
      )
    }), {
    outcome: () =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          atOnce += 1
          most = Math.max(most, atOnce)
        }),
        () => Effect.as(Effect.sleep("5 seconds"), table),
        () =>
          Effect.sync(() => {
            atOnce -= 1
          })
      )
  })

  story(
    "asks a warehouse without room again after 5, 10 and 20 seconds, and then says so",
    () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create()
        yield* until(nine + minute)
        const { mails, reports } = yield* Outside
        assert.deepStrictEqual(reports.map((at) => at - nine), [0, 5, 15, 35].map((at) => at * second))
        assert.match(mails[0]?.text ?? "", /RATE_LIMITED/)
        assert.deepStrictEqual((yield* history(rule.rule_id)).map(({ status }) => status), ["delivered"])
      }),
    { outcome: () => Effect.succeed({ code: "RATE_LIMITED", message: "Too many queries are waiting" }) }
  )

  story("a warehouse that has room again is asked no more", () =>
    Effect.gen(function*() {
      busy = 2
      yield* start
      yield* create()
      yield* until(nine + minute)
      const { mails, reports } = yield* Outside
      assert.deepStrictEqual([mails.length, reports.length], [1, 3])
      assert.notMatch(mails[0]?.text ?? "", /RATE_LIMITED/)
    }), {
    outcome: () =>
      Effect.sync(() => busy-- > 0 ? { code: "RATE_LIMITED", message: "Too many queries are waiting" } : table)
  })

  story("a widget that never ends is given up after two minutes", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create()
      yield* until(nine + 3 * minute)
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual(
        [item?.status, item?.last_error, item?.finished_at?.epochMillis],
        ["failed", "The widget gave no result in time", nine + 2 * minute]
      )
    }), { outcome: () => Effect.never })

  story("keeps eight megabytes of a result at most, and says that it is cut", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
      yield* until(nine + minute)
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual([item?.status, item?.rows, item?.truncated], ["delivered", 7, true])
    }), {
    outcome: () =>
      Effect.sync(() => ({
        columns: [{ name: "text" }],
        rows: Array.from({ length: 9 }, () => ["x".repeat(1_000_000)]),
        truncated: false
      }))
  })

  story("a drain waits for what is being sent and begins nothing more", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: ["asha@example.in", "ravi@example.in"] })
      yield* until(nine + second)
      const delivery = yield* NotificationDelivery
      const drained = yield* Effect.fork(delivery.drain)
      yield* Effect.sleep("10 minutes")
      const { mails, reports } = yield* Outside
      assert.deepStrictEqual([mails.map(({ at }) => at - nine), reports.length], [[0, 5 * second], 1])
      yield* Fiber.join(drained)
      yield* until(nine + 48 * 60 * minute)
      assert.lengthOf(reports, 1)
      const items = yield* history(rule.rule_id)
      assert.deepStrictEqual(items.map(({ status }) => status), ["delivered"])
    }), { carry: () => Effect.sleep("5 seconds") })

  story(
    "a rule that is disabled, or gives up a channel, while it is being reported sends nothing more",
    () =>
      Effect.gen(function*() {
        yield* start
        const rules = yield* NotificationRules
        const [disabled, mailless, removed] = [
          yield* create({ slack_webhook_url: chatUrl }),
          yield* create({ slack_webhook_url: chatUrl }),
          yield* create({ slack_webhook_url: chatUrl })
        ]
        yield* until(nine + second)
        yield* rules.patch(scope, board_id, disabled.rule_id, { enabled: false })
        yield* rules.patch(scope, board_id, mailless.rule_id, { email_recipients: [] })
        yield* rules.remove(scope, board_id, removed.rule_id)
        yield* until(nine + minute)
        const { mails, posts } = yield* Outside
        assert.deepStrictEqual([mails.length, posts.length], [0, 1])
        const statuses = (id: typeof disabled.rule_id) =>
          Effect.map(history(id), (items) => items.map(({ channel, status }) => [channel, status]))
        assert.deepStrictEqual(yield* statuses(disabled.rule_id), [["email", "cancelled"], ["slack", "cancelled"]])
        assert.deepStrictEqual(yield* statuses(mailless.rule_id), [["email", "cancelled"], ["slack", "delivered"]])
      }),
    { outcome: () => Effect.as(Effect.sleep("5 seconds"), table) }
  )
})
