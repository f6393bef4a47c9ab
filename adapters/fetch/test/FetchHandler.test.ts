import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type FetchHandler, toFetchHandler } from "@trunkline/fetch"
import { testEngine, testKeys } from "@trunkline/http-api/testing"
import { Layer, Logger } from "effect"

const deployments = "/v1/orgs/acme/workspaces/main/deployments"

describe("a fetch handler under a prefix", () => {
  const lines: Array<string> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
  )
  let handler: FetchHandler

  beforeAll(async () => {
    handler = await toFetchHandler(Layer.provideMerge(testEngine, logger), { prefix: "voice/" })
  })
  afterAll(() => handler.close())

  const request = (path: string, init: RequestInit = {}) =>
    new Request(`https://here.example${path}`, {
      ...init,
      headers: { "api-subscription-key": testKeys.main, "content-type": "application/json" }
    })

  it("responds only under the prefix, and keeps it in links", async () => {
    const answer = await handler(request(`/voice${deployments}?offset=1`))
    assert.strictEqual(JSON.parse(await answer.text()).prev_page_uri, `/voice${deployments}?offset=0`)
    for (const path of ["/health", "/voice", "/voicehealth", "/"]) {
      assert.strictEqual((await handler(request(path))).status, 404, path)
    }
  })

  it("handles only its own paths", () => {
    const own = ["/voice/health", `/voice${deployments}?limit=1`, "/voice/health#here"]
    const others = ["/health", "/voice", "/voice/nowhere", "/voicehealth", "/?/voice/health"]
    assert.deepStrictEqual(own.map((path) => handler.handles(request(path))), own.map(() => true))
    assert.deepStrictEqual(others.map((path) => handler.handles(request(path))), others.map(() => false))
  })

  it("responds with 500 when the body was read before, and logs advice", async () => {
    const read = request(`/voice${deployments}`, { method: "POST", body: "{}" })
    await read.text()
    assert.strictEqual((await handler(read)).status, 500)
    assert.match(lines.join("\n"), /BodyAlreadyRead \(give Trunkline the request before/)
  })
})
