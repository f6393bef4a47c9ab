import { assert, describe, it } from "@effect/vitest"
import { LanguageModel } from "@trunkline/models"
import { Context, Duration, Effect, Either, Layer } from "effect"
import { createServer, type RequestListener, type Server } from "node:http"
import { modelOf, retriesOf } from "../../../src/server/Model.js"
import { readConfig } from "../../../src/server/ServerConfig.js"

/** The base URL of a server on a free port, until the scope closes. */
const listening = (answer: RequestListener) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<Server>((resume) => {
        const server = createServer(answer)
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => void server.close().closeAllConnections())
    ),
    (server) => {
      const address = server.address()
      return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}/v1`
    }
  )

const read = (model: Readonly<Record<string, unknown>>) =>
  readConfig(
    JSON.stringify({
      accounts: [{ account_id: "acme" }],
      workspaces: [{ org_id: "acme", workspace_id: "main", account_id: "acme" }],
      keys: [{ key: "sk_test_suite_aSecretOfTheTestSuite", account_id: "acme" }],
      model: { kind: "openai-compatible", base_url: "http://127.0.0.1:8000/v1", ...model }
    })
  )

const problemsOf = async (retries: unknown) => Either.getOrThrow(Either.flip(await read({ retries })))

const policyOf = async (model: Readonly<Record<string, unknown>>) => {
  const config = Either.getOrThrow(await read(model))
  return config.model.kind === "openai-compatible" ? retriesOf(config.model) : assert.fail("It is another kind")
}

describe("the retries of a model in a configuration file", () => {
  it("have the defaults of the library unless configured", async () => {
    assert.deepStrictEqual(await policyOf({}), {})
    assert.deepStrictEqual(await policyOf({ retries: {} }), {})
    assert.deepStrictEqual(await policyOf({ retries: { attempts: 2, first_pause_seconds: 0.25, budget_seconds: 0 } }), {
      attempts: 2,
      initialDelay: Duration.millis(250),
      budget: Duration.zero
    })
  })

  it.scopedLive("are used for calls of the model", () =>
    Effect.gen(function*() {
      const cases = [
        { retries: { attempts: 3, first_pause_seconds: 0 }, headers: { "retry-after": "0" }, asked: 3 },
        { retries: { attempts: 1, first_pause_seconds: 0 }, headers: { "retry-after": "0" }, asked: 1 },
        { retries: { budget_seconds: 0.5 }, headers: { "retry-after": "1" }, asked: 1 }
      ]
      for (const { asked, headers, retries } of cases) {
        let requests = 0
        const base_url = yield* listening((_, response) => {
          requests += 1
          response.writeHead(429, headers).end()
        })
        const { model } = Either.getOrThrow(yield* Effect.promise(() => read({ base_url, retries })))
        const { generate } = Context.get(yield* Layer.build(modelOf(model)), LanguageModel)
        yield* Effect.flip(generate({ model: "core-105b", messages: [{ role: "user", content: "Hello" }] }))
        assert.strictEqual(requests, asked)
      }
    }))

  it("are rejected with a line for each problem", async () => {
    const problems = await problemsOf({ attempts: 0, first_pause_seconds: "soon", budget_seconds: 3600, patience: 1 })
    assert.deepStrictEqual(problems.toSorted(), [
      "model.retries.attempts: Must be at least 1",
      "model.retries.budget_seconds: Must be at most 60",
      "model.retries.first_pause_seconds: Must be a number",
      "model.retries.patience: is not a known field; known are attempts, first_pause_seconds, budget_seconds"
    ])
    assert.deepStrictEqual(await problemsOf({ attempts: 1.5 }), ["model.retries.attempts: Must be a whole number"])
    assert.deepStrictEqual(await problemsOf(null), ["model.retries: Must be an object"])
  })
})
