import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { AgentVersions, type Attempt } from "@trunkline/telephony"
import { Effect, Layer, Schema } from "effect"
import { CampaignContacts, Campaigns, PatchCampaign } from "../../src/index.js"
import { campaignBody, campaigns, mondayMorning, numberOf, over, scope } from "../Fixtures.js"
import { created, running, start } from "./GatedFixtures.js"

/** Agent versions that run `meanwhile` when they are looked up, right before each claim. */
const asked = (meanwhile: () => Effect.Effect<unknown>, committed = () => true) =>
  Layer.succeed(AgentVersions, {
    committed: () => Effect.succeedSome([]),
    outputs: () => Effect.succeed(null),
    isCommitted: () => Effect.map(Effect.ignore(meanwhile()), committed)
  })

describe("the next claim", () => {
  const inside = (history: Array<Attempt>, agents: Layer.Layer<AgentVersions>, people = 20) =>
    Effect.provide(campaigns({ people, history, agents }))

  virtualTest("respects a pause after the look at the campaign", () => {
    const history: Array<Attempt> = []
    let pause: Effect.Effect<unknown> = Effect.void
    return Effect.gen(function*() {
      yield* running
      const service = yield* Campaigns
      const { campaign_id } = yield* created({ attempts_per_second: 1 })
      yield* BusinessTime.sleep("4500 millis")
      pause = Effect.ignore(service.act(scope, campaign_id, "pause", "demo"))
      yield* BusinessTime.sleep("1 hour")
      assert.strictEqual(history.length, 5)
      pause = Effect.void
      yield* service.act(scope, campaign_id, "resume", "demo")
      yield* over(campaign_id)
      assert.strictEqual(history.length, 20)
    }).pipe(inside(history, asked(() => pause)))
  }, start)

  virtualTest("respects a change of agent, lines and rate", () => {
    const history: Array<Attempt> = []
    let change: Effect.Effect<unknown> = Effect.void
    const patch = Schema.decodeUnknownSync(PatchCampaign)({
      app_config: {
        app_id: "collections",
        app_version: 2,
        attempts_per_second: 0.5,
        connection_configs: [{ connection_id: "sim-2", phone_numbers: ["+911140000003"] }]
      }
    })
    return Effect.gen(function*() {
      yield* running
      const service = yield* Campaigns
      const { campaign_id } = yield* created({ attempts_per_second: 1 })
      yield* BusinessTime.sleep("4500 millis")
      change = Effect.ignore(Effect.gen(function*() {
        change = Effect.void
        yield* service.act(scope, campaign_id, "pause", "demo")
        yield* service.patch(scope, campaign_id, patch, "demo")
        yield* service.act(scope, campaign_id, "resume", "demo")
      }))
      yield* over(campaign_id)
      const dialled = history.toSorted((a, b) => a.attempted_at - b.attempted_at)
      const after = dialled.slice(5)
      assert.isTrue(dialled.slice(0, 5).every(({ app_version }) => app_version === 1))
      assert.isTrue(after.every(({ app_version, connection_id }) => app_version === 2 && connection_id === "sim-2"))
      assert.deepStrictEqual(
        after.slice(0, 3).map(({ attempted_at }) => attempted_at - mondayMorning),
        [6_000, 8_000, 10_000]
      )
    }).pipe(inside(history, asked(() => change)))
  }, start)

  virtualTest("respects a change of the window", () => {
    const history: Array<Attempt> = []
    let change: Effect.Effect<unknown> = Effect.void
    const allowed_schedule = { ...campaignBody().allowed_schedule, allowed_start_time: "11:00" }
    return Effect.gen(function*() {
      yield* running
      const service = yield* Campaigns
      const { campaign_id } = yield* created({ attempts_per_second: 1 })
      yield* BusinessTime.sleep("4500 millis")
      change = Effect.ignore(Effect.gen(function*() {
        change = Effect.void
        yield* service.act(scope, campaign_id, "pause", "demo")
        yield* service.patch(scope, campaign_id, { allowed_schedule }, "demo")
        yield* service.act(scope, campaign_id, "resume", "demo")
      }))
      yield* over(campaign_id)
      const dialled = history.map(({ attempted_at }) => attempted_at - mondayMorning).toSorted((a, b) => a - b)
      assert.deepStrictEqual(dialled.slice(4, 6), [4_000, 3_600_000])
    }).pipe(inside(history, asked(() => change)))
  }, start)

  virtualTest("waits while the agent's version is not committed", () => {
    const history: Array<Attempt> = []
    let committed = true
    return Effect.gen(function*() {
      yield* running
      const { campaign_id } = yield* created({ attempts_per_second: 1 })
      yield* BusinessTime.sleep("2500 millis")
      committed = false
      yield* BusinessTime.sleep("1 hour")
      assert.strictEqual(history.length, 3)
      const contact = yield* (yield* CampaignContacts).find(scope, campaign_id, numberOf(9))
      assert.strictEqual(contact.decision.reason, "agent_version")
      committed = true
      yield* over(campaign_id)
      assert.strictEqual(history.length, 20)
    }).pipe(inside(history, asked(() => Effect.void, () => committed)))
  }, start)
})
