import { HttpApp, HttpMiddleware } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Engine } from "@trunkline/engine"
import { RateLimited } from "@trunkline/errors"
import { app } from "@trunkline/http-api"
import { testDownload, testEngine, testKeys } from "@trunkline/http-api/testing"
import { CurrentRequestId, CurrentStorePatience, StoreBusy, type StorePatience } from "@trunkline/kernel"
import { Duration, Effect, Exit, FiberRef, Layer, Logger, Stream, Tracer } from "effect"
import { inspect } from "node:util"

type Change = (engine: typeof Engine.Service) => Partial<typeof Engine.Service>

const changed = (change: Change) =>
  Layer.effect(Engine, Effect.map(Engine, (engine) => ({ ...engine, ...change(engine) }))).pipe(
    Layer.provide(testEngine)
  )

/** Answers requests without a server, over the test engine with something about it changed. */
const answering = (change: Change = () => ({})) =>
  Effect.gen(function*() {
    const handled = yield* app
    const runtime = yield* Effect.runtime<never>()
    const answer = HttpApp.toWebHandlerRuntime(runtime)(handled)
    return (path: string, init: RequestInit = {}) =>
      Effect.promise(() =>
        answer(
          new Request(`http://localhost${path}`, {
            ...init,
            headers: { "api-subscription-key": testKeys.main, "content-type": "application/json", ...init.headers }
          })
        )
      )
  }).pipe(
    HttpMiddleware.withTracerDisabledWhenEffect(() => true),
    (answer) => Effect.flatMap(Layer.build(changed(change)), (engine) => Effect.provide(answer, engine))
  )

const workspace = "/v1/orgs/acme/workspaces/main"

const desk = {
  name: "Desk",
  app_id: "collections",
  app_version: 1,
  connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000001"] }]
}

const bodyOf = (response: Response) =>
  Effect.promise(async (): Promise<Readonly<Record<string, string>>> => JSON.parse(await response.text()))

/** A tracer, and the spans that it was asked for. */
const spying = Effect.map(Effect.tracer, ({ context, span }) => {
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

describe("the app, without a server", () => {
  it.scopedLive("puts Retry-After on what the rate limit refuses: after the key, before the body is read", () =>
    Effect.gen(function*() {
      const asked: Array<unknown> = []
      const answer = yield* answering(({ limits }) => ({
        limits: {
          ...limits,
          spend: (spending) => {
            asked.push([spending.who.account_id, spending.who.plan, spending.api])
            return new RateLimited({ api: spending.api, retryAfter: Duration.millis(1500) })
          }
        }
      }))
      const refused = yield* answer(`${workspace}/outbounds`, { method: "POST", body: "{" })
      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "2"])
      const keyless = yield* answer(`${workspace}/outbounds`, {
        method: "POST",
        body: "{",
        headers: { "api-subscription-key": "" }
      })
      assert.strictEqual(keyless.status, 403)
      const cohorts = yield* answer(`${workspace}/campaigns/camp-1/cohorts`)
      assert.strictEqual(cohorts.status, 429)
      assert.deepStrictEqual(asked, [
        ["acme", "starter", "outbounds"],
        ["acme", "starter", "cohorts"]
      ])
    }))

  it.scopedLive("lets handlers know the request's id, and live in the engine's time", () =>
    Effect.gen(function*() {
      const seen: Array<string | null> = []
      const answer = yield* answering(({ campaigns }) => ({
        campaigns: {
          ...campaigns,
          list: (scope, page, status) =>
            Effect.zipRight(
              Effect.map(FiberRef.get(CurrentRequestId), (id) => void seen.push(id)),
              campaigns.list(scope, page, status)
            )
        }
      }))
      const response = yield* answer(`${workspace}/campaigns`)
      assert.deepStrictEqual(seen, [response.headers.get("x-request-id")])
      const created = yield* answer(`${workspace}/deployments`, {
        method: "POST",
        body: JSON.stringify(desk)
      })
      assert.match(yield* Effect.promise(() => created.text()), /"created_at":"2026-01-01T/)
    }))

  it.scopedLive("answers 503, and says when to try again, where a store is busy; it is no fault of ours to log", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const logger = Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
      const busy = () => Effect.die(new StoreBusy())
      const answer = yield* answering(({ boards, campaigns, keys }) => ({
        boards: { ...boards, list: busy },
        campaigns: { ...campaigns, list: busy },
        keys: { ...keys, authenticate: (...asked) => asked[1] === "main" ? busy() : keys.authenticate(...asked) }
      })).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      const codes = {
        [`${workspace}/campaigns`]: [503, "internal_server_error"],
        "/v2/models": [503, "internal_server_error"],
        "/api/analytics/v1/acme/main/boards": [500, "INTERNAL"]
      }
      for (const [path, [status, code]] of Object.entries(codes)) {
        const response = yield* answer(path)
        assert.deepStrictEqual([response.status, response.headers.get("retry-after")], [status, "5"], path)
        assert.include(yield* Effect.promise(() => response.text()), `"code":"${code}"`)
      }
      assert.deepStrictEqual(lines, [])
    }))

  it.scopedLive("gives a request one patience with stores, and every request its own", () =>
    Effect.gen(function*() {
      const seen: Array<StorePatience | null> = []
      const look = Effect.map(FiberRef.get(CurrentStorePatience), (patience) => void seen.push(patience))
      const answer = yield* answering(({ campaigns, keys }) => ({
        keys: { ...keys, authenticate: (...asked) => Effect.zipRight(look, keys.authenticate(...asked)) },
        campaigns: { ...campaigns, list: (...asked) => Effect.zipRight(look, campaigns.list(...asked)) }
      }))
      yield* answer(`${workspace}/campaigns`)
      yield* answer(`${workspace}/campaigns`)
      const [first, again, second] = seen
      assert.isNotNull(first)
      assert.strictEqual(again, first)
      assert.notStrictEqual(second, first)
    }))

  it.scopedLive("logs an answer that breaks off, by what kind of defect it was and under the request's id", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const logger = Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
      const answer = yield* answering(({ cohorts }) => ({
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
      const response = yield* answer(`${workspace}/campaigns/camp-1/cohorts/coh-1/files?file_type=cohort`)
      assert.strictEqual(response.status, 200)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.tryPromise(() => response.text()))))
      const logged = lines.join("\n")
      assert.include(logged, "An answer broke off")
      assert.include(logged, "TypeError")
      assert.include(logged, `request_id=${response.headers.get("x-request-id")}`)
      assert.notInclude(logged, "98765")
    }))

  it.scopedLive("tells neither logs nor spans nor answers the URL that a cohort is fetched from", () =>
    Effect.gen(function*() {
      const told: Array<string> = []
      const logger = Logger.map(Logger.logfmtLogger, (line) => void told.push(line))
      const { spans, tracer } = yield* spying
      yield* Effect.gen(function*() {
        const answer = yield* answering()
        const post = (path: string, body: unknown) =>
          Effect.flatMap(answer(path, { method: "POST", body: JSON.stringify(body) }), bodyOf)
        const { deployment_id } = yield* post(`${workspace}/deployments`, desk)
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
          told.push(JSON.stringify(cohort))
          if (cohort["cohort_id"] === undefined) continue
          const path = `${workspace}/deployments/${deployment_id}/cohorts/${cohort["cohort_id"]}`
          const look = Effect.delay(Effect.flatMap(answer(path), bodyOf), 5)
          told.push(JSON.stringify(yield* Effect.repeat(look, { until: ({ status }) => status !== "processing" })))
        }
      }).pipe(
        Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
        Effect.withTracer(tracer)
      )
      told.push(
        ...spans.map((span) =>
          inspect([span.name, span.attributes, span.status, "events" in span && span.events], { depth: 8 })
        )
      )
      assert.match(told.join("\n"), /"status":"completed"[^]*"status":"failed"[^]*Cohorts\.fetch/)
      assert.notInclude(told.join("\n"), "quiet")
    }))

  it.scopedLive("tells spans neither keys nor queries nor numbers", () =>
    Effect.gen(function*() {
      const { spans, tracer } = yield* spying
      const answer = yield* Effect.withTracer(answering(), tracer)
      spans.length = 0
      yield* answer(`${workspace}/deployments?search=%2B919876543210`, {
        headers: { authorization: `Bearer ${testKeys.main}`, "x-api-key": testKeys.main }
      })
      const [root] = spans
      assert.deepStrictEqual([root?.name, root?.kind], ["http.server GET", "server"])
      assert.deepStrictEqual(Object.fromEntries(root?.attributes ?? []), {
        "http.route": "/v1/orgs/:org_id/workspaces/:workspace_id/deployments",
        "http.response.status_code": 200
      })
      const told = JSON.stringify(spans.map(({ attributes, name }) => [name, [...attributes]]))
      assert.notMatch(told, /sk_test|98765/)
    }))
})
