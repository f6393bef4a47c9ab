import { assert, describe } from "@effect/vitest"
import { MailError, NotificationRules } from "@trunkline/notifications"
import { SendFailed } from "@trunkline/webhooks"
import { DateTime, Effect } from "effect"
import { board_id, chatUrl, create, history, nine, Outside, scope, start, story, until } from "../fixtures.js"

const second = 1_000
const minute = 60 * second
const three = ["asha@example.in", "ravi@example.in", "tara@example.in"]

const status = (code: number, headers: Readonly<Record<string, string>> = {}) =>
  Effect.succeed({ status: code, headers })

/** Whether each try came after the one before by its wait, or up to a fifth later. */
const waitsOf = (times: ReadonlyArray<number>) => times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / second)

const assertWaits = (times: ReadonlyArray<number>, expected: ReadonlyArray<number>) => {
  const waits = waitsOf(times)
  assert.strictEqual(waits.length, expected.length)
  expected.forEach((wait, index) => {
    assert.isAtLeast(waits[index] ?? 0, wait)
    assert.isAtMost(waits[index] ?? 0, wait * 1.2 + 0.001)
  })
}

describe("NotificationDelivery", () => {
  story(
    "reports at the rule's time, once, by every channel, with one message for each recipient",
    () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create({ email_recipients: three.slice(0, 2), slack_webhook_url: chatUrl })
        const { mails, posts, reports } = yield* Outside
        yield* until(nine - 1)
        assert.deepStrictEqual([mails.length, posts.length, reports.length], [0, 0, 0])
        yield* until(nine + minute)
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

  story("the history holds neither addresses nor content", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ slack_webhook_url: chatUrl })
      yield* until(nine + 10 * minute)
      const told = JSON.stringify(yield* history(rule.rule_id))
      assert.notMatch(told, /example\.in|hooks\.slack|services|2026-01-02|calls/i)
      assert.match(told, /HTTP 503/)
    }), { answer: () => status(503) })

  story(
    "tries four times in all, 30, 60 and 120 seconds apart, with the same content, and runs the widget once",
    () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
        const { posts, reports } = yield* Outside
        yield* until(nine + 20 * second)
        const [waiting] = yield* history(rule.rule_id)
        assert.deepStrictEqual([waiting?.status, waiting?.tries, waiting?.last_error], ["pending", 1, "HTTP 500"])
        assert.isAtLeast(waiting?.next_try_at?.epochMillis ?? 0, nine + 30 * second)
        yield* until(nine + 20 * minute)
        assertWaits(posts.map(({ at }) => at), [30, 60, 120])
        posts.forEach(({ body }) => assert.deepStrictEqual(body, posts[0]?.body))
        assert.deepStrictEqual(reports, [nine])
        const [item] = yield* history(rule.rule_id)
        assert.deepStrictEqual(
          [item?.status, item?.tries, item?.last_error, item?.next_try_at],
          ["failed", 4, "HTTP 500", null]
        )
      }),
    { answer: () => status(500) }
  )

  story("a try that succeeds ends them", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
      yield* until(nine + 20 * minute)
      assert.lengthOf((yield* Outside).posts, 3)
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual([item?.status, item?.tries, item?.last_error], ["delivered", 3, null])
    }), {
    answer: (number) => number < 3 ? new SendFailed({ reason: "the connection was refused" }) : status(200)
  })

  story("waits as long as a chat with too many messages asks", () =>
    Effect.gen(function*() {
      yield* start
      yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
      yield* until(nine + 20 * minute)
      assert.deepStrictEqual(waitsOf((yield* Outside).posts.map(({ at }) => at)), [90])
    }), { answer: (number) => number === 1 ? status(429, { "retry-after": "90" }) : status(200) })

  for (const code of [403, 404, 410]) {
    story(`gives up at once when the chat answers ${code}`, () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
        yield* until(nine + 20 * minute)
        assert.lengthOf((yield* Outside).posts, 1)
        const [item] = yield* history(rule.rule_id)
        assert.deepStrictEqual([item?.status, item?.tries, item?.last_error], ["failed", 1, `HTTP ${code}`])
      }), { answer: () => status(code) })
  }

  story(
    "sends plain text at once to a chat that does not take blocks, as part of the same try",
    () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
        yield* until(nine + 20 * minute)
        const { posts } = yield* Outside
        assert.deepStrictEqual(posts.map(({ at }) => at), [nine, nine + second])
        const [blocks, plain] = posts.map(({ body }) => Object.keys(Object(body)))
        assert.deepStrictEqual([blocks, plain], [["text", "blocks"], ["text"]])
        const [item] = yield* history(rule.rule_id)
        assert.deepStrictEqual([item?.status, item?.tries], ["delivered", 1])
      }),
    { answer: (number) => status(number === 1 ? 400 : 200) }
  )

  story("a chat that refuses plain text too is given up", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: null, slack_webhook_url: chatUrl })
      yield* until(nine + 20 * minute)
      assert.lengthOf((yield* Outside).posts, 2)
      assert.strictEqual((yield* history(rule.rule_id))[0]?.last_error, "HTTP 400")
    }), { answer: () => status(400) })

  story("a retry mails only those who have had nothing, under the same Message-ID", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: three })
      yield* until(nine + 20 * minute)
      const { mails, reports } = yield* Outside
      assert.deepStrictEqual(mails.map(({ to }) => to), [...three, three[1]])
      assert.strictEqual(mails[3]?.message_id, mails[1]?.message_id)
      assert.strictEqual(new Set(mails.map(({ message_id }) => message_id)).size, 3)
      assert.deepStrictEqual({ ...mails[3], at: 0 }, { ...mails[1], at: 0 })
      assert.deepStrictEqual(reports, [nine])
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual([item?.status, item?.tries, item?.last_error], ["delivered", 2, null])
    }), {
    carry: (number) => number === 2 ? new MailError({ permanent: false, reason: "SMTP 450" }) : Effect.void
  })

  story("a recipient who is refused for good is not mailed again; the others get theirs", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: three })
      yield* until(nine + 20 * minute)
      assert.deepStrictEqual((yield* Outside).mails.map(({ to }) => to), three)
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual(
        [item?.status, item?.tries, item?.last_error],
        ["failed", 1, "2 of 3 recipients have it: SMTP 550"]
      )
    }), {
    carry: (_, { to }) => to === three[1] ? new MailError({ permanent: true, reason: "SMTP 550" }) : Effect.void
  })

  story("a mail server that never answers is a failed try", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create()
      yield* until(nine + 30 * minute)
      assertWaits((yield* Outside).mails.map(({ at }) => at), [90, 120, 180])
      const [item] = yield* history(rule.rule_id)
      assert.deepStrictEqual(
        [item?.status, item?.tries, item?.last_error],
        ["failed", 4, "The mail server did not answer in time"]
      )
    }), { carry: () => Effect.never })

  story("trouble with the chat mails nobody twice", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ email_recipients: three, slack_webhook_url: chatUrl })
      yield* until(nine + 20 * minute)
      const { mails, posts } = yield* Outside
      assert.deepStrictEqual([mails.length, posts.length], [3, 4])
      const items = yield* history(rule.rule_id)
      assert.deepStrictEqual(items.map((item) => [item.channel, item.status]), [
        ["email", "delivered"],
        ["slack", "failed"]
      ])
    }), { answer: () => status(502) })

  story(
    "a widget that fails is told of instead of its table, not retried and not passed over in silence",
    () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create({ slack_webhook_url: chatUrl })
        yield* until(nine + 20 * minute)
        const { mails, posts, reports } = yield* Outside
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

  story("an empty result is sent", () =>
    Effect.gen(function*() {
      yield* start
      const rule = yield* create({ slack_webhook_url: chatUrl })
      yield* until(nine + minute)
      const { mails, posts } = yield* Outside
      assert.deepStrictEqual([mails.length, posts.length], [1, 1])
      assert.deepStrictEqual((yield* history(rule.rule_id)).map(({ rows }) => rows), [0, 0])
    }), { outcome: () => Effect.succeed({ columns: [{ name: "day" }], rows: [], truncated: false }) })

  story("a renderer that breaks costs the mail its picture, no more", () =>
    Effect.gen(function*() {
      yield* start
      yield* create()
      yield* until(nine + minute)
      const [mail] = (yield* Outside).mails
      assert.deepStrictEqual(mail?.attachments.map(({ filename }) => filename), ["Calls per day.csv"])
    }), { render: () => Effect.die("no font") })

  story("a chart that is drawn is in the mail", () =>
    Effect.gen(function*() {
      yield* start
      yield* create()
      yield* until(nine + minute)
      const [mail] = (yield* Outside).mails
      const files = mail?.attachments ?? []
      assert.deepStrictEqual(files.map(({ contentType }) => contentType), ["image/png", "text/csv; charset=utf-8"])
      assert.deepStrictEqual(files[0]?.content, Uint8Array.of(1, 2, 3))
    }), { render: () => Effect.succeed(Uint8Array.of(1, 2, 3)) })

  story("a chart that is never done costs the mail its picture, no more", () =>
    Effect.gen(function*() {
      yield* start
      yield* create()
      yield* until(nine + minute)
      const [mail] = (yield* Outside).mails
      assert.deepStrictEqual([mail?.at, mail?.attachments.length], [nine + 30 * second, 1])
    }), { render: () => Effect.never })
})
