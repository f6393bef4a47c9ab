import { assert, describe } from "@effect/vitest"
import { Scope, WorkspaceId } from "@trunkline/kernel"
import { NotificationDelivery, NotificationRules, type Report } from "@trunkline/notifications"
import { Effect, Fiber } from "effect"
import {
  board_id,
  chatUrl,
  create,
  FakeServices,
  history,
  itWithProcess,
  nine,
  otherScope,
  scope,
  sleepUntil,
  start,
  table
} from "../Fixtures.js"

const second = 1_000
const minute = 60 * second

let busy = 0
let [atOnce, most] = [0, 0]

const third = new Scope({ ...scope, workspace_id: WorkspaceId.make("third") })

const full: Report["outcome"] = { code: "RATE_LIMITED", message: "Too many queries are waiting" }

/** Takes five seconds and counts concurrent runs. */
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

describe("pacing of NotificationDelivery", () => {
  itWithProcess("posts once a second to the same chat webhook, and to others meanwhile", () =>
    Effect.gen(function*() {
      yield* start
      const [sibling, other] = ["https://hooks.slack.com/services/T0/B0/other", "https://chat.example.in/hook"]
      for (const slack_webhook_url of [chatUrl, sibling, other, chatUrl, other]) {
        yield* create({ email_recipients: null, slack_webhook_url })
      }
      yield* sleepUntil(nine + minute)
      const timesOf = (address: string) =>
        Effect.map(FakeServices, ({ posts }) => posts.filter(({ url }) => url === address).map(({ at }) => at - nine))
      assert.deepStrictEqual(yield* timesOf(chatUrl), [0, second])
      assert.deepStrictEqual(yield* timesOf(sibling), [0])
      assert.deepStrictEqual(yield* timesOf(other), [0, second])
    }), { chatHosts: ["hooks.slack.com", "chat.example.in"] })

  itWithProcess("runs one widget per workspace at a time, each of them once", () =>
    Effect.gen(function*() {
      ;[atOnce, most] = [0, 0]
      yield* start
      yield* Effect.replicateEffect(create(), 5, { discard: true })
      yield* sleepUntil(nine + minute)
      const { mails, reports } = yield* FakeServices
      assert.deepStrictEqual([mails.length, most], [5, 1])
      assert.deepStrictEqual(reports.map((at) => at - nine), [0, 5, 10, 15, 20].map((at) => at * second))
    }), { outcome: slow })

  itWithProcess("runs widgets of at most four workspaces concurrently", () =>
    Effect.gen(function*() {
      ;[atOnce, most] = [0, 0]
      yield* start
      for (const workspace of ["a", "b", "c", "d", "e", "f", "g"]) {
        yield* create({}, new Scope({ ...scope, workspace_id: WorkspaceId.make(workspace) }))
      }
      yield* sleepUntil(nine + minute)
      const { mails, reports } = yield* FakeServices
      assert.deepStrictEqual([mails.length, most], [7, 4])
      assert.deepStrictEqual(reports.map((at) => at - nine), [0, 0, 0, 0, 5, 5, 5].map((at) => at * second))
    }), { outcome: slow })

  itWithProcess(
    "isolates workspaces from many slow rules of another one",
    () =>
      Effect.gen(function*() {
        yield* start
        yield* Effect.replicateEffect(create(), 8, { discard: true })
        yield* create({ email_recipients: ["ravi@example.in"] }, otherScope)
        yield* sleepUntil(nine + 20 * minute)
        const { mails } = yield* FakeServices
        assert.lengthOf(mails, 9)
        assert.deepStrictEqual(mails.filter(({ to }) => to === "ravi@example.in").map(({ at }) => at), [nine])
      }),
    { outcome: ({ workspace_id }) => Effect.delay(Effect.succeed(table), workspace_id === "main" ? "1 minute" : 0) }
  )

  itWithProcess(
    "retries on a busy warehouse after 10 seconds, doubling up to a minute",
    () =>
      Effect.gen(function*() {
        busy = 7
        yield* start
        const rule = yield* create()
        yield* sleepUntil(nine + 20 * minute)
        const { mails, reports } = yield* FakeServices
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

  itWithProcess(
    "reports a warehouse that stays busy for more than half an hour",
    () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create()
        yield* sleepUntil(nine + 30 * minute)
        const { mails, reports } = yield* FakeServices
        assert.lengthOf(mails, 0)
        assert.lengthOf(yield* history(rule.rule_id), 0)
        yield* sleepUntil(nine + 20 * 60 * minute)
        assert.deepStrictEqual(mails.map(({ at }) => at - nine), [30 * minute + 10 * second])
        assert.strictEqual(reports.at(-1), nine + 30 * minute + 10 * second)
        assert.match(mails[0]?.text ?? "", /RATE_LIMITED/)
        const [item] = yield* history(rule.rule_id)
        assert.deepStrictEqual([item?.status, item?.error_code], ["delivered", "RATE_LIMITED"])
      }),
    { outcome: () => Effect.succeed(full) }
  )

  itWithProcess(
    "lets another run of the workspace proceed while one waits for the warehouse",
    () =>
      Effect.gen(function*() {
        busy = 1
        yield* start
        yield* Effect.replicateEffect(create(), 2, { discard: true })
        yield* sleepUntil(nine + 5 * second)
        const { mails, reports } = yield* FakeServices
        assert.deepStrictEqual([mails.length, reports.length], [1, 2])
        yield* sleepUntil(nine + minute)
        assert.deepStrictEqual(mails.map(({ at }) => at - nine), [0, 10 * second])
      }),
    { outcome: () => Effect.sync(() => busy-- > 0 ? full : table) }
  )

  itWithProcess("cancels a waiting run when its rule is disabled", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create()
      yield* sleepUntil(nine + second)
      yield* (yield* NotificationRules).patch(scope, board_id, rule.rule_id, { enabled: false })
      yield* sleepUntil(nine + minute)
      assert.lengthOf((yield* FakeServices).reports, 1)
      assert.deepStrictEqual((yield* history(rule.rule_id)).map(({ status }) => status), ["cancelled"])
    }), { outcome: () => Effect.succeed(full) })

  itWithProcess("gives up on a widget after two minutes", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create()
      yield* sleepUntil(nine + 3 * minute)
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual(
        [item?.status, item?.last_error, item?.finished_at?.epochMillis],
        ["failed", "The widget gave no result in time", nine + 2 * minute]
      )
    }), { outcome: () => Effect.never })

  itWithProcess("stores at most eight megabytes of a result and marks it as truncated", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
      yield* sleepUntil(nine + minute)
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

  itWithProcess("drains running deliveries and starts no others", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: ["asha@example.in", "ravi@example.in"] })
      yield* sleepUntil(nine + second)
      const delivery = yield* NotificationDelivery
      const drained = yield* Effect.fork(delivery.drain)
      yield* Effect.sleep("10 minutes")
      const { mails, reports } = yield* FakeServices
      assert.deepStrictEqual([mails.map(({ at }) => at - nine), reports.length], [[0, 5 * second], 1])
      yield* Fiber.join(drained)
      yield* sleepUntil(nine + 48 * 60 * minute)
      assert.lengthOf(reports, 1)
      const items = yield* history(rule.rule_id)
      assert.deepStrictEqual(items.map(({ status }) => status), ["delivered"])
    }), { sendMail: () => Effect.sleep("5 seconds") })

  itWithProcess(
    "cancels deliveries of a rule that is disabled or loses a channel during its report",
    () =>
      Effect.gen(function*() {
        yield* start
        const rules = yield* NotificationRules
        const [disabled, mailless, removed] = [
          yield* create({ slack_webhook_url: chatUrl }),
          yield* create({ slack_webhook_url: chatUrl }, otherScope),
          yield* create({ slack_webhook_url: chatUrl }, third)
        ]
        yield* sleepUntil(nine + second)
        yield* rules.patch(scope, board_id, disabled.rule_id, { enabled: false })
        yield* rules.patch(otherScope, board_id, mailless.rule_id, { email_recipients: [] })
        yield* rules.remove(third, board_id, removed.rule_id)
        yield* sleepUntil(nine + minute)
        const { mails, posts } = yield* FakeServices
        assert.deepStrictEqual([mails.length, posts.length], [0, 1])
        const statuses = (id: typeof disabled.rule_id, owner = scope) =>
          Effect.map(history(id, owner), (items) => items.map(({ channel, status }) => [channel, status]))
        assert.deepStrictEqual(yield* statuses(disabled.rule_id), [["email", "cancelled"], ["slack", "cancelled"]])
        assert.deepStrictEqual(yield* statuses(mailless.rule_id, otherScope), [["email", "cancelled"], [
          "slack",
          "delivered"
        ]])
      }),
    { outcome: () => Effect.as(Effect.sleep("5 seconds"), table) }
  )
})
