import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, type CampaignId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type Attempt, BlockedNumbers } from "@trunkline/telephony"
import { DateTime, Effect, FastCheck, Schema } from "effect"
import {
  CampaignContacts,
  CampaignProgress,
  CampaignRunner,
  Campaigns,
  ContactPage,
  ContactQuery,
  dialWindow,
  ProgressRecord
} from "../src/index.js"
import { expectedFinish, type ForecastFacts } from "../src/progress/CampaignProgress.js"
import { campaignBody, campaigns, mondayMorning, numberOf, over, scope } from "./fixtures.js"

const start = { start: mondayMorning }
const running = Effect.flatMap(CampaignRunner, (runner) => Effect.forkScoped(runner.run))
const created = (config: Record<string, unknown> = {}, changes: Record<string, unknown> = {}) =>
  Effect.flatMap(Campaigns, (service) => service.create(scope, campaignBody(changes, config), "demo"))
const query = (parameters: Record<string, string> = {}) => Schema.decodeUnknownSync(ContactQuery)(parameters)
const list = (id: CampaignId, parameters: Record<string, string> = {}) =>
  Effect.flatMap(CampaignContacts, (contacts) => contacts.list(scope, id, query(parameters)))
const progress = (id: CampaignId) => Effect.flatMap(CampaignProgress, ({ of }) => of(scope, id))
const reasons = (page: ContactPage) => [...new Set(page.items.map(({ decision }) => decision.reason))]
const who = (page: ContactPage) => page.items.map((item) => Number(item.user_identifier.slice("person-".length)))
const act = (id: CampaignId, action: "pause" | "resume" | "cancel") =>
  Effect.flatMap(Campaigns, (service) => service.act(scope, id, action, "demo"))

describe("CampaignContacts", () => {
  virtualTest(
    "reports the state, the last outcome and the decision of each contact",
    () =>
      Effect.gen(function*() {
        yield* running
        const { campaign_id } = yield* created({ attempts_per_second: 0.1, retry_config: {} })
        yield* BusinessTime.sleep("12 seconds")
        const busy = yield* (yield* CampaignContacts).find(scope, campaign_id, numberOf(0))
        assert.deepStrictEqual(Schema.encodeSync(ContactPage.fields.items.value)(busy), {
          user_identifier: "person-0",
          user_phone_number: numberOf(0),
          cohort_id: "coh-000000000001",
          state: "waiting",
          attempts: 1,
          due_at: "2024-05-20T05:00:02.000Z",
          attempt_id: null,
          decision: {
            verdict: "not_before",
            reason: "retry_interval",
            at: "2024-05-20T04:30:02.000Z",
            not_before: "2024-05-20T05:00:02.000Z",
            explanation:
              "The last attempt is followed by another one, which is not due yet; not before 2024-05-20T05:00:02.000Z."
          },
          last_outcome: { completion_status: "failed", connectivity_status: "busy", next_action_status: "retry" }
        })
        const calling = yield* list(campaign_id, { state: "calling" })
        assert.deepStrictEqual(who(calling), [1])
        assert.isNotNull(calling.items[0]?.attempt_id)
        assert.strictEqual(calling.items[0]?.due_at, null)
        assert.deepStrictEqual(reasons(calling), ["allowed"])
        const next = yield* (yield* CampaignContacts).find(scope, campaign_id, numberOf(7))
        assert.deepInclude(next.decision, { verdict: "not_before", reason: "rate" })
        const unknown = yield* Effect.flip((yield* CampaignContacts).find(scope, campaign_id, numberOf(99)))
        assert.deepInclude(unknown, { _tag: "NotFound", resource: "contact", id: "******0099" })
        assert.notInclude(unknown.message, "9876")
      }).pipe(Effect.provide(campaigns({ people: 20, simulator: { rules: [{ suffix: "0", callee: "busy" }] } }))),
    start
  )

  virtualTest("pages through all contacts in both directions", () =>
    Effect.gen(function*() {
      yield* running
      const { campaign_id } = yield* created({ attempts_per_second: 0.1 })
      yield* BusinessTime.sleep("1 second")
      const one = yield* list(campaign_id, { limit: "10" })
      assert.deepStrictEqual(who(one), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      assert.isNull(one.cursors.before)
      const two = yield* list(campaign_id, { limit: "10", after: one.cursors.after ?? "" })
      assert.deepStrictEqual(who(two), [10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
      const three = yield* list(campaign_id, { limit: "10", after: two.cursors.after ?? "" })
      assert.deepStrictEqual([who(three), three.cursors.after], [[20, 21, 22, 23, 24], null])
      const back = yield* list(campaign_id, { limit: "10", before: three.cursors.before ?? "" })
      assert.deepStrictEqual(back, two)
      const first = yield* list(campaign_id, { limit: "10", before: back.cursors.before ?? "" })
      assert.deepStrictEqual(first, one)
      const waiting = yield* list(campaign_id, { limit: "2", state: "waiting" })
      assert.deepStrictEqual(who(waiting), [1, 2])
      assert.deepStrictEqual(who(yield* list(campaign_id, { search: numberOf(3) })), [3])
      assert.deepStrictEqual(who(yield* list(campaign_id, { search: "person-4", reason: "new" })), [4])
      const other = yield* created()
      assert.deepStrictEqual((yield* list(other.campaign_id)).items, [])
    }).pipe(Effect.provide(campaigns({ people: 25 }))), start)

  virtualTest("explains what holds the whole campaign", () =>
    Effect.gen(function*() {
      const allowed_schedule = { ...campaignBody().allowed_schedule, allowed_end_time: "10:05" }
      const { campaign_id } = yield* created({}, { start_timestamp: "2024-05-20T04:31:00Z", allowed_schedule })
      assert.strictEqual((yield* progress(campaign_id)).hold, "campaign_scheduled")
      yield* running
      yield* BusinessTime.sleep("61 seconds")
      assert.deepStrictEqual(reasons(yield* list(campaign_id, { state: "waiting" })), ["no_capacity"])
      yield* (yield* BlockedNumbers).add(scope, { phone_numbers: [numberOf(299)], reason: null }, "demo")
      yield* act(campaign_id, "pause")
      const paused = yield* list(campaign_id, { state: "waiting", limit: "250" })
      assert.deepStrictEqual(reasons(paused), ["campaign_paused"])
      const blocked = yield* (yield* CampaignContacts).find(scope, campaign_id, numberOf(299))
      assert.deepInclude(blocked.decision, { verdict: "never", reason: "blocked_number" })
      yield* act(campaign_id, "resume")
      yield* BusinessTime.sleepUntil(Date.parse("2024-05-20T04:35:00Z"))
      const [late] = (yield* list(campaign_id, { state: "waiting" })).items
      assert.strictEqual(late?.decision.reason, "outside_window")
      assert.deepStrictEqual(late?.decision.not_before, DateTime.unsafeMake("2024-05-21T03:30:00Z"))
      yield* act(campaign_id, "cancel")
      assert.deepStrictEqual(reasons(yield* list(campaign_id, { state: "finished" })), ["done", "campaign_cancelled"])
      assert.strictEqual((yield* progress(campaign_id)).hold, "campaign_cancelled")
    }).pipe(Effect.provide(campaigns({ people: 300, maxConcurrentCalls: 1, simulator: { default: "answer" } }))), start)

  virtualTest(
    "shows waiting contacts of a cancelled campaign as finished, in lists, pages, filters and totals",
    () =>
      Effect.gen(function*() {
        yield* running
        const { campaign_id } = yield* created({ attempts_per_second: 0.1 })
        yield* BusinessTime.sleep("12 seconds")
        yield* act(campaign_id, "cancel")
        const before = yield* progress(campaign_id)
        assert.isAbove(before.contacts.calling, 0)
        assert.deepInclude(before.contacts, { waiting: 0, finished: 25 - before.contacts.calling })
        assert.deepStrictEqual((yield* list(campaign_id, { state: "waiting" })).items, [])
        const there = yield* list(campaign_id, { state: "calling" })
        assert.lengthOf(there.items, before.contacts.calling)
        const done = yield* list(campaign_id, { state: "finished" })
        assert.lengthOf(done.items, before.contacts.finished)
        const everybody = yield* list(campaign_id)
        assert.deepStrictEqual(everybody.items.filter(({ state }) => state !== "calling"), done.items)
        const shown = (reason: string) => done.items.filter(({ decision }) => decision.reason === reason)
        for (const reason of ["campaign_cancelled", "done", "new", "retry_interval", "retries_exhausted"]) {
          for (const state of [{}, { state: "finished" }]) {
            assert.deepStrictEqual((yield* list(campaign_id, { reason, ...state })).items, shown(reason), reason)
          }
        }
        assert.isAbove(shown("done").length + shown("retries_exhausted").length, 0)
        const last = yield* (yield* CampaignContacts).find(scope, campaign_id, numberOf(24))
        assert.deepInclude(last, { state: "finished", due_at: null })
        assert.deepInclude(last.decision, { verdict: "never", reason: "campaign_cancelled" })

        const pages = (at: Record<string, string>): Effect.Effect<ReadonlyArray<number>, unknown, CampaignContacts> =>
          Effect.flatMap(list(campaign_id, { state: "finished", limit: "4", ...at }), (page) =>
            page.cursors.after === null
              ? Effect.succeed(who(page))
              : Effect.map(pages({ after: page.cursors.after }), (rest) => [...who(page), ...rest]))
        assert.deepStrictEqual(yield* pages({}), who(done))
        const one = yield* list(campaign_id, { state: "finished", limit: "4" })
        const two = yield* list(campaign_id, { state: "finished", limit: "4", after: one.cursors.after ?? "" })
        assert.deepStrictEqual(
          who(yield* list(campaign_id, { state: "finished", limit: "4", before: two.cursors.before ?? "" })),
          who(one)
        )
      }).pipe(Effect.provide(campaigns({ people: 25, simulator: { rules: [{ suffix: "0", callee: "busy" }] } }))),
    start
  )

  it("rejects invalid queries and fills in defaults", () => {
    assert.deepStrictEqual(query(), { search: "", limit: 50 })
    for (
      const wrong of [{ limit: "0" }, { limit: "251" }, { after: "x" }, { before: "-1" }, { state: "x" }, {
        reason: "x"
      }]
    ) {
      assert.throws(() => Schema.decodeUnknownSync(ContactQuery)(wrong))
    }
  })
})

describe("CampaignProgress", () => {
  virtualTest("counts contacts, outcomes and dials, and reports the lines", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const connection_configs = [
        { connection_id: "sim-1", phone_numbers: ["+911140000001"] },
        { connection_id: "sim-gone", phone_numbers: ["+911140000009"] }
      ]
      const service = yield* Campaigns
      const { campaign_id } = yield* created({ attempts_per_second: 1 })
      yield* service.act(scope, campaign_id, "pause", "demo")
      yield* service.act(scope, campaign_id, "resume", "demo")
      yield* BusinessTime.sleep("90500 millis")
      const half = yield* progress(campaign_id)
      const ended = history.length
      assert.deepInclude(Schema.encodeSync(ProgressRecord)(half), {
        campaign_id,
        status: "active",
        contacts: { waiting: 500 - 91, calling: 91 - ended, finished: ended, total_enrolled: 500, not_enrolled: 100 },
        outcomes: {
          completed: ended - 9,
          partial: 0,
          busy: 9,
          no_answer: 0,
          failed: 0,
          provider_error: 0,
          internal_error: 0,
          unknown: 0,
          blocked: 0
        },
        attempts: ended,
        dials_per_minute: [
          { minute: "2024-05-20T04:30:00.000Z", dials: 60 },
          { minute: "2024-05-20T04:31:00.000Z", dials: 31 }
        ],
        hold: null,
        hold_until: null,
        explanation: null,
        lines: [{
          connection_id: "sim-1",
          in_use: 91 - ended,
          max_channels: 50,
          health: "ok",
          paused_until: null,
          reason: null
        }]
      })
      assert.closeTo(half.expected_finish?.epochMillis ?? 0, mondayMorning + 600_000, 15_000)
      yield* service.act(scope, campaign_id, "pause", "demo")
      const paused = yield* progress(campaign_id)
      assert.deepInclude(paused, { hold: "campaign_paused", hold_until: null, expected_finish: null })
      assert.strictEqual(paused.explanation, "The campaign is paused.")
      yield* service.act(scope, campaign_id, "resume", "demo")
      yield* over(campaign_id)
      const done = yield* progress(campaign_id)
      assert.deepStrictEqual(done.contacts, {
        waiting: 0,
        calling: 0,
        finished: 600,
        total_enrolled: 600,
        not_enrolled: 0
      })
      assert.deepInclude(done, { attempts: 600, hold: "campaign_ended", expected_finish: null })
      const other = yield* Effect.either(service.create(scope, campaignBody({}, { connection_configs }), "demo"))
      assert.strictEqual(other._tag, "Left")
    }).pipe(
      Effect.provide(campaigns({ people: 600, history, simulator: { rules: [{ suffix: "0", callee: "busy" }] } }))
    )
  }, start)
})

describe("expectedFinish", () => {
  const hour = 3_600_000
  const given: ForecastFacts = {
    now: mondayMorning,
    window: dialWindow(campaignBody().allowed_schedule),
    end: mondayMorning + 7 * 24 * hour,
    remaining: 600,
    attempts: 0,
    finished: 0,
    minutes: [{ minute: mondayMorning - 600_000, dials: 50 }, { minute: mondayMorning - 300_000, dials: 50 }],
    lastDue: null
  }

  it("extrapolates the pace of the last hour", () => {
    assert.strictEqual(expectedFinish(given), mondayMorning + hour)
  })

  it("counts only the hours in which the window is open", () => {
    assert.strictEqual(expectedFinish({ ...given, remaining: 4_860 }), Date.parse("2024-05-21T03:36:00Z"))
    const night = { minute: Date.parse("2024-05-17T12:29:00Z"), dials: 31 }
    const morning = Date.parse("2024-05-20T04:00:00Z")
    assert.strictEqual(
      expectedFinish({ ...given, now: morning, minutes: [night], remaining: 62 }),
      morning + 62 * 60_000
    )
  })

  it("assumes as many attempts per contact as the finished contacts took", () => {
    assert.strictEqual(expectedFinish({ ...given, finished: 100, attempts: 150 }), mondayMorning + 1.5 * hour)
    assert.strictEqual(expectedFinish({ ...given, finished: 100, attempts: 10 }), mondayMorning + hour)
  })

  it("is not before the last retry and not after the end", () => {
    assert.strictEqual(expectedFinish({ ...given, lastDue: mondayMorning + 5 * hour }), mondayMorning + 5 * hour)
    assert.strictEqual(expectedFinish({ ...given, remaining: 1e9 }), given.end)
    assert.isNull(expectedFinish({ ...given, remaining: 1e9, end: Date.parse("9999-01-01T00:00:00Z") }), "too far off")
  })

  it("is null when no contact remains or none was dialled", () => {
    assert.isNull(expectedFinish({ ...given, remaining: 0 }))
    assert.isNull(expectedFinish({ ...given, minutes: [] }))
  })

  it.prop(
    "is never before now, and later with more contacts",
    [FastCheck.integer({ min: 1, max: 10_000 }), FastCheck.integer({ min: 1, max: 10_000 })],
    ([remaining, more]) => {
      const [one, two] = [remaining, remaining + more].map((count) =>
        expectedFinish({ ...given, remaining: count }) ?? 0
      )
      assert.isAtLeast(one ?? 0, given.now)
      assert.isAtLeast(two ?? 0, one ?? 0)
    }
  )
})
