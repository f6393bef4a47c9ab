import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { type Json, type SendOptions, sendRequest } from "../Client.js"
import { allowance, keyOf } from "../engines/Customers.js"
import { probing } from "../Probe.js"
import { type Served, served, type Way } from "../Ways.js"

const chatV1 = "/v1/chat/completions"
const chatV2 = "/v2/chat/completions"
const responses = "/v2/responses"

const said = (content: string) => [{ role: "user", content }]

/** Body of a route with a prompt. */
const bodyFor = (path: string, content = "Hello", change: Record<string, unknown> = {}) => ({
  model: "core-105b",
  ...(path === responses ? { input: content } : { messages: said(content) }),
  ...change
})

const post = (
  server: Pick<Served, "url">,
  path: string,
  { body = bodyFor(path), key = testKeys.beta, ...rest }: SendOptions = {}
) => sendRequest(server, path, { method: "POST", body, key, ...rest })

/** Parses streamed events to their names and data. */
interface Event {
  readonly name: string | undefined
  readonly data: string
}

const eventsOf = (text: string): ReadonlyArray<Event> =>
  text.split("\n\n").filter((frame) => frame.includes("data: ")).map((frame) => ({
    name: /^event: (.*)$/m.exec(frame)?.[1],
    data: /^data: (.*)$/m.exec(frame)?.[1] ?? ""
  }))

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

const streamed = async (server: Pick<Served, "url">, path: string, body: unknown, key: string = testKeys.beta) => {
  const response = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "api-subscription-key": key, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  assert.strictEqual(response.status, 200)
  assert.match(response.headers.get("x-request-id") ?? "", /^\d{8}_[0-9a-f-]{36}$/)
  return { headers: response.headers, events: eventsOf(await response.text()) }
}

const jsonOf = ({ data }: Event): Json => JSON.parse(data)

/** Body of an exact number of bytes. */
const padded = (bytes: number) => {
  const text = JSON.stringify(bodyFor(responses))
  return text + " ".repeat(bytes - text.length)
}

const largest = 10_485_760

/** Models, chat completions and responses over HTTP. */
export const modelsSuite = (way: Way) =>
  describe(`models over ${way.name}`, () => {
    const probe = probing()
    const server = served(way)
    const probed = served(way, "probed")
    const limited = served(way, "limited")

    describe("the list of models", () => {
      const idsFor = async (key: string | null) =>
        (await sendRequest(server, "/v2/models", { key })).json.data.map(({ id }: { readonly id: string }) => id)

      it("is public, and with a key contains the models that it may use", async () => {
        const all = ["core-105b", "model-g", "model-v", "model-d"]
        assert.deepStrictEqual(await idsFor(null), all)
        assert.deepStrictEqual(await idsFor("sk_test_nobody_knows"), all)
        assert.deepStrictEqual(await idsFor(testKeys.beta), all)
        assert.deepStrictEqual(await idsFor(testKeys.narrow), ["core-105b", "model-g"])
      })

      it("returns one model, and 404 for an unknown one", async () => {
        const { json, status } = await sendRequest(server, "/v2/models/model-g", { key: null })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(Object.keys(json), ["id", "object", "created", "owned_by"])
        for (const [id, key] of [["Model-G", null], ["model-d", testKeys.narrow], ["core-105b-conversations", null]]) {
          const missing = await sendRequest(server, `/v2/models/${id}`, { key: key ?? null })
          assert.deepStrictEqual([missing.status, missing.json.error.code], [404, "not_found_error"])
        }
      })
    })

    describe("chat", () => {
      it("returns a completion with the request id", async () => {
        for (const path of [chatV1, chatV2]) {
          const { headers, json, status, text } = await post(server, path)
          assert.strictEqual(status, 200, text)
          assert.strictEqual(json.object, "chat.completion")
          assert.strictEqual(json.id, headers.get("x-request-id"))
          assert.strictEqual(json.choices[0].finish_reason, "stop")
          assert.isNotEmpty(json.choices[0].message.content)
          assert.strictEqual(json.usage.total_tokens, json.usage.prompt_tokens + json.usage.completion_tokens)
        }
      })

      it("streams the same completion, and ends with [DONE]", async () => {
        const whole = (await post(server, chatV1)).json.choices[0].message.content
        const { events, headers } = await streamed(server, chatV1, bodyFor(chatV1, "Hello", { stream: true }))
        assert.match(headers.get("content-type") ?? "", /^text\/event-stream/)
        assert.strictEqual(headers.get("x-accel-buffering"), "no")
        assert.strictEqual(events.at(-1)?.data, "[DONE]")
        const pieces = events.slice(0, -1).map((event) => jsonOf(event).choices[0].delta.content ?? "")
        assert.strictEqual(pieces.join(""), whole)
      })

      it("rejects invalid requests in its envelope", async () => {
        const cases: ReadonlyArray<readonly [string, SendOptions, number, string]> = [
          [chatV1, { key: null }, 403, "invalid_api_key_error"],
          [chatV1, { body: bodyFor(chatV1, "", { model: "model-g" }) }, 404, "not_found_error"],
          [chatV2, { body: bodyFor(chatV2, "", { model: "core-105b-conversations" }) }, 404, "not_found_error"],
          [chatV2, { key: testKeys.main }, 400, "invalid_request_error"],
          [
            chatV2,
            { key: testKeys.narrow, body: bodyFor(chatV2, "", { model: "model-d" }) },
            403,
            "authentication_error"
          ],
          [chatV1, { body: bodyFor(chatV1, "", { temperature: 3 }) }, 400, "invalid_request_error"],
          [chatV1, { headers: { "content-type": "text/plain" }, body: "{}" }, 415, "invalid_request_error"]
        ]
        const compressed = { headers: { "content-encoding": "gzip" }, body: "{}" }
        const unread: typeof cases = [
          [chatV1, { body: "{" }, 400, "invalid_request_error"],
          [chatV1, compressed, 415, "invalid_request_error"]
        ]
        for (const [path, sending, status, code] of way.host?.parsesJson === true ? cases : [...cases, ...unread]) {
          const answer = await post(server, path, sending)
          assert.strictEqual(answer.status, status, answer.text)
          assert.deepStrictEqual(Object.keys(answer.json), ["error"])
          assert.strictEqual(answer.json.error.code, code)
          assert.strictEqual(answer.json.error.request_id, answer.headers.get("x-request-id"))
          assert.deepStrictEqual([typeof answer.json.error.type, typeof answer.json.error.param], ["string", "string"])
        }
      })
    })

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

    describe("responses", () => {
      it("are created with the request id", async () => {
        const { headers, json, status, text } = await post(server, responses)
        assert.strictEqual(status, 200, text)
        assert.strictEqual(json.object, "response")
        assert.strictEqual(json.status, "completed")
        assert.strictEqual(json.id, headers.get("x-request-id"))
      })

      it("are streamed as named events until response.completed", async () => {
        const { events } = await streamed(server, responses, bodyFor(responses, "Hello", { stream: true }))
        assert.deepStrictEqual(events.map(({ name }) => name), events.map((event) => jsonOf(event).type))
        assert.deepStrictEqual(events.map((event) => jsonOf(event).sequence_number), events.map((_, index) => index))
        assert.strictEqual(events[0]?.name, "response.created")
        assert.strictEqual(events.at(-1)?.name, "response.completed")
      })

      it("are not stored: lookups fail, and other methods are not allowed", async () => {
        const { json } = await post(server, responses)
        const kept = await sendRequest(server, `${responses}/${json.id}`, { key: testKeys.beta })
        assert.deepStrictEqual([kept.status, kept.json.error.code], [404, "not_found_error"])
        assert.strictEqual((await sendRequest(server, `${responses}/any`, { key: null })).status, 403)
        const refusals = [["GET", responses, "POST"], ["PUT", responses, "POST"], [
          "DELETE",
          `${responses}/any`,
          "GET, HEAD"
        ]]
        for (const [method = "", path = "", allow] of refusals) {
          const refused = await sendRequest(server, path, { method, key: testKeys.beta })
          assert.strictEqual(refused.status, 405)
          assert.strictEqual(refused.headers.get("allow"), allow)
          assert.strictEqual(refused.json.error.code, "invalid_request_error")
        }
      })

      it.runIf(way.host?.parsesJson !== true)(
        "accept exactly the largest body, also in chunks",
        async () => {
          const chunked = (text: string) =>
            new ReadableStream({
              start: (controller) => {
                const bytes = new TextEncoder().encode(text)
                for (let at = 0; at < bytes.length; at += 1_000_000) {
                  controller.enqueue(bytes.subarray(at, at + 1_000_000))
                }
                controller.close()
              }
            })
          for (const body of [padded(largest), chunked(padded(largest))]) {
            assert.strictEqual((await post(server, responses, { body })).status, 200)
          }
          for (const body of [padded(largest + 1), chunked(padded(largest + 1))]) {
            const { json, status } = await post(server, responses, { body })
            assert.strictEqual(status, 413)
            assert.strictEqual(json.error.code, "invalid_request_error")
          }
        }
      )
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
        for (let spent = 0; spent < allowance; spent++) assert.strictEqual((await sendRequest(first)).status, 200)
        const refused = await sendRequest(first)
        assert.deepStrictEqual([refused.status, refused.json.error.code], [429, "rate_limit_exceeded_error"])
        assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
        if (path === responses) assert.strictEqual((await sendRequest("core-105b")).status, 200)
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
