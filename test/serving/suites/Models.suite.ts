import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { type SendOptions, sendRequest } from "../Client.js"
import { refusal, remoteOf } from "../Remote.js"
import { bodyFor, chatV1, chatV2, jsonOf, post, responses, streamed } from "../requests/ModelRequests.js"
import { served, type Way } from "../Ways.js"

/** Body of an exact number of bytes. */
const padded = (bytes: number) => {
  const text = JSON.stringify(bodyFor(responses))
  return text + " ".repeat(bytes - text.length)
}

const largest = 10_485_760

/**
 * Models, chat completions and responses. Raw requests are left where the wire is the subject: requests without a key, names and ends
 * of events, envelopes, methods, and bounds of bodies.
 */
export const modelsSuite = (way: Way) =>
  describe(`models over ${way.name}`, () => {
    const server = served(way)

    describe("the list of models", () => {
      const idsOf = ({ data }: { readonly data: ReadonlyArray<{ readonly id: string }> }) => data.map(({ id }) => id)

      const publicIds = async (version: string) =>
        idsOf((await sendRequest(server, `/${version}/models`, { key: null })).json)

      const modelsOf = (key: string) => remoteOf(server, { key }).trunkline.models

      const lacks = async (work: Promise<unknown>) => {
        const { code, status } = await refusal(work)
        assert.deepStrictEqual([status, code], [404, "not_found_error"])
      }

      it("is public, and with a key contains the models that it may use", async () => {
        const all = ["core-105b", "model-g", "model-v", "model-d"]
        assert.deepStrictEqual(await publicIds("v2"), all)
        assert.deepStrictEqual(idsOf(await modelsOf("sk_test_nobody_knows").list()), all)
        assert.deepStrictEqual(idsOf(await modelsOf(testKeys.beta).list()), all)
        assert.deepStrictEqual(idsOf(await modelsOf(testKeys.narrow).list()), ["core-105b", "model-g"])
      })

      it("has the core models on v1, as clients of chat v1 look for them", async () => {
        const core = ["core-105b", "core-105b-conversations"]
        assert.deepStrictEqual(await publicIds("v1"), core)
        assert.deepStrictEqual(idsOf(await modelsOf("sk_test_nobody_knows").listCore()), core)
        assert.deepStrictEqual(idsOf(await modelsOf(testKeys.narrow).listCore()), ["core-105b"])
        const { json, status } = await sendRequest(server, "/v1/models/core-105b-conversations", { key: null })
        assert.deepStrictEqual([status, json.id, json.object], [200, "core-105b-conversations", "model"])
        const missing = await sendRequest(server, "/v1/models/model-g", { key: null })
        assert.deepStrictEqual([missing.status, missing.json.error.code], [404, "not_found_error"])
        await lacks(modelsOf(testKeys.narrow).getCore("core-105b-conversations"))
      })

      it("returns one model, and 404 for an unknown one", async () => {
        const { json, status } = await sendRequest(server, "/v2/models/model-g", { key: null })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(Object.keys(json), ["id", "object", "created", "owned_by"])
        assert.deepStrictEqual<unknown>(await modelsOf(testKeys.beta).get("model-g"), json)
        for (const id of ["Model-G", "core-105b-conversations"]) {
          const missing = await sendRequest(server, `/v2/models/${id}`, { key: null })
          assert.deepStrictEqual([missing.status, missing.json.error.code], [404, "not_found_error"])
        }
        await lacks(modelsOf(testKeys.narrow).get("model-d"))
      })
    })

    describe("chat", () => {
      const asked = { model: "core-105b", messages: [{ role: "user", content: "Hello" }] } as const

      it("returns a completion with the request id", async () => {
        const { last, trunkline: { chat } } = remoteOf(server, { key: testKeys.beta })
        for (const create of [() => chat.createCore(asked), () => chat.create(asked)]) {
          const { choices, id, object, usage } = await create()
          assert.strictEqual(last().status, 200)
          assert.strictEqual(object, "chat.completion")
          assert.strictEqual(id, last().headers.get("x-request-id"))
          assert.strictEqual(choices[0]?.finish_reason, "stop")
          assert.isNotEmpty(choices[0]?.message.content)
          assert.isDefined(usage)
          assert.strictEqual(usage?.total_tokens, (usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0))
        }
      })

      it("streams the same completion, and ends with [DONE]", async () => {
        const { chat } = remoteOf(server, { key: testKeys.beta }).trunkline
        const whole = (await chat.createCore(asked)).choices[0]?.message.content
        const { events, headers } = await streamed(server, chatV1, bodyFor(chatV1, "Hello", { stream: true }))
        assert.match(headers.get("content-type") ?? "", /^text\/event-stream/)
        assert.strictEqual(headers.get("x-accel-buffering"), "no")
        assert.strictEqual(events.at(-1)?.data, "[DONE]")
        const pieces = events.slice(0, -1).map((event) => jsonOf(event).choices[0].delta.content ?? "")
        assert.strictEqual(pieces.join(""), whole)
        let read = ""
        for await (const { choices } of await chat.createCore({ ...asked, stream: true })) {
          read += choices[0]?.delta.content ?? ""
        }
        assert.strictEqual(read, whole)
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
        const { last, trunkline } = remoteOf(server, { key: testKeys.beta })
        const { id, object, status } = await trunkline.responses.create({ model: "core-105b", input: "Hello" })
        assert.strictEqual(last().status, 200)
        assert.deepStrictEqual([object, status], ["response", "completed"])
        assert.strictEqual(id, last().headers.get("x-request-id"))
      })

      it("are streamed as named events until response.completed", async () => {
        const { events } = await streamed(server, responses, bodyFor(responses, "Hello", { stream: true }))
        assert.deepStrictEqual(events.map(({ name }) => name), events.map((event) => jsonOf(event).type))
        assert.deepStrictEqual(events.map((event) => jsonOf(event).sequence_number), events.map((_, index) => index))
        assert.strictEqual(events[0]?.name, "response.created")
        assert.strictEqual(events.at(-1)?.name, "response.completed")
        const types: Array<string> = []
        const asked = { model: "core-105b", input: "Hello", stream: true } as const
        const { responses: all } = remoteOf(server, { key: testKeys.beta }).trunkline
        for await (const { type } of await all.create(asked)) types.push(type)
        assert.deepStrictEqual<unknown>(types, events.map(({ name }) => name))
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
