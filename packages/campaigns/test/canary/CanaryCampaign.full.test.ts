import { assert, describe, it } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { Effect } from "effect"
import { Campaigns, Canaries } from "../../src/index.js"
import { campaignBody, scope } from "../Fixtures.js"
import { runCanary } from "./CanaryCampaign.js"

const good = () => 0.9
const faulty = (version: number) => version === 2 ? 0.1 : 0.9

describe("a canary of a campaign", () => {
  it.live("stops itself when its version is worse, and all further contacts get the campaign's version", () =>
    Effect.gen(function*() {
      const { campaign, canary, counts, history, progress } = yield* runCanary({
        seed: 1,
        contacts: 220,
        done: faulty,
        canary: { app_version: 2, percent: 40 },
        config: { attempts_per_second: 2 }
      })
      assert.deepInclude(canary, { status: "stopped", end_reason: "worse", ended_by: null, number: 1 })
      assert.strictEqual(campaign.app_config.app_version, 1)
      const at = canary?.ended_at?.epochMillis ?? 0
      const later = history.filter(({ attempted_at }) => attempted_at > at)
      assert.isAbove(later.length, 20)
      assert.isTrue(later.every(({ app_version, canary }) => app_version === 1 && canary === undefined))
      assert.lengthOf(history, 220)
      const marked = history.filter((one) => one.canary !== undefined).length
      assert.strictEqual(counts.canary.conversations + counts.control.conversations, marked)
      assert.deepInclude(progress.canary, { status: "stopped", end_reason: "worse", percent: 40, stops_at: 100 })
      assert.isAtLeast(progress.canary?.evidence ?? 0, 100)
    }))

  it.live("runs through when its version is as good, though its calls take twice as long", () =>
    Effect.gen(function*() {
      const seconds = (version: number) => version === 2 ? 40 : 20
      const { canary, counts, history } = yield* runCanary({ seed: 2, contacts: 150, done: good, seconds })
      assert.deepInclude(canary, { status: "ended", end_reason: "campaign" })
      for (const { app_version, canary } of history) assert.strictEqual(app_version, canary?.arm === "canary" ? 2 : 1)
      assert.strictEqual(counts.canary.conversations + counts.control.conversations, 150)
      assert.approximately(counts.canary.conversations, 30, 15)
    }))

  it.live("keeps the version of a contact in retries, and counts each contact once", () =>
    Effect.gen(function*() {
      const retry_config = { max_retries: 2, retry_interval_minutes: 1 }
      const { counts, history } = yield* runCanary({
        seed: 3,
        contacts: 40,
        done: () => 0.5,
        config: { retry_config },
        canary: { app_version: 2, percent: 50 },
        report: (_, isDone) => ({ business_retry: !isDone })
      })
      assert.isAbove(history.length, 50)
      const arms = new Map(history.map((one) => [one.user_phone_number, one.canary?.arm]))
      for (const one of history) assert.strictEqual(one.canary?.arm, arms.get(one.user_phone_number))
      assert.strictEqual(counts.canary.conversations + counts.control.conversations, 40)
    }))

  it.live("counts by an output variable, faults of the agent as failures, and no call that was cut off", () =>
    Effect.gen(function*() {
      const metric = { variable: "paid", values: [true], better: "less" }
      const { counts } = yield* runCanary({
        seed: 4,
        contacts: 30,
        done: () => 1,
        canary: { app_version: 2, percent: 50, metric },
        report: (version) => version === 2 ? { fault: "The model is away" } : { output_agent_variables: {} }
      })
      assert.strictEqual(counts.canary.successes, 0)
      assert.isAbove(counts.canary.conversations, 5)
      assert.strictEqual(counts.control.successes, counts.control.conversations)
    }))
})

describe("a request about a canary", () => {
  it.live("ends it once, and a promoted version becomes that of the campaign", () =>
    Effect.gen(function*() {
      const refusals: Array<string> = []
      const { campaign, canary, history } = yield* runCanary({
        seed: 5,
        contacts: 60,
        done: good,
        canary: null,
        config: { attempts_per_second: 1 },
        during: (id) =>
          Effect.gen(function*() {
            const canaries = yield* Canaries
            const campaigns = yield* Campaigns
            const refused = <A>(request: Effect.Effect<A, { readonly message: string }>) =>
              Effect.map(Effect.flip(request), ({ message }) => void refusals.push(message))
            const settings = { ...campaignBody({ canary: { app_version: 2 } }).canary ?? assert.fail(), percent: 50 }
            yield* BusinessTime.sleep("10 seconds")
            yield* refused(canaries.act(scope, id, "stop", "desk"))
            yield* refused(canaries.start(scope, id, { ...settings, app_version: 1 }, "desk"))
            yield* canaries.start(scope, id, settings, "desk")
            yield* refused(canaries.start(scope, id, settings, "desk"))
            yield* BusinessTime.sleep("10 seconds")
            yield* campaigns.act(scope, id, "pause", "desk")
            const { app_config } = campaignBody({}, { app_version: 3 })
            yield* refused(campaigns.patch(scope, id, { app_config }, "desk"))
            yield* campaigns.act(scope, id, "resume", "desk")
            assert.deepInclude(yield* canaries.act(scope, id, "stop", "desk"), { status: "stopped", ended_by: "desk" })
            yield* refused(canaries.act(scope, id, "stop", "desk"))
            yield* canaries.start(scope, id, settings, "desk")
            yield* canaries.act(scope, id, "promote", "desk")
          })
      })
      assert.lengthOf(refusals, 5)
      for (
        const [index, part] of ["no canary", "another version", "runs", "stop or promote", "already stopped"].entries()
      ) {
        assert.include(refusals[index], part)
      }
      assert.deepInclude(canary, { number: 2, status: "promoted", end_reason: "request" })
      assert.strictEqual(campaign.app_config.app_version, 2)
      assert.strictEqual(history.toSorted((a, b) => a.attempted_at - b.attempted_at).at(-1)?.app_version, 2)
    }))

  it("is refused for a percentage that leaves an arm empty", () => {
    for (const percent of [0, -1, 100, 101, Number.NaN]) {
      assert.throws(() => campaignBody({ canary: { app_version: 2, percent } }), /percent/)
    }
    for (const alpha of [0, 0.5, 1]) assert.throws(() => campaignBody({ canary: { app_version: 2, alpha } }), /alpha/)
  })
})
