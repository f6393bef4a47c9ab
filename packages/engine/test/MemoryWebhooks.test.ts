import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { HttpSender } from "@trunkline/webhooks"
import { Effect, Layer, Logger } from "effect"
import { Engine, type MemoryOptions } from "../src/index.js"
import { agents, campaignBody, connections, mondayMorning, over, scope, upload } from "./Fixtures.js"

const people = "id,name,mobile\n1,Asha,9876543210\n2,Bilal,9876543201\n"

/** Deliveries of a campaign of two calls whose webhooks go to the URL, and the warnings of the engine. */
const deliveries = (url: string, options: Partial<MemoryOptions>) => {
  const warnings: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    if (logLevel._tag === "Warning") warnings.push(String(message))
  })
  return Effect.gen(function*() {
    const { campaigns, webhooks } = yield* Engine
    const { campaign_id } = yield* campaigns.create(scope, campaignBody({ webhook_config: { url } }), "demo")
    yield* upload({ kind: "campaign", id: campaign_id }, people)
    yield* over(campaign_id)
    return { items: (yield* webhooks.list(scope, campaign_id, {})).items, warnings }
  }).pipe(Effect.provide(
    Layer.provide(Engine.layerMemory({ agents, connections, ...options }), Logger.replace(Logger.defaultLogger, logger))
  ))
}

describe("webhooks of an engine in memory", () => {
  virtualTest(
    "are reported as not sent, in one warning and in the delivery history, without a sender",
    () =>
      Effect.gen(function*() {
        const { items, warnings } = yield* deliveries("https://example.com/hook", {})
        assert.deepStrictEqual(items.map(({ status }) => status), ["pending", "pending"])
        for (const { last_error } of items) assert.match(last_error ?? "", /`sender` of Engine\.layerMemory is missing/)
        assert.strictEqual(warnings.length, 1)
        assert.match(warnings[0] ?? "", /HttpSenderGuarded\.layer\(\) of @trunkline\/http-client/)
      }),
    { start: mondayMorning }
  )

  virtualTest("are sent by the sender, to local receivers where the options allow them", () => {
    const urls: Array<string> = []
    const sender = HttpSender.layerOf(({ url }) =>
      Effect.sync(() => {
        urls.push(url)
        return { status: 204, headers: {} }
      })
    )
    return Effect.gen(function*() {
      const url = "http://127.0.0.1:8080/hook"
      const refused = yield* Effect.flip(deliveries(url, { sender }))
      assert.match(refused.message, /https/)
      const { items, warnings } = yield* deliveries(url, { sender, allowInsecureUrls: true })
      assert.deepStrictEqual(items.map(({ status }) => status), ["delivered", "delivered"])
      assert.deepStrictEqual([urls, warnings], [[url, url], []])
    })
  }, { start: mondayMorning })
})
