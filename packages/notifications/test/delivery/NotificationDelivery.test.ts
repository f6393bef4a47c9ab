import { assert, describe } from "@effect/vitest"
import { MailError, NotificationRules } from "@trunkline/notifications"
import { SendFailed } from "@trunkline/webhooks"
import { DateTime, Effect } from "effect"
import {
  board_id,
  chatUrl,
  create,
  FakeServices,
  history,
  itWithProcess,
  nine,
  scope,
  sleepUntil,
  start
} from "../Fixtures.js"

const second = 1_000
const minute = 60 * second
const three = ["asha@example.in", "ravi@example.in", "tara@example.in"]

const status = (code: number, headers: Readonly<Record<string, string>> = {}) =>
  Effect.succeed({ status: code, headers })

/** Tests that each attempt follows the previous one after its delay, or up to a fifth later. */
const hasDelays = (times: ReadonlyArray<number>) =>
  times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / second)

const assertWaits = (times: ReadonlyArray<number>, expected: ReadonlyArray<number>) => {
  const waits = hasDelays(times)
  assert.strictEqual(waits.length, expected.length)
  expected.forEach((wait, index) => {
    assert.isAtLeast(waits[index] ?? 0, wait)
    assert.isAtMost(waits[index] ?? 0, wait * 1.2 + 0.001)
  })
}

describe("NotificationDelivery", () => {
  itWithProcess(
    "reports at the scheduled time, once per channel, with one message per recipient",
    () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create({ email_recipients: three.slice(0, 2), slack_webhook_url: chatUrl })
        const { mails, posts, reports } = yield* FakeServices
        yield* sleepUntil(nine - 1)
        assert.deepStrictEqual([mails.length, posts.length, reports.length], [0, 0, 0])
        yield* sleepUntil(nine + minute)
        assert.deepStrictEqual(reports, [nine])
        assert.deepStrictEqual(mails.map(({ at, to }) => [at, to]), [[nine, three[0]], [nine, three[1]]])
        assert.deepStrictEqual(posts.map(({ at, url }) => [at, url]), [[nine, chatUrl]])
        const items = yield* history(rule.rule_id)
        assert.deepStrictEqual(
          items.map((item) => [item.channel, item.status, item.tries, item.rows, item.truncated, item.next_try_at]),
          [["email", "delivered", 1, 2, false, null], ["slack", "delivered", 1, 2, false, null]]
        )
        assert.deepStrictEqual(items.map(({ error_code }) => error_code), [null, null])
        assert.isTrue(items.every((item) => item.scheduled_for.epochMillis === nine && item.finished_at !== null))
        const now = yield* (yield* NotificationRules).get(scope, board_id, rule.rule_id)
        assert.strictEqual(now.next_run_at && DateTime.formatIso(now.next_run_at), "2026-01-02T03:30:00.000Z")
      })
  )

  itWithProcess("keeps addresses and content out of the history", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ slack_webhook_url: chatUrl })
      yield* sleepUntil(nine + 10 * minute)
      const historyText = JSON.stringify(yield* history(rule.rule_id))
      assert.notMatch(historyText, /example\.in|hooks\.slack|services|2026-01-02|calls/i)
      assert.match(historyText, /HTTP 503/)
    }), { respond: () => status(503) })

  itWithProcess(
    "attempts a delivery four times, 30, 60 and 120 seconds apart, with the same content from one widget run",
    () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
        const { posts, reports } = yield* FakeServices
        yield* sleepUntil(nine + 20 * second)
        const [waiting] = yield* history(rule.rule_id)
        assert.deepStrictEqual([waiting?.status, waiting?.tries, waiting?.last_error], ["pending", 1, "HTTP 500"])
        assert.isAtLeast(waiting?.next_try_at?.epochMillis ?? 0, nine + 30 * second)
        yield* sleepUntil(nine + 20 * minute)
        assertWaits(posts.map(({ at }) => at), [30, 60, 120])
        posts.forEach(({ body }) => assert.deepStrictEqual(body, posts[0]?.body))
        assert.deepStrictEqual(reports, [nine])
        const [item] = yield* history(rule.rule_id)
        assert.deepStrictEqual(
          [item?.status, item?.tries, item?.last_error, item?.next_try_at],
          ["failed", 4, "HTTP 500", null]
        )
      }),
    { respond: () => status(500) }
  )

  itWithProcess("stops retrying after a success", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
      yield* sleepUntil(nine + 20 * minute)
      assert.lengthOf((yield* FakeServices).posts, 3)
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual([item?.status, item?.tries, item?.last_error], ["delivered", 3, null])
    }), {
    respond: (number) => number < 3 ? new SendFailed({ reason: "the connection was refused" }) : status(200)
  })

  itWithProcess("honours Retry-After of a chat webhook", () =>
    Effect.gen(function*() {
      yield* start
      yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
      yield* sleepUntil(nine + 20 * minute)
      assert.deepStrictEqual(hasDelays((yield* FakeServices).posts.map(({ at }) => at)), [90])
    }), { respond: (number) => number === 1 ? status(429, { "retry-after": "90" }) : status(200) })

  for (const code of [403, 404, 410]) {
    itWithProcess(`gives up at once when the chat webhook responds with ${code}`, () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
        yield* sleepUntil(nine + 20 * minute)
        assert.lengthOf((yield* FakeServices).posts, 1)
        const [item] = yield* history(rule.rule_id)
        assert.deepStrictEqual([item?.status, item?.tries, item?.last_error], ["failed", 1, `HTTP ${code}`])
      }), { respond: () => status(code) })
  }

  itWithProcess(
    "resends plain text at once, within the same attempt, when the chat rejects blocks",
    () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
        yield* sleepUntil(nine + 20 * minute)
        const { posts } = yield* FakeServices
        assert.deepStrictEqual(posts.map(({ at }) => at), [nine, nine + second])
        const [blocks, plain] = posts.map(({ body }) => Object.keys(Object(body)))
        assert.deepStrictEqual([blocks, plain], [["text", "blocks"], ["text"]])
        const [item] = yield* history(rule.rule_id)
        assert.deepStrictEqual([item?.status, item?.tries], ["delivered", 1])
      }),
    { respond: (number) => status(number === 1 ? 400 : 200) }
  )

  itWithProcess("gives up when the chat rejects plain text as well", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
      yield* sleepUntil(nine + 20 * minute)
      assert.lengthOf((yield* FakeServices).posts, 2)
      assert.strictEqual((yield* history(rule.rule_id))[0]?.last_error, "HTTP 400")
    }), { respond: () => status(400) })

  itWithProcess("mails only remaining recipients on a retry, with the same Message-ID", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: three })
      yield* sleepUntil(nine + 20 * minute)
      const { mails, reports } = yield* FakeServices
      assert.deepStrictEqual(mails.map(({ to }) => to), [...three, three[1]])
      assert.strictEqual(mails[3]?.message_id, mails[1]?.message_id)
      assert.strictEqual(new Set(mails.map(({ message_id }) => message_id)).size, 3)
      assert.deepStrictEqual({ ...mails[3], at: 0 }, { ...mails[1], at: 0 })
      assert.deepStrictEqual(reports, [nine])
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual([item?.status, item?.tries, item?.last_error], ["delivered", 2, null])
    }), {
    sendMail: (number) => number === 2 ? new MailError({ permanent: false, reason: "SMTP 450" }) : Effect.void
  })

  itWithProcess("does not mail a permanently rejected recipient again, but the others", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: three })
      yield* sleepUntil(nine + 20 * minute)
      assert.deepStrictEqual((yield* FakeServices).mails.map(({ to }) => to), three)
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual(
        [item?.status, item?.tries, item?.last_error],
        ["failed", 1, "2 of 3 recipients have it: SMTP 550"]
      )
    }), {
    sendMail: (_, { to }) => to === three[1] ? new MailError({ permanent: true, reason: "SMTP 550" }) : Effect.void
  })

  itWithProcess("counts a mail server that never responds as a failed attempt", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create()
      yield* sleepUntil(nine + 30 * minute)
      assertWaits((yield* FakeServices).mails.map(({ at }) => at), [90, 120, 180])
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual(
        [item?.status, item?.tries, item?.last_error],
        ["failed", 4, "The mail server did not answer in time"]
      )
    }), { sendMail: () => Effect.never })

  itWithProcess("causes no duplicate mails when the chat fails", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: three, slack_webhook_url: chatUrl })
      yield* sleepUntil(nine + 20 * minute)
      const { mails, posts } = yield* FakeServices
      assert.deepStrictEqual([mails.length, posts.length], [3, 4])
      const items = yield* history(rule.rule_id)
      assert.deepStrictEqual(items.map((item) => [item.channel, item.status]), [
        ["email", "delivered"],
        ["slack", "failed"]
      ])
    }), { respond: () => status(502) })

  itWithProcess(
    "reports a failed widget instead of its table, without retrying it",
    () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create({ slack_webhook_url: chatUrl })
        yield* sleepUntil(nine + 20 * minute)
        const { mails, posts, reports } = yield* FakeServices
        assert.deepStrictEqual([mails.length, posts.length, reports.length], [1, 1, 1])
        for (const text of [mails[0]?.text ?? "", JSON.stringify(posts[0]?.body)]) {
          assert.match(text, /INVALID_SQL/)
          assert.match(text, /no such column/)
        }
        assert.deepStrictEqual(mails[0]?.attachments, [])
        const items = yield* history(rule.rule_id)
        assert.deepStrictEqual(
          items.map((item) => [item.status, item.rows, item.last_error, item.error_code]),
          [["delivered", null, null, "INVALID_SQL"], ["delivered", null, null, "INVALID_SQL"]]
        )
      }),
    { outcome: () => Effect.succeed({ code: "INVALID_SQL", message: "no such column: dya" }) }
  )

  itWithProcess("sends an empty result", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ slack_webhook_url: chatUrl })
      yield* sleepUntil(nine + minute)
      const { mails, posts } = yield* FakeServices
      assert.deepStrictEqual([mails.length, posts.length], [1, 1])
      assert.deepStrictEqual((yield* history(rule.rule_id)).map(({ rows }) => rows), [0, 0])
    }), { outcome: () => Effect.succeed({ columns: [{ name: "day" }], rows: [], truncated: false }) })

  itWithProcess("sends the mail without a chart when the renderer breaks", () =>
    Effect.gen(function*() {
      yield* start
      yield* create()
      yield* sleepUntil(nine + minute)
      const [mail] = (yield* FakeServices).mails
      assert.deepStrictEqual(mail?.attachments.map(({ filename }) => filename), ["Calls per day.csv"])
    }), { render: () => Effect.die("no font") })

  itWithProcess("includes a rendered chart in the mail", () =>
    Effect.gen(function*() {
      yield* start
      yield* create()
      yield* sleepUntil(nine + minute)
      const [mail] = (yield* FakeServices).mails
      const files = mail?.attachments ?? []
      assert.deepStrictEqual(files.map(({ contentType }) => contentType), ["image/png", "text/csv; charset=utf-8"])
      assert.deepStrictEqual(files[0]?.content, Uint8Array.of(1, 2, 3))
    }), { render: () => Effect.succeed(Uint8Array.of(1, 2, 3)) })

  itWithProcess("sends the mail without a chart when rendering takes too long", () =>
    Effect.gen(function*() {
      yield* start
      yield* create()
      yield* sleepUntil(nine + minute)
      const [mail] = (yield* FakeServices).mails
      assert.deepStrictEqual([mail?.at, mail?.attachments.length], [nine + 30 * second, 1])
    }), { render: () => Effect.never })
})
