import { roleNames } from "@trunkline/engine"
import { type RunningServer, serve } from "@trunkline/node-http"
import { Either } from "effect"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { json } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { engineOf } from "../../../src/server/EngineOf.js"
import { readConfig } from "../../../src/server/ServerConfig.js"

const key = "sk_test_suite_aSecretOfTheTestSuite"

const read = (settings: object) =>
  readConfig(JSON.stringify({
    accounts: [{ account_id: "acme" }],
    workspaces: [{ org_id: "acme", workspace_id: "main", account_id: "acme" }],
    keys: [{ key, account_id: "acme", features: ["beta"] }],
    ...settings
  }))

const problemsOf = async (settings: object) => Either.getOrThrow(Either.flip(await read(settings)))

const model = { kind: "openai-compatible", base_url: "http://127.0.0.1:9/v1" }
const thinkingOff = { thinking: { type: "disabled" } }

describe("the models of a configuration file", () => {
  const values: Array<unknown> = []
  const closing: Array<() => unknown> = []
  let serving: RunningServer

  /** A model's server that keeps what it was asked. */
  const upstream = async (): Promise<Server> => {
    const server = createServer(async (request, response) => {
      values.push(await json(request))
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] }))
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    return server
  }

  beforeAll(async () => {
    const server = await upstream()
    closing.push(() => server.close())
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const config = Either.getOrThrow(
      await read({
        model: { ...model, base_url: `http://127.0.0.1:${port}/v1`, no_thinking: thinkingOff },
        responses: { text_without_format: "plain" },
        limits: { enabled: false }
      })
    )
    serving = await serve(
      engineOf(config, {
        data: ":memory:",
        database: null,
        files: null,
        redis: null,
        roles: roleNames,
        secret: null,
        lease: "30 seconds"
      }),
      {
        port: 0
      }
    )
    closing.push(() => serving.close())
  })
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  })

  const post = (path: string, body: object) =>
    fetch(serving.url + path, {
      method: "POST",
      headers: { "api-subscription-key": key, "content-type": "application/json" },
      body: JSON.stringify({ model: "core-105b", ...body })
    })

  it("do not reason with the fields of no_thinking", async () => {
    const messages = [{ role: "user", content: "Hello" }]
    assert.strictEqual((await post("/v1/chat/completions", { messages, reasoning_effort: null })).status, 200)
    assert.deepInclude(values.at(-1), thinkingOff)
    assert.strictEqual((await post("/v1/chat/completions", { messages })).status, 200)
    assert.notProperty(values.at(-1), "thinking")
  })

  it("accept text without a format on responses if text_without_format is plain", async () => {
    assert.strictEqual((await post("/v2/responses", { input: "Hello", text: {} })).status, 200)
  })

  it("are rejected with invalid settings, each with its path", async () => {
    assert.isTrue(Either.isRight(await read({ model: { ...model, no_thinking: null } })))
    assert.deepStrictEqual(await problemsOf({ model: { ...model, no_thinking: "yes" } }), [
      "model.no_thinking: Must be an object or null"
    ])
    assert.deepStrictEqual(await problemsOf({ responses: { text_without_format: "any" } }), [
      "responses.text_without_format: Must be \"refused\" or \"plain\""
    ])
  })
})
