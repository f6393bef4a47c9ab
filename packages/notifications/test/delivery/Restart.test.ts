import { assert, describe } from "@effect/vitest"
import { NotificationRules, NotificationStore } from "@trunkline/notifications"
import { Context, Effect, Option } from "effect"
import {
  board_id,
  chatUrl,
  dailyRule,
  FakeServices,
  itWithStore,
  nine,
  type ProcessOptions,
  scope,
  sleepUntil,
  startProcess,
  table
} from "../Fixtures.js"

const second = 1_000
const minute = 60 * second
let [requests, full] = [0, 0]
const three = ["asha@example.in", "ravi@example.in", "tara@example.in"]

/** A process with a rule. */
const withRule = (change: Parameters<typeof dailyRule>[0], options: ProcessOptions = {}) =>
  Effect.gen(function*() {
    const process = yield* startProcess(options)
    const rules = Context.get(process.services, NotificationRules)
    return { ...process, rule: yield* rules.create(scope, board_id, dailyRule(change)) }
  })

const itemsOf = (rule_id: Parameters<typeof NotificationStore.Service["listDeliveries"]>[1]) =>
  Effect.flatMap(NotificationStore, (store) => store.listDeliveries(scope, rule_id, { limit: 100, offset: 0 })).pipe(
    Effect.map(({ items }) => items)
  )

describe("restart of a process", () => {
  itWithStore(
    "during a delivery: another process resumes it when the lease ends, without duplicate mails",
    () =>
      Effect.gen(function*() {
        const { rule, stop } = yield* withRule({ email_recipients: three })
        yield* sleepUntil(nine + 15 * second)
        yield* stop
        const { mails, reports } = yield* FakeServices
        assert.deepStrictEqual(mails.map(({ to }) => to), three.slice(0, 2))
        yield* startProcess()
        yield* sleepUntil(nine + 5 * minute)
        assert.lengthOf(mails, 2)
        yield* sleepUntil(nine + 6 * minute)
        // The interrupted mail may have arrived: its second attempt has the same Message-ID.
        assert.deepStrictEqual(mails.map(({ to }) => to), [...three.slice(0, 2), ...three.slice(1)])
        assert.strictEqual(mails[2]?.message_id, mails[1]?.message_id)
        assert.deepStrictEqual({ ...mails[2], at: 0 }, { ...mails[1], at: 0 })
        assert.deepStrictEqual(reports, [nine])
        const [item] = yield* itemsOf(rule.rule_id)
        assert.deepStrictEqual([item?.state, item?.tries, item?.settled], ["delivered", 2, []])
      }),
    { sendMail: () => Effect.sleep("10 seconds") }
  )

  itWithStore(
    "between attempts: another process makes the next one with the same content",
    () =>
      Effect.gen(function*() {
        const { rule, stop } = yield* withRule({ email_recipients: null, slack_webhook_url: chatUrl })
        yield* sleepUntil(nine + second)
        yield* stop
        yield* sleepUntil(nine + 20 * minute)
        yield* startProcess()
        yield* sleepUntil(nine + 21 * minute)
        const { posts, reports } = yield* FakeServices
        assert.deepStrictEqual(posts.map(({ at }) => at), [nine, nine + 20 * minute])
        assert.deepStrictEqual(posts[1]?.body, posts[0]?.body)
        assert.deepStrictEqual(reports, [nine])
        assert.deepStrictEqual((yield* itemsOf(rule.rule_id)).map(({ state }) => state), ["delivered"])
      }),
    { respond: (number) => Effect.succeed({ status: number === 1 ? 500 : 200 }) }
  )

  itWithStore(
    "during a report: it is retried once when the lease ends, and fails when interrupted again",
    () =>
      Effect.gen(function*() {
        const first = yield* withRule({ slack_webhook_url: chatUrl })
        yield* sleepUntil(nine + second)
        yield* first.stop
        const second_ = yield* startProcess()
        yield* sleepUntil(nine + 5 * minute + second)
        yield* second_.stop
        yield* startProcess()
        yield* sleepUntil(nine + 11 * minute)
        const { mails, reports } = yield* FakeServices
        assert.deepStrictEqual(reports, [nine, nine + 5 * minute])
        assert.lengthOf(mails, 0)
        const items = yield* itemsOf(first.rule.rule_id)
        assert.deepStrictEqual(items.map(({ channel, last_error, state }) => [channel, state, last_error]), [
          ["email", "failed", "Making the report was interrupted twice"],
          ["slack", "failed", "Making the report was interrupted twice"]
        ])
      }),
    { outcome: () => Effect.as(Effect.sleep("1 minute"), table) }
  )

  itWithStore("while the warehouse is busy: releases do not count as interruptions", () =>
    Effect.gen(function*() {
      ;[requests, full] = [0, 3]
      const first = yield* withRule({})
      yield* sleepUntil(nine + 71 * second)
      yield* first.stop
      const next = yield* startProcess()
      yield* Effect.sleep(6 * minute)
      yield* next.stop
      yield* startProcess()
      yield* Effect.sleep(6 * minute)
      // Three times no room, then two interruptions; the third claim after them fails it.
      assert.strictEqual(requests, 5)
      assert.lengthOf((yield* FakeServices).mails, 0)
      assert.deepStrictEqual((yield* itemsOf(first.rule.rule_id)).map(({ last_error }) => last_error), [
        "Making the report was interrupted twice"
      ])
    }), {
    outcome: () =>
      Effect.suspend(() =>
        ++requests <= full
          ? Effect.succeed({ code: "RATE_LIMITED", message: "No room" })
          : Effect.delay(Effect.succeed(table), "100 seconds")
      )
  })

  itWithStore("during the last attempt: the delivery fails instead of starting over", () =>
    Effect.gen(function*() {
      const { rule, stop } = yield* withRule({})
      yield* sleepUntil(nine + second)
      yield* stop
      for (const _ of [2, 3, 4]) {
        const next = yield* startProcess()
        yield* Effect.sleep(5 * minute + 10 * second)
        yield* next.stop
      }
      yield* startProcess()
      yield* Effect.sleep(5 * minute + 10 * second)
      const [item] = yield* itemsOf(rule.rule_id)
      assert.lengthOf((yield* FakeServices).mails, 4)
      assert.deepStrictEqual([item?.state, item?.last_error], ["failed", "The last try was interrupted"])
    }), { sendMail: () => Effect.never })

  itWithStore("keeps the report until the last channel has ended", () =>
    Effect.gen(function*() {
      const store = yield* NotificationStore
      const { rule } = yield* withRule({ slack_webhook_url: chatUrl })
      yield* sleepUntil(nine + 10 * second)
      const [mail, chat] = yield* itemsOf(rule.rule_id)
      assert.deepStrictEqual([mail?.state, chat?.state], ["delivered", "pending"])
      if (mail === undefined) return assert.fail("there is no delivery")
      assert.isTrue(Option.isSome(yield* store.findReport(mail.run_id)))
      yield* sleepUntil(nine + 10 * minute)
      assert.deepStrictEqual((yield* itemsOf(rule.rule_id)).map(({ state }) => state), ["delivered", "failed"])
      assert.deepStrictEqual(yield* store.findReport(mail.run_id), Option.none())
    }), { respond: () => Effect.succeed({ status: 500 }) })

  itWithStore(
    "with another secret: the chat delivery fails and mail continues",
    () =>
      Effect.gen(function*() {
        const { rule, stop } = yield* withRule({ slack_webhook_url: chatUrl })
        yield* stop
        yield* startProcess({ secret: "another" })
        yield* sleepUntil(nine + minute)
        const { mails, posts } = yield* FakeServices
        assert.deepStrictEqual([mails.length, posts.length], [1, 0])
        const [mail, chat] = yield* itemsOf(rule.rule_id)
        assert.strictEqual(mail?.state, "delivered")
        assert.strictEqual(chat?.state, "failed")
        assert.match(chat?.last_error ?? "", /sealed with another key/)
      })
  )

  itWithStore(
    "with fewer allowed hosts: nothing is posted to a host that is no longer allowed",
    () =>
      Effect.gen(function*() {
        const elsewhere = { email_recipients: null, slack_webhook_url: "https://chat.example.in/hook" }
        const { rule, stop } = yield* withRule(elsewhere, { chatHosts: "any" })
        yield* stop
        yield* startProcess()
        yield* sleepUntil(nine + minute)
        assert.lengthOf((yield* FakeServices).posts, 0)
        const [chat] = yield* itemsOf(rule.rule_id)
        assert.deepStrictEqual(
          [chat?.state, chat?.last_error],
          ["failed", "The address of the chat webhook is not allowed any more"]
        )
      })
  )
})
