import { assert, describe, it } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import type { Attempt } from "@trunkline/telephony"
import { Effect, FastCheck, Schema } from "effect"
import { Campaigns, dialWindow, ProgressRecord } from "../src/index.js"
import { expectedFinish, type ForecastFacts } from "../src/progress/CampaignProgress.js"
import { campaignBody, campaigns, mondayMorning, over, scope } from "./Fixtures.js"
import { created, progress, running, start } from "./ReaderFixtures.js"

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
