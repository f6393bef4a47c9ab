import { HttpApp, HttpMiddleware } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Engine } from "@trunkline/engine"
import { RateLimited } from "@trunkline/errors"
import { app } from "@trunkline/http-api"
import { testDownload, testEngine, testKeys } from "@trunkline/http-api/testing"
import {
  CurrentRequestId,
  CurrentStoreWaitBudget,
  StoreBusy,
  StoreUnavailable,
  type StoreWaitBudget
} from "@trunkline/kernel"
import { Duration, Effect, Exit, FiberRef, Layer, Logger, Stream, Tracer } from "effect"
import { inspect } from "node:util"

type Change = (engine: typeof Engine.Service) => Partial<typeof Engine.Service>

const engineWith = (change: Change) =>
  Layer.effect(Engine, Effect.map(Engine, (engine) => ({ ...engine, ...change(engine) }))).pipe(
    Layer.provide(testEngine)
  )

/** Builds a function that sends requests to the app, over the test engine with some services replaced. */
const makeClient = (change: Change = () => ({})) =>
  Effect.gen(function*() {
    const handler = yield* app
    const runtime = yield* Effect.runtime<never>()
    const handle = HttpApp.toWebHandlerRuntime(runtime)(handler)
    return (path: string, init: RequestInit = {}) =>
      Effect.promise(() =>
        handle(
          new Request(`http://localhost${path}`, {
            ...init,
            headers: { "api-subscription-key": testKeys.main, "content-type": "application/json", ...init.headers }
          })
        )
      )
  }).pipe(
    HttpMiddleware.withTracerDisabledWhenEffect(() => true),
    (client) => Effect.flatMap(Layer.build(engineWith(change)), (engine) => Effect.provide(client, engine))
  )

const workspace = "/v1/orgs/acme/workspaces/main"

const deployment = {
  name: "Support line",
  app_id: "collections",
  app_version: 1,
  connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000001"] }]
}

const bodyOf = (response: Response) =>
  Effect.promise(async (): Promise<Readonly<Record<string, string>>> => JSON.parse(await response.text()))

/** Wraps the current tracer, and collects the spans that it creates. */
const makeSpanCollector = Effect.map(Effect.tracer, ({ context, span }) => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    context,
    span: (...options) => {
      const made = span(...options)
      spans.push(made)
      return made
    }
  })
  return { spans, tracer }
})

describe("a process without the role api", () => {
  const roles = ["dial", "webhooks"] as const
  const message = "This process has only the roles dial, webhooks. Send the request to a process with the role api."

  it.scopedLive("answers its health and providers, and refuses the rest of the API in its formats", () =>
    Effect.gen(function*() {
      const send = yield* makeClient(({ health }) => ({
        roles,
        health: Effect.map(health, (healthy) => ({ ...healthy, roles }))
      }))
      const refused = (path: string, init: RequestInit = {}) =>
        Effect.flatMap(
          send(path, init),
          (response) =>
            Effect.map(bodyOf(response), ({ error }) => [response.status, Reflect.get(Object(error), "code"), error])
        )
      for (const path of [`${workspace}/deployments`, "/v1/models", "/v2/models", "/v2/responses/x", "/nowhere"]) {
        const [status, code, error] = yield* refused(path)
        assert.deepStrictEqual([status, code], [503, "internal_server_error"])
        assert.deepInclude(error, { message })
      }
      assert.deepStrictEqual(yield* refused("/api/analytics/v1/acme/main/boards"), [
        503,
        "INTERNAL",
        { code: "INTERNAL", message }
      ])
      assert.strictEqual((yield* send(`${workspace}/outbounds`, { method: "OPTIONS" })).status, 503)
      const health = yield* send("/health")
      assert.strictEqual(health.status, 200)
      assert.strictEqual(JSON.stringify((yield* bodyOf(health))["roles"]), JSON.stringify(roles))
      const pushed = yield* send("/v1/connections/unknown/events", { method: "POST", body: "{}" })
      assert.strictEqual(pushed.status, 404)
    }))
})

describe("the app, without a server", () => {
  it.scopedLive("checks the rate limit after the key and before the body, and sends Retry-After", () =>
    Effect.gen(function*() {
      const values: Array<unknown> = []
      const send = yield* makeClient(({ limits }) => ({
        limits: {
          ...limits,
          spendNow: () => undefined,
          spend: (spending) => {
            values.push([spending.subject.account_id, spending.subject.plan, spending.api])
            return new RateLimited({ api: spending.api, retryAfter: Duration.millis(1500) })
          }
        }
      }))
      const limited = yield* send(`${workspace}/outbounds`, { method: "POST", body: "{" })
      assert.deepStrictEqual([limited.status, limited.headers.get("retry-after")], [429, "2"])
      const keyless = yield* send(`${workspace}/outbounds`, {
        method: "POST",
        body: "{",
        headers: { "api-subscription-key": "" }
      })
      assert.strictEqual(keyless.status, 403)
      const cohorts = yield* send(`${workspace}/campaigns/camp-1/cohorts`)
      assert.strictEqual(cohorts.status, 429)
      assert.deepStrictEqual(values, [
        ["acme", "starter", "outbounds"],
        ["acme", "starter", "cohorts"]
      ])
    }))

  it.scopedLive("runs handlers with the request id and in the business time of the engine", () =>
    Effect.gen(function*() {
      const seen: Array<string | null> = []
      const send = yield* makeClient(({ campaigns }) => ({
        campaigns: {
          ...campaigns,
          list: (scope, page, status) =>
            Effect.zipRight(
              Effect.map(FiberRef.get(CurrentRequestId), (id) => void seen.push(id)),
              campaigns.list(scope, page, status)
            )
        }
      }))
      const response = yield* send(`${workspace}/campaigns`)
      assert.deepStrictEqual(seen, [response.headers.get("x-request-id")])
      const created = yield* send(`${workspace}/deployments`, {
        method: "POST",
        body: JSON.stringify(deployment)
      })
      assert.match(yield* Effect.promise(() => created.text()), /"created_at":"2026-01-01T/)
    }))

  it.scopedLive("responds with 503 and Retry-After when a store is busy or away, without logging an error", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const logger = Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
      const busy = () => Effect.die(new StoreBusy())
      const send = yield* makeClient(({ boards, campaigns, keys }) => ({
        boards: { ...boards, list: () => Effect.die(new StoreUnavailable()) },
        campaigns: { ...campaigns, list: busy },
        keys: {
          ...keys,
          authenticate: (...args) =>
            args[1] === "main" ? Effect.die(new StoreUnavailable()) : keys.authenticate(...args)
        }
      })).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      const expected = {
        [`${workspace}/campaigns`]: [503, "internal_server_error"],
        "/v2/models": [503, "internal_server_error"],
        "/api/analytics/v1/acme/main/boards": [500, "INTERNAL"]
      }
      for (const [path, [status, code]] of Object.entries(expected)) {
        const response = yield* send(path)
        assert.deepStrictEqual([response.status, response.headers.get("retry-after")], [status, "5"], path)
        assert.include(yield* Effect.promise(() => response.text()), `"code":"${code}"`)
      }
      assert.deepStrictEqual(lines, [])
    }))

  it.scopedLive("gives each request its own time budget for stores", () =>
    Effect.gen(function*() {
      const seen: Array<StoreWaitBudget | null> = []
      const record = Effect.map(FiberRef.get(CurrentStoreWaitBudget), (budget) => void seen.push(budget))
      const send = yield* makeClient(({ campaigns, keys }) => ({
        keys: { ...keys, authenticate: (...args) => Effect.zipRight(record, keys.authenticate(...args)) },
        campaigns: { ...campaigns, list: (...args) => Effect.zipRight(record, campaigns.list(...args)) }
      }))
      yield* send(`${workspace}/campaigns`)
      yield* send(`${workspace}/campaigns`)
      const [first, again, second] = seen
      assert.isNotNull(first)
      assert.strictEqual(again, first)
      assert.notStrictEqual(second, first)
    }))

  it.scopedLive("logs a response stream that fails, with the kind of its defect and the request id", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const logger = Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
      const send = yield* makeClient(({ cohorts }) => ({
        cohorts: {
          ...cohorts,
          file: () =>
            Effect.succeed({
              bytes: Stream.concat(Stream.make(new Uint8Array(1)), Stream.die(new TypeError("+919876543210"))),
              contentType: "text/csv; charset=utf-8",
              filename: "file.csv"
            })
        }
      })).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      const response = yield* send(`${workspace}/campaigns/camp-1/cohorts/coh-1/files?file_type=cohort`)
      assert.strictEqual(response.status, 200)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.tryPromise(() => response.text()))))
      const logged = lines.join("\n")
      assert.include(logged, "A response stream failed")
      assert.include(logged, "TypeError")
      assert.include(logged, `request_id=${response.headers.get("x-request-id")}`)
      assert.notInclude(logged, "98765")
    }))

  it.scopedLive("shows the URL of a cohort file neither in logs nor in spans nor in responses", () =>
    Effect.gen(function*() {
      const output: Array<string> = []
      const logger = Logger.map(Logger.logfmtLogger, (line) => void output.push(line))
      const { spans, tracer } = yield* makeSpanCollector
      yield* Effect.gen(function*() {
        const send = yield* makeClient()
        const post = (path: string, body: unknown) =>
          Effect.flatMap(send(path, { method: "POST", body: JSON.stringify(body) }), bodyOf)
        const { deployment_id } = yield* post(`${workspace}/deployments`, deployment)
        const urls = [
          testDownload.url,
          "https://files.example/none?quiet-signature",
          "ftp://quiet-signature",
          "https://me:quiet-signature@files.example/"
        ]
        for (const url of urls) {
          const cohort = yield* post(`${workspace}/deployments/${deployment_id}/cohorts`, {
            name: "June",
            source: { url },
            cohort_transformation: { phone_number: { column_name: "mobile" } }
          })
          output.push(JSON.stringify(cohort))
          if (cohort["cohort_id"] === undefined) continue
          const path = `${workspace}/deployments/${deployment_id}/cohorts/${cohort["cohort_id"]}`
          const poll = Effect.delay(Effect.flatMap(send(path), bodyOf), 5)
          output.push(JSON.stringify(yield* Effect.repeat(poll, { until: ({ status }) => status !== "processing" })))
        }
      }).pipe(
        Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
        Effect.withTracer(tracer)
      )
      output.push(
        ...spans.map((span) =>
          inspect([span.name, span.attributes, span.status, "events" in span && span.events], { depth: 8 })
        )
      )
      assert.match(output.join("\n"), /"status":"completed"[^]*"status":"failed"[^]*Cohorts\.fetch/)
      assert.notInclude(output.join("\n"), "quiet")
    }))
})
