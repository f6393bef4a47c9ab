import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, type CampaignId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { BlockedNumbers } from "@trunkline/telephony"
import { DateTime, Effect, Schema } from "effect"
import { CampaignContacts, Campaigns, ContactPage, ContactQuery } from "../src/index.js"
import { campaignBody, campaigns, numberOf, scope } from "./Fixtures.js"
import { created, progress, running, start } from "./ReaderFixtures.js"

const query = (parameters: Record<string, string> = {}) => Schema.decodeUnknownSync(ContactQuery)(parameters)

const list = (id: CampaignId, parameters: Record<string, string> = {}) =>
  Effect.flatMap(CampaignContacts, (contacts) => contacts.list(scope, id, query(parameters)))

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
