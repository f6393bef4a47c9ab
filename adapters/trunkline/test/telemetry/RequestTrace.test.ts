import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { openai } from "trunkline"
import { attributesOf, startCollector } from "../../../../test/setup/Collector.js"
import { withTrunkline } from "../Fixtures.js"
import { sendCompletion, startServer } from "./ModelServer.js"

const key = "sk_test_main_00000000000000000000"

const access = {
  accounts: [{ account_id: "main", plan: "business" as const }],
  workspaces: [{ org_id: "main", workspace_id: "main", account_id: "main" }],
  keys: [{ key, account_id: "main" }]
}

const frame = (delta: Readonly<Record<string, unknown>>, finish_reason: string | null = null) =>
  `data: ${
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "small",
      choices: [{ index: 0, delta, finish_reason }]
    })
  }\n\n`

describe("the trace of a request", () => {
  for (const [kind, stream] of [["whole", false], ["streamed", true]] as const) {
    it.scopedLive(`continues that of its client, to the server of the model: ${kind} answers`, () =>
      Effect.gen(function*() {
        const collector = yield* startCollector()
        const model = yield* startServer((_, response) => {
          if (!stream) return sendCompletion(response, { text: "Good day." })
          response.writeHead(200, { "content-type": "text/event-stream" })
          response.end(`${frame({ content: "Good day." })}${frame({}, "stop")}data: [DONE]\n\n`)
        })
        const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        const response = yield* Effect.promise(() =>
          withTrunkline({
            access,
            model: openai({ baseUrl: `${model.url}/v1`, model: "small" }),
            telemetry: { endpoint: collector.endpoint, sampling: 0 }
          }, async (trunkline) => {
            const { url } = await trunkline.listen({ port: 0 })
            const answered = await fetch(`${url}/v1/chat/completions`, {
              method: "POST",
              headers: {
                "api-subscription-key": key,
                "content-type": "application/json",
                traceparent: `00-${trace}-00f067aa0ba902b7-01`
              },
              body: JSON.stringify({ model: "core-105b", stream, messages: [{ role: "user", content: "Hello" }] })
            })
            return { id: answered.headers.get("x-request-id"), text: await answered.text() }
          })
        )
        assert.include(response.text, "Good day.")
        const spans = collector.spans.filter(({ traceId }) => traceId === trace)
        const request = spans.find(({ name }) => name === "POST /v1/chat/completions")
        const chat = spans.find(({ name }) => name === "chat core-105b")
        assert.strictEqual(request?.parentSpanId, "00f067aa0ba902b7")
        assert.include(attributesOf(request), { "http.route": "/v1/chat/completions" })
        assert.strictEqual(attributesOf(request)["trunkline.request_id"], response.id)
        assert.strictEqual(chat?.parentSpanId, request?.spanId)
        assert.deepStrictEqual(model.received.map(({ headers }) => headers["traceparent"]), [
          `00-${trace}-${chat?.spanId}-01`
        ])
      }))
  }
})
