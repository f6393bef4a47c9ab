import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { type SendOptions, sendRequest } from "../Client.js"
import { bodyFor, chatV1, chatV2, jsonOf, post, responses, streamed } from "../requests/ModelRequests.js"
import { served, type Way } from "../Ways.js"

/** Body of an exact number of bytes. */
const padded = (bytes: number) => {
  const text = JSON.stringify(bodyFor(responses))
  return text + " ".repeat(bytes - text.length)
}

const largest = 10_485_760

/** Models, chat completions and responses over HTTP. */
export const modelsSuite = (way: Way) =>
  describe(`models over ${way.name}`, () => {
    const server = served(way)

    describe("the list of models", () => {
      const idsFor = async (key: string | null, version = "v2") =>
        (await sendRequest(server, `/${version}/models`, { key })).json.data.map(({ id }: { readonly id: string }) =>
          id
        )

      it("is public, and with a key contains the models that it may use", async () => {
        const all = ["core-105b", "model-g", "model-v", "model-d"]
        assert.deepStrictEqual(await idsFor(null), all)
        assert.deepStrictEqual(await idsFor("sk_test_nobody_knows"), all)
        assert.deepStrictEqual(await idsFor(testKeys.beta), all)
        assert.deepStrictEqual(await idsFor(testKeys.narrow), ["core-105b", "model-g"])
      })

      it("has the core models on v1, as clients of chat v1 look for them", async () => {
        const core = ["core-105b", "core-105b-conversations"]
        assert.deepStrictEqual(await idsFor(null, "v1"), core)
        assert.deepStrictEqual(await idsFor("sk_test_nobody_knows", "v1"), core)
        assert.deepStrictEqual(await idsFor(testKeys.narrow, "v1"), ["core-105b"])
        const { json, status } = await sendRequest(server, "/v1/models/core-105b-conversations", { key: null })
        assert.deepStrictEqual([status, json.id, json.object], [200, "core-105b-conversations", "model"])
        for (const [id, key] of [["model-g", null], ["core-105b-conversations", testKeys.narrow]]) {
          const missing = await sendRequest(server, `/v1/models/${id}`, { key: key ?? null })
          assert.deepStrictEqual([missing.status, missing.json.error.code], [404, "not_found_error"])
        }
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
  })
