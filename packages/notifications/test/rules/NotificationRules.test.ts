import { assert, describe, it } from "@effect/vitest"
import { issuesOf } from "@trunkline/errors"
import { BusinessTime, Transactions } from "@trunkline/kernel"
import {
  CreateRule,
  maxRulesPerBoard,
  NotificationRules,
  NotificationStore,
  PatchRule,
  Rule,
  RuleId
} from "@trunkline/notifications"
import { DateTime, Effect, Either, Option, Schema } from "effect"
import { board_id, chatUrl, create, dailyRule, itWithProcess, midnight, nine, scope } from "../Fixtures.js"

const day = 86_400_000

const rules = <A, E>(use: (rules: typeof NotificationRules.Service) => Effect.Effect<A, E>) =>
  Effect.flatMap(NotificationRules, use)

const failure = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => Object(error).code ?? Object(error)._tag)

const patch = (id: RuleId, body: PatchRule) => rules((rules) => rules.patch(scope, board_id, id, body))

const millis = (at: DateTime.Utc | null) => at?.epochMillis ?? null

describe("NotificationRules", () => {
  itWithProcess(
    "enables a new rule with its next run, and never shows its webhook address",
    () =>
      Effect.gen(function*() {
        const rule = yield* create({ name: "Morning", slack_webhook_url: chatUrl, slack_channel_name: "#calls" })
        const expected = {
          rule_id: rule.rule_id,
          widget_id: "widget-1",
          cron: "0 9 * * *",
          enabled: true,
          created_at: "2026-01-01T00:00:00.000Z",
          updated_at: "2026-01-01T00:00:00.000Z",
          name: "Morning",
          next_run_at: "2026-01-01T03:30:00.000Z",
          email_recipients: ["asha@example.in"],
          slack_channel_name: "#calls",
          slack_configured: true
        }
        assert.deepStrictEqual<unknown>(yield* Schema.encode(Rule)(rule), expected)
        assert.match(rule.rule_id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        assert.deepStrictEqual(yield* rules(({ get }) => get(scope, board_id, rule.rule_id)), rule)
        const stored = yield* Effect.flatMap(NotificationStore, (store) => store.findRule(scope, rule.rule_id))
        assert.notInclude(JSON.stringify(Option.getOrThrow(stored)), "services")
      })
  )

  itWithProcess("treats an empty list of recipients as none", () =>
    Effect.gen(function*() {
      const rule = yield* create({ email_recipients: [], slack_webhook_url: chatUrl })
      assert.isNull(rule.email_recipients)
      assert.isTrue(rule.slack_configured)
    }))

  const rejected = [
    ["a malformed cron", { cron: "@daily" }, "INVALID_CRON"],
    ["a cron with two occurrences an hour", { cron: "*/30 * * * *" }, "CRON_TOO_FREQUENT"],
    ["no recipient", { email_recipients: null }, "NO_DELIVERY_CHANNEL"],
    ["an empty list of recipients", { email_recipients: [] }, "NO_DELIVERY_CHANNEL"],
    ["a widget of another board", { widget_id: "elsewhere" }, "WIDGET_NOT_ON_BOARD"],
    ["a webhook on a host that is not allowed", { slack_webhook_url: "https://evil.example/x" }, "Invalid"],
    ["a webhook without https", { slack_webhook_url: "http://hooks.slack.com/x" }, "Invalid"]
  ] as const
  for (const [problem, change, code] of rejected) {
    itWithProcess(`rejects ${problem} with ${code} and stores nothing`, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* failure(create(change)), code)
        const { total } = yield* rules(({ list }) => list(scope, board_id, { limit: 10, offset: 0 }))
        assert.strictEqual(total, 0)
      }))
  }

  itWithProcess("reports an invalid webhook address by field, without repeating it", () =>
    Effect.gen(function*() {
      const invalid = yield* Effect.flip(create({ slack_webhook_url: "https://evil.example/t0ken" }))
      assert.strictEqual(invalid._tag, "Invalid")
      assert.match(invalid.message, /^body\.slack_webhook_url: Should be at one of these hosts: hooks\.slack\.com$/)
    }))

  itWithProcess("fails for a board that does not exist", () =>
    Effect.gen(function*() {
      const page = { limit: 10, offset: 0 }
      const id = RuleId.make("none")
      const rule = yield* create()
      const calls: ReadonlyArray<Effect.Effect<unknown, unknown, NotificationRules>> = [
        rules(({ create }) => create(scope, "nowhere", dailyRule())),
        rules(({ list }) => list(scope, "nowhere", page)),
        rules(({ get }) => get(scope, "nowhere", rule.rule_id)),
        rules(({ patch }) => patch(scope, "nowhere", rule.rule_id, {})),
        rules(({ remove }) => remove(scope, "nowhere", rule.rule_id)),
        rules(({ deliveries }) => deliveries(scope, "nowhere", rule.rule_id, page)),
        rules(({ get }) => get(scope, board_id, id)),
        rules(({ patch }) => patch(scope, board_id, id, { name: "x" })),
        rules(({ remove }) => remove(scope, board_id, id)),
        rules(({ deliveries }) => deliveries(scope, board_id, id, page))
      ]
      const codes = yield* Effect.forEach(calls, failure)
      assert.deepStrictEqual(codes, calls.map(() => "NotFound"))
    }))

  itWithProcess("lists rules newest first, in pages", () =>
    Effect.gen(function*() {
      const first = yield* create()
      yield* Effect.sleep(1)
      const second = yield* create()
      const list = (limit: number, offset: number) => rules((rules) => rules.list(scope, board_id, { limit, offset }))
      assert.deepStrictEqual(yield* list(50, 0), { items: [second, first], total: 2, limit: 50, offset: 0 })
      assert.deepStrictEqual(yield* list(1, 1), { items: [first], total: 2, limit: 1, offset: 1 })
    }))

  itWithProcess("allows at most a hundred rules per board", () =>
    Effect.gen(function*() {
      yield* Effect.replicateEffect(create(), maxRulesPerBoard, { discard: true })
      assert.strictEqual(yield* failure(create()), "INVALID_REQUEST")
    }))

  itWithProcess("leaves a rule unchanged by an empty patch", () =>
    Effect.gen(function*() {
      const rule = yield* create()
      yield* Effect.sleep(1_000)
      assert.deepStrictEqual(yield* patch(rule.rule_id, {}), rule)
      assert.deepStrictEqual(yield* patch(rule.rule_id, { cron: null, enabled: null }), rule)
    }))

  itWithProcess("changes the fields of a patch; null clears optional ones", () =>
    Effect.gen(function*() {
      const rule = yield* create({ name: "Morning", slack_webhook_url: chatUrl, slack_channel_name: "#calls" })
      yield* Effect.sleep(1_000)
      const renamed = yield* patch(rule.rule_id, { name: "Evening" })
      assert.deepStrictEqual(
        renamed,
        new Rule({ ...rule, name: "Evening", updated_at: DateTime.unsafeMake(midnight + 1_000) })
      )
      const cleared = yield* patch(rule.rule_id, {
        name: null,
        slack_webhook_url: null,
        slack_channel_name: null,
        email_recipients: ["ravi@example.in"]
      })
      assert.deepStrictEqual(
        [cleared.name, cleared.slack_configured, cleared.slack_channel_name, cleared.email_recipients],
        [null, false, null, ["ravi@example.in"]]
      )
      assert.strictEqual(yield* failure(patch(rule.rule_id, { email_recipients: [] })), "NO_DELIVERY_CHANNEL")
      assert.deepStrictEqual(yield* rules(({ get }) => get(scope, board_id, rule.rule_id)), cleared)
      const chat = yield* patch(rule.rule_id, { email_recipients: null, slack_webhook_url: chatUrl })
      assert.deepStrictEqual([chat.email_recipients, chat.slack_configured], [null, true])
    }))

  itWithProcess(
    "clears the next run on disabling, and recomputes it on enabling or with another cron",
    () =>
      Effect.gen(function*() {
        const { rule_id } = yield* create()
        const disabled = yield* patch(rule_id, { enabled: false })
        assert.deepStrictEqual([disabled.enabled, disabled.next_run_at], [false, null])
        assert.isNull((yield* patch(rule_id, { cron: "0 10 * * *" })).next_run_at)
        yield* Effect.sleep(2 * day)
        const enabled = yield* patch(rule_id, { enabled: true })
        assert.strictEqual(millis(enabled.next_run_at), nine + 2 * day + 3_600_000)
        assert.strictEqual(millis((yield* patch(rule_id, { cron: "0 9 * * *" })).next_run_at), nine + 2 * day)
        assert.strictEqual(yield* failure(patch(rule_id, { cron: "* * * * *" })), "CRON_TOO_FREQUENT")
        assert.strictEqual(yield* failure(patch(rule_id, { cron: "0 9 30 2 *" })), "INVALID_CRON")
      })
  )

  itWithProcess(
    "keeps a due occurrence when other fields change",
    () =>
      Effect.gen(function*() {
        const { rule_id } = yield* create()
        yield* BusinessTime.sleepUntil(nine + 10)
        const renamed = yield* patch(rule_id, { name: "Late", enabled: true, cron: "0 9 * * *" })
        assert.strictEqual(millis(renamed.next_run_at), nine)
      })
  )

  itWithProcess(
    "removes rules with their widgets, unless the transaction fails",
    () =>
      Effect.gen(function*() {
        const { run } = yield* Transactions
        const [gone, remaining] = [yield* create({ widget_id: "widget-2" }), yield* create()]
        const remove = rules(({ removeOfWidgets }) => removeOfWidgets(scope, board_id, ["widget-2"]))
        const ids = Effect.map(
          rules(({ list }) => list(scope, board_id, { limit: 10, offset: 0 })),
          ({ items }) => items.map(({ rule_id }) => rule_id).sort()
        )
        yield* Effect.flip(run(Effect.zipRight(remove, Effect.fail("undone"))))
        assert.deepStrictEqual(yield* ids, [gone.rule_id, remaining.rule_id].sort())
        yield* run(remove)
        assert.deepStrictEqual(yield* ids, [remaining.rule_id])
      })
  )

  itWithProcess("removes a rule with its history", () =>
    Effect.gen(function*() {
      const { rule_id } = yield* create()
      yield* rules(({ remove }) => remove(scope, board_id, rule_id))
      assert.strictEqual(yield* failure(rules(({ get }) => get(scope, board_id, rule_id))), "NotFound")
      assert.strictEqual(yield* failure(rules(({ remove }) => remove(scope, board_id, rule_id))), "NotFound")
    }))
})

describe("bodies of rules", () => {
  const creates = (body: unknown) => Either.isRight(Schema.decodeUnknownEither(CreateRule)(body))
  const patches = (body: unknown) => Either.isRight(Schema.decodeUnknownEither(PatchRule)(body))
  const smallest = { widget_id: "w", cron: "0 9 * * *" }

  it("respect the limits of the API", () => {
    assert.isTrue(creates(smallest))
    assert.isTrue(creates({ ...smallest, name: "n".repeat(80), slack_channel_name: "", unknown: 1 }))
    assert.isFalse(creates({ cron: "0 9 * * *" }))
    assert.isFalse(creates({ widget_id: "w" }))
    for (
      const bad of [
        { cron: "" },
        { cron: 9 },
        { name: "" },
        { name: " \t " },
        { name: "two\nlines" },
        { name: "two\u2028lines" },
        { name: "two\u2029paragraphs" },
        { name: "a\u0000b" },
        { name: "a\u0085b" },
        { name: "🙂".repeat(81) },
        { slack_channel_name: "#a\r\nb" },
        { slack_channel_name: "#a\u2028b" },
        { slack_channel_name: "🙂".repeat(81) },
        { name: "n".repeat(81) },
        { slack_channel_name: "c".repeat(81) },
        { email_recipients: "asha@example.in" },
        { email_recipients: ["asha"] },
        { email_recipients: ["asha@example.in", "ASHA@example.in"] },
        { slack_webhook_url: 1 }
      ]
    ) {
      assert.isFalse(creates({ ...smallest, ...bad }), JSON.stringify(bad))
      assert.isFalse(patches(bad), JSON.stringify(bad))
    }
    assert.isTrue(patches({}))
    assert.isTrue(patches({ name: null, cron: null, enabled: null, email_recipients: null, slack_webhook_url: null }))
    assert.isFalse(patches({ enabled: "no" }))
  })

  const read = (body: unknown) => Schema.decodeUnknownSync(CreateRule)({ ...smallest, ...Object(body) })
  const change = (body: unknown) => Schema.decodeUnknownSync(PatchRule)(body)

  it("have trimmed one-line names counted in code points", () => {
    const long = "🙂".repeat(80)
    for (
      const body of [{ name: ` ${long}\n`, slack_channel_name: `\t${long} ` }, { name: long, slack_channel_name: long }]
    ) {
      for (const { name, slack_channel_name } of [read(body), change(body)]) {
        assert.deepStrictEqual([name, slack_channel_name], [long, long])
      }
    }
    assert.strictEqual(read({ name: "सुबह 👩‍👩‍👧" }).name, "सुबह 👩‍👩‍👧")
  })

  it("have no channel when its name is blank", () => {
    for (const slack_channel_name of ["", " ", "\n\t", null]) {
      assert.isNull(read({ slack_channel_name }).slack_channel_name)
      assert.isNull(change({ slack_channel_name }).slack_channel_name)
    }
    assert.isNull(read({}).slack_channel_name)
    assert.notProperty(change({}), "slack_channel_name")
  })

  it("report the kind of an invalid text without repeating it", () => {
    const issuesOfBody = (body: unknown) =>
      Either.match(Schema.decodeUnknownEither(CreateRule, { errors: "all" })({ ...smallest, ...Object(body) }), {
        onLeft: (error) => issuesOf(error, "body").map(({ loc, type }) => [loc.join("."), type]),
        onRight: () => []
      })
    assert.deepStrictEqual(issuesOfBody({ name: " " }), [["body.name", "string_too_short"]])
    assert.deepStrictEqual(issuesOfBody({ name: "n".repeat(81) }), [["body.name", "string_too_long"]])
    assert.deepStrictEqual(issuesOfBody({ slack_channel_name: "a\nb" }), [[
      "body.slack_channel_name",
      "string_pattern_mismatch"
    ]])
  })
})
