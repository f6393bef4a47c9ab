import { assert, describe } from "@effect/vitest"
import { CanarySettings } from "@trunkline/campaigns"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { HttpSender } from "@trunkline/webhooks"
import { Effect, Schema } from "effect"
import { Engine, type MemoryOptions } from "../../src/index.js"
import { campaignBody, connections, mondayMorning, scope } from "../Fixtures.js"

const agents: MemoryOptions["agents"] = [{
  app_id: "collections",
  versions: [
    { app_version: 1, committed: true, output_variables: [{ name: "promise_date" }] },
    { app_version: 2, committed: true }
  ]
}]

const settings = Schema.decodeUnknownSync(CanarySettings)

/** An engine whose webhooks are written down. */
const engine = (bodies: Array<{ readonly id: string; readonly body: unknown }>) =>
  Engine.layerMemory({
    agents,
    connections,
    sender: HttpSender.layerOf(({ body, headers }) =>
      Effect.sync(() => {
        bodies.push({ id: String(headers["webhook-id"]), body: JSON.parse(new TextDecoder().decode(body)) })
        return { status: 204, headers: {} }
      })
    )
  })

describe("the end of a canary", () => {
  virtualTest("is a webhook of its campaign, which is listed and resent like the others", () => {
    const bodies: Array<{ readonly id: string; readonly body: unknown }> = []
    return Effect.gen(function*() {
      const { campaigns, canaries, webhooks } = yield* Engine
      const webhook_config = { url: "https://example.com/hook", metadata: { team: "may" } }
      const body = campaignBody({ webhook_config })
      const { campaign_id } = yield* campaigns.create(scope, { ...body, canary: settings({ app_version: 2 }) }, "demo")
      yield* canaries.act(scope, campaign_id, "stop", "demo")
      yield* BusinessTime.sleep("1 minute")
      assert.lengthOf(bodies, 1)
      const counts = { conversations: 0, successes: 0 }
      assert.deepInclude(bodies[0]?.body, {
        type: "canary.ended",
        campaign_id,
        number: 1,
        app_version: 2,
        control_version: 1,
        status: "stopped",
        end_reason: "request",
        control: counts,
        canary: counts,
        metadata: { team: "may" }
      })
      const { items } = yield* webhooks.list(scope, campaign_id, {})
      assert.deepStrictEqual(items.map(({ status }) => status), ["delivered"])
      const attempt_ids = items.map(({ attempt_id }) => attempt_id)
      assert.deepStrictEqual(bodies.map(({ id }) => id), attempt_ids.map((id) => `att_${id}`))
      yield* webhooks.resend(scope, campaign_id, attempt_ids)
      yield* BusinessTime.sleep("1 minute")
      assert.deepStrictEqual(bodies[1], bodies[0])
    }).pipe(Effect.provide(engine(bodies)))
  }, { start: mondayMorning })

  virtualTest("knows the variables of the agent by which it is measured", () =>
    Effect.gen(function*() {
      const { campaigns } = yield* Engine
      const created = (variable: string) =>
        campaigns.create(
          scope,
          { ...campaignBody(), canary: settings({ app_version: 2, metric: { variable } }) },
          "demo"
        )
      yield* created("promise_date")
      assert.include((yield* Effect.flip(created("promised_date"))).message, "did you mean promise_date?")
    }).pipe(Effect.provide(engine([]))), { start: mondayMorning })
})
