import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { sendRequest } from "../Client.js"
import { allowance, keyOf } from "../engines/Customers.js"
import { probing } from "../Probe.js"
import { bodyFor, chatV1, chatV2, jsonOf, post, responses, streamed } from "../requests/ModelRequests.js"
import { type Served, served, type Way } from "../Ways.js"

interface Opened {
  readonly response: IncomingMessage
  readonly leave: () => void
}

/** Requests a stream, and returns once its headers have arrived. */
const open = async ({ url }: Pick<Served, "url">, path: string, content: string, stream = true): Promise<Opened> => {
  const asking = request(`${url}${path}`, {
    method: "POST",
    agent: false,
    headers: { "api-subscription-key": testKeys.beta, "content-type": "application/json" }
  }).end(JSON.stringify(bodyFor(path, content, { stream })))
  asking.on("error", () => undefined)
  const [response]: [IncomingMessage] = await once(asking, "response") as [IncomingMessage]
  response.on("error", () => undefined)
  return { response, leave: () => asking.destroy() }
}

/**
 * Checks of requests for chat completions and responses, and their order. Raw HTTP, since its subject is the wire: bodies that no type
 * allows, envelopes, and connections that break.
 */
export const modelChecksSuite = (way: Way) =>
  describe(`checks of model requests over ${way.name}`, () => {
    const probe = probing()

    const server = served(way)

    const probed = served(way, "probed")

    const limited = served(way, "limited")

    it.each([chatV1, chatV2, responses])(
      "use only api-subscription-key if present: %s",
      async (path) => {
        const strange = { authorization: "Bearer not-one-of-ours" }
        assert.strictEqual((await post(server, path, { headers: strange })).status, 200)
        const ours = { authorization: `Bearer ${testKeys.beta}` }
        assert.strictEqual((await post(server, path, { key: null, headers: ours })).status, 200)
        const { json, status } = await post(server, path, { key: "sk_test_main_wrong", headers: ours })
        assert.deepStrictEqual([status, json.error.code], [403, "invalid_api_key_error"])
      }
    )

    it("are checked in order: key, beta access, model, permission, fields, context, credits", async () => {
      const wrong = { temperature: 9 }
      const long = "word ".repeat(40_000)
      const cases: ReadonlyArray<readonly [string | null, string, string, Record<string, unknown>, number, string]> = [
        [null, chatV2, "nobody", wrong, 403, "invalid_api_key_error"],
        [testKeys.main, chatV2, "nobody", wrong, 400, "invalid_request_error"],
        [testKeys.narrow, chatV2, "nobody", wrong, 404, "not_found_error"],
        [testKeys.narrow, responses, "model-d", wrong, 403, "authentication_error"],
        [testKeys.narrow, responses, "model-g", wrong, 400, "invalid_request_error"],
        [testKeys.prepaid, chatV1, "core-105b-conversations", {}, 400, "invalid_request_error"],
        [testKeys.prepaid, responses, "model-g", { max_output_tokens: 1_048_577 }, 400, "invalid_request_error"],
        [testKeys.prepaid, responses, "model-g", { max_output_tokens: 900_000 }, 429, "insufficient_quota_error"]
      ]
      for (const [key, path, model, change, status, code] of cases) {
        const answer = await post(server, path, { key, body: bodyFor(path, long, { model, ...change }) })
        assert.deepStrictEqual([answer.status, answer.json.error.code], [status, code], answer.text)
      }
    })

    describe.each([chatV1, chatV2, responses])("%s", (path) => {
      it("stops the model when the client disconnects during a stream", async () => {
        const { leave, response } = await open(probed, path, "say one word")
        await once(response, "data")
        leave()
        await probe.reported("model stopped")
      })

      it("stops the model when the client disconnects before the first token, streamed or not", async () => {
        for (const [index, stream] of [true, false].entries()) {
          const giveUp = new AbortController()
          const asking = fetch(`${probed.url}${path}`, {
            method: "POST",
            headers: { "api-subscription-key": testKeys.beta, "content-type": "application/json" },
            body: JSON.stringify(bodyFor(path, "say nothing", { stream })),
            signal: giveUp.signal
          }).catch(() => undefined)
          await probe.reported("model begun", index + 1)
          giveUp.abort()
          await asking
          await probe.reported("model stopped", index + 1)
        }
      })

      it("sends each token as it arrives", async () => {
        const { response } = await open(probed, path, "go on")
        let text = ""
        response.setEncoding("utf8").on("data", (piece) => text += piece)
        while (!text.includes("first")) await once(response, "data")
        assert.notInclude(text, "second")
        probe.open("word")
        await once(response, "end")
        assert.include(text, "second")
      })

      it("applies backpressure to the model", async () => {
        const { leave, response } = await open(probed, path, "flood")
        response.pause()
        const sent = async () => (await sendRequest(probed, "/health")).json.calls
        let before = -1
        for (let alike = 0, now = await sent(); alike < 20; now = await sent()) {
          alike = now === before ? alike + 1 : 0
          before = now
        }
        leave()
        await probe.reported("model stopped")
      })

      it("reports a failure during a stream, without details", async () => {
        const { events } = await streamed(probed, path, bodyFor(path, "break", { stream: true }))
        const text = JSON.stringify(events)
        assert.include(text, "internal_server_error")
        assert.notInclude(text, "secret")
        if (path === responses) {
          assert.strictEqual(events.at(-1)?.name, "response.failed")
        } else {
          assert.strictEqual(events.at(-1)?.data, "[DONE]")
          assert.strictEqual(jsonOf(events.at(-2) ?? assert.fail()).error.code, "internal_server_error")
        }
      })

      it("counts against the rate limit of the requested model", async () => {
        const key = keyOf("models", "main")
        const isOther = path === chatV1
        const sendRequest = (model: string) => post(limited, path, { key, body: bodyFor(path, "Hello", { model }) })
        const first = path === chatV2 ? "model-d" : isOther ? "core-105b" : "model-g"
        for (let spentCount = 0; spentCount < allowance; spentCount++) {
          assert.strictEqual((await sendRequest(first)).status, 200)
        }
        const refused = await sendRequest(first)
        assert.deepStrictEqual([refused.status, refused.json.error.code], [429, "rate_limit_exceeded_error"])
        assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
        if (path === responses) {
          assert.strictEqual((await sendRequest("core-105b")).status, 200)
        }
      })

      it("charges credits, and rejects requests without enough of them", async () => {
        const key = testKeys.prepaid
        const limit = path === responses ? "max_output_tokens" : "max_tokens"
        const dear = await post(server, path, { key, body: bodyFor(path, "Hello", { [limit]: 50_000 }) })
        assert.deepStrictEqual([dear.status, dear.json.error.code], [429, "insufficient_quota_error"])
        const cheap = await post(server, path, { key, body: bodyFor(path, "Hello", { [limit]: 100 }) })
        assert.strictEqual(cheap.status, 200, cheap.text)
      })
    })
  })
