import { assert, describe } from "@effect/vitest"
import { Scope, WorkspaceId } from "@trunkline/kernel"
import { NotificationDelivery, NotificationRules, type Report } from "@trunkline/notifications"
import { Effect, Fiber } from "effect"
import {
  board_id,
  chatUrl,
  create,
  elsewhere,
  history,
  nine,
  Outside,
  scope,
  start,
  story,
  table,
  until
} from "../fixtures.js"

const second = 1_000
const minute = 60 * second

let busy = 0
let [atOnce, most] = [0, 0]

const third = new Scope({ ...scope, workspace_id: WorkspaceId.make("third") })

const full: Report["outcome"] = { code: "RATE_LIMITED", message: "Too many queries are waiting" }

/** Takes five seconds, and counts how many do so at the same time. */
const slow = () =>
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

  story("runs one widget of a workspace at once, each of them once, whatever others do", () =>
    Effect.gen(function*() {
      ;[atOnce, most] = [0, 0]
      yield* start
      yield* Effect.replicateEffect(create(), 5, { discard: true })
      yield* until(nine + minute)
      const { mails, reports } = yield* Outside
      assert.deepStrictEqual([mails.length, most], [5, 1])
      assert.deepStrictEqual(reports.map((at) => at - nine), [0, 5, 10, 15, 20].map((at) => at * second))
    }), { outcome: slow })

  story("runs widgets of four workspaces at once and no more", () =>
    Effect.gen(function*() {
      ;[atOnce, most] = [0, 0]
      yield* start
      for (const workspace of ["a", "b", "c", "d", "e", "f", "g"]) {
        yield* create({}, new Scope({ ...scope, workspace_id: WorkspaceId.make(workspace) }))
      }
      yield* until(nine + minute)
      const { mails, reports } = yield* Outside
      assert.deepStrictEqual([mails.length, most], [7, 4])
      assert.deepStrictEqual(reports.map((at) => at - nine), [0, 0, 0, 0, 5, 5, 5].map((at) => at * second))
    }), { outcome: slow })

  story(
    "many slow rules of one workspace hold up nobody else's report",
    () =>
      Effect.gen(function*() {
        yield* start
        yield* Effect.replicateEffect(create(), 8, { discard: true })
        yield* create({ email_recipients: ["ravi@example.in"] }, elsewhere)
        yield* until(nine + 20 * minute)
        const { mails } = yield* Outside
        assert.lengthOf(mails, 9)
        assert.deepStrictEqual(mails.filter(({ to }) => to === "ravi@example.in").map(({ at }) => at), [nine])
      }),
    { outcome: ({ workspace_id }) => Effect.delay(Effect.succeed(table), workspace_id === "main" ? "1 minute" : 0) }
  )

  story(
    "asks a warehouse without room again after 10 seconds, twice as long each time up to a minute, until it has room",
    () =>
      Effect.gen(function*() {
        busy = 7
        yield* start
        const rule = yield* create()
        yield* until(nine + 20 * minute)
        const { mails, reports } = yield* Outside
        assert.deepStrictEqual(
          reports.map((at) => at - nine),
          [0, 10, 30, 70, 130, 190, 250, 310].map((at) => at * second)
        )
        assert.lengthOf(mails, 1)
        assert.notMatch(mails[0]?.text ?? "", /RATE_LIMITED/)
        const [item] = yield* history(rule.rule_id)
        assert.deepStrictEqual([item?.status, item?.rows, item?.error_code], ["delivered", 2, null])
      }),
    { outcome: () => Effect.sync(() => busy-- > 0 ? full : table) }
  )

  story(
    "tells of a warehouse that has had no room for more than half an hour",
    () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create()
        yield* until(nine + 30 * minute)
        const { mails, reports } = yield* Outside
        assert.lengthOf(mails, 0)
        assert.lengthOf(yield* history(rule.rule_id), 0)
        yield* until(nine + 20 * 60 * minute)
        assert.deepStrictEqual(mails.map(({ at }) => at - nine), [30 * minute + 10 * second])
        assert.strictEqual(reports.at(-1), nine + 30 * minute + 10 * second)
        assert.match(mails[0]?.text ?? "", /RATE_LIMITED/)
        const [item] = yield* history(rule.rule_id)
        assert.deepStrictEqual([item?.status, item?.error_code], ["delivered", "RATE_LIMITED"])
      }),
    { outcome: () => Effect.succeed(full) }
  )

  story("a run that waits for room holds no place: another of its workspace goes on", () =>
    Effect.gen(function*() {
      busy = 1
      yield* start
      yield* Effect.replicateEffect(create(), 2, { discard: true })
      yield* until(nine + 5 * second)
      const { mails, reports } = yield* Outside
      assert.deepStrictEqual([mails.length, reports.length], [1, 2])
      yield* until(nine + minute)
      assert.deepStrictEqual(mails.map(({ at }) => at - nine), [0, 10 * second])
    }), { outcome: () => Effect.sync(() => busy-- > 0 ? full : table) })

  story("a rule that is disabled while its run waits for room is asked no more", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create()
      yield* until(nine + second)
      yield* (yield* NotificationRules).patch(scope, board_id, rule.rule_id, { enabled: false })
      yield* until(nine + minute)
      assert.lengthOf((yield* Outside).reports, 1)
      assert.deepStrictEqual((yield* history(rule.rule_id)).map(({ status }) => status), ["cancelled"])
    }), { outcome: () => Effect.succeed(full) })

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
          yield* create({ slack_webhook_url: chatUrl }, elsewhere),
          yield* create({ slack_webhook_url: chatUrl }, third)
        ]
        yield* until(nine + second)
        yield* rules.patch(scope, board_id, disabled.rule_id, { enabled: false })
        yield* rules.patch(elsewhere, board_id, mailless.rule_id, { email_recipients: [] })
        yield* rules.remove(third, board_id, removed.rule_id)
        yield* until(nine + minute)
        const { mails, posts } = yield* Outside
        assert.deepStrictEqual([mails.length, posts.length], [0, 1])
        const statuses = (id: typeof disabled.rule_id, owner = scope) =>
          Effect.map(history(id, owner), (items) => items.map(({ channel, status }) => [channel, status]))
        assert.deepStrictEqual(yield* statuses(disabled.rule_id), [["email", "cancelled"], ["slack", "cancelled"]])
        assert.deepStrictEqual(yield* statuses(mailless.rule_id, elsewhere), [["email", "cancelled"], [
          "slack",
          "delivered"
        ]])
      }),
    { outcome: () => Effect.as(Effect.sleep("5 seconds"), table) }
  )
})
