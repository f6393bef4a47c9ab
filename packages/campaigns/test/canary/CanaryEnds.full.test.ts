import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, type CampaignId, VirtualClock } from "@trunkline/kernel"
import { AgentVersions } from "@trunkline/telephony"
import { Effect, Layer } from "effect"
import { CampaignRunner, Campaigns, Canaries, CanaryCounts, CanaryListener } from "../../src/index.js"
import { campaignBody, campaigns, mondayMorning, scope } from "../Fixtures.js"
import { runCanary } from "./CanaryCampaign.js"

const good = () => 0.9

/** Adds conversations that all fail with the canary, and none with the control. */
const countFailures = (campaign_id: CampaignId) =>
  Effect.flatMap(CanaryCounts, (counts) =>
    counts.addMany(Array.from({ length: 80 }, (_, index) => ({
      campaign_id,
      number: 1,
      arm: index % 2 === 0 ? "canary" as const : "control" as const,
      isSuccess: index % 2 === 1
    }))))

describe("the end of a campaign", () => {
  it.live("ends its canary", () =>
    Effect.gen(function*() {
      const { campaign, canary, progress } = yield* runCanary({ seed: 2, contacts: 50, done: good })
      assert.strictEqual(campaign.status, "ended")
      assert.deepInclude(canary, { status: "ended", end_reason: "campaign", ended_by: null })
      const { canary: tried, control } = canary?.end_figures ?? assert.fail()
      assert.strictEqual(tried.conversations + control.conversations, 50)
      assert.strictEqual(canary?.ended_at?.epochMillis, campaign.updated_at.epochMillis)
      assert.deepInclude(progress.canary, { status: "ended", end_reason: "campaign" })
    }))

  it.live("ends its canary when it is cancelled, by whoever did it", () =>
    Effect.gen(function*() {
      const { campaign, canary } = yield* runCanary({
        seed: 2,
        contacts: 50,
        done: good,
        during: (id) =>
          Effect.gen(function*() {
            yield* BusinessTime.sleep("10 seconds")
            yield* (yield* Campaigns).act(scope, id, "cancel", "desk")
          })
      })
      assert.strictEqual(campaign.status, "cancelled")
      assert.deepInclude(canary, { status: "ended", end_reason: "campaign", ended_by: "desk" })
    }))

  it.live("looks at the outcomes once more, and tells listeners of each end in its transaction and after it", () => {
    const heard: Array<string> = []
    const listener = Layer.succeed(CanaryListener, {
      onEnd: ({ canary }) => Effect.sync(() => void heard.push(`ended ${canary.status} ${canary.end_reason}`)),
      onCommit: Effect.sync(() => void heard.push("committed"))
    })
    return Effect.gen(function*() {
      const service = yield* Campaigns
      const { campaign_id } = yield* service.create(scope, campaignBody({ canary: { app_version: 2 } }), "test")
      yield* countFailures(campaign_id)
      const { canary } = yield* service.act(scope, campaign_id, "cancel", "desk")
      assert.deepInclude(canary, { status: "stopped", end_reason: "worse", ended_by: null })
      assert.deepStrictEqual(heard, ["ended stopped worse", "committed"])
      const other = yield* service.create(scope, campaignBody({ canary: { app_version: 2 } }), "test")
      yield* (yield* Canaries).act(scope, other.campaign_id, "promote", "desk")
      assert.deepStrictEqual(heard.slice(2), ["ended promoted request", "committed"])
    }).pipe(
      Effect.provide(campaigns({ people: 0, spoil: listener })),
      (program) => VirtualClock.run(program, { start: mondayMorning })
    )
  })
})

describe("a canary is judged", () => {
  it.live("after the calls of the control, too", () =>
    Effect.gen(function*() {
      const { canary, history } = yield* runCanary({
        seed: 6,
        contacts: 90,
        done: (version) => version === 2 ? 0 : 1,
        seconds: (version) => version === 2 ? 1 : 100,
        canary: { app_version: 2, percent: 50 },
        config: { attempts_per_second: 10 }
      })
      assert.deepInclude(canary, { status: "stopped", end_reason: "worse" })
      const last = Math.max(...history.map(({ result }) => result?.finished_at ?? 0))
      assert.isBelow(canary?.ended_at?.epochMillis ?? Infinity, last)
    }))

  it.live("when its process starts again, without a call", () =>
    Effect.gen(function*() {
      const service = yield* Campaigns
      const body = campaignBody({ canary: { app_version: 2 }, start_timestamp: "2024-05-21T04:30:00Z" })
      const { campaign_id } = yield* service.create(scope, body, "test")
      // A process has counted the last calls, and died before it judged.
      yield* countFailures(campaign_id)
      yield* Effect.forkScoped((yield* CampaignRunner).run)
      yield* BusinessTime.sleep("1 minute")
      const { canary, status } = yield* service.get(scope, campaign_id)
      assert.strictEqual(status, "scheduled")
      assert.deepInclude(canary, { status: "stopped", end_reason: "worse" })
    }).pipe(
      Effect.scoped,
      Effect.provide(campaigns({ people: 0 })),
      (program) => VirtualClock.run(program, { start: mondayMorning })
    ))
})

describe("a variable by which a canary is measured", () => {
  const agents = Layer.succeed(AgentVersions, {
    committed: () => Effect.succeedSome([]),
    isCommitted: () => Effect.succeed(true),
    outputs: (_scope, _agent, version) => Effect.succeed(version === 1 ? ["promise_date"] : ["promise_day", "paid"])
  })
  const settings = (variable: string) =>
    campaignBody({ canary: { app_version: 2, metric: { variable } } }).canary ?? assert.fail()

  it.live("is an output of either version; another one is refused with the nearest one", () =>
    Effect.gen(function*() {
      const service = yield* Campaigns
      const canaries = yield* Canaries
      const created = (variable: string) => service.create(scope, campaignBody({ canary: settings(variable) }), "test")
      yield* created("promise_date")
      yield* created("paid")
      const { issues } = yield* Effect.flip(created("promis_date"))
      assert.deepStrictEqual(issues.map(({ loc, msg }) => [loc.join("."), msg]), [[
        "body.canary.metric.variable",
        `Neither version 1 nor version 2 of the agent has the output variable "promis_date"; did you mean promise_date?`
      ]])
      const { campaign_id } = yield* service.create(scope, campaignBody(), "test")
      const far = yield* Effect.flip(canaries.start(scope, campaign_id, settings("colour"), "desk"))
      assert.include(far.message, "body.metric.variable")
      assert.include(far.message, "known are promise_date, promise_day, paid")
    }).pipe(
      Effect.provide(campaigns({ people: 0, agents })),
      (program) => VirtualClock.run(program, { start: mondayMorning })
    ))
})
