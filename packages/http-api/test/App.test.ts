import { HttpApp, HttpMiddleware } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Engine } from "@trunkline/engine"
import { RateLimited } from "@trunkline/errors"
import { app } from "@trunkline/http-api"
import { testEngine, testKeys } from "@trunkline/http-api/testing"
import { CurrentRequestId } from "@trunkline/kernel"
import { Duration, Effect, Exit, FiberRef, Layer, Logger, Stream, Tracer } from "effect"

type Change = (engine: typeof Engine.Service) => Partial<typeof Engine.Service>

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
    Effect.provide(
      Layer.effect(Engine, Effect.map(Engine, (engine) => ({ ...engine, ...change(engine) }))).pipe(
        Layer.provide(testEngine)
      )
    )
  )

const workspace = "/v1/orgs/acme/workspaces/main"

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
        body: JSON.stringify({
          name: "Desk",
          app_id: "collections",
          app_version: 1,
          connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000001"] }]
        })
      })
      assert.match(yield* Effect.promise(() => created.text()), /"created_at":"2026-01-01T/)
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

  it.scopedLive("tells spans neither keys nor queries nor numbers", () =>
    Effect.gen(function*() {
      const spans: Array<Tracer.Span> = []
      const { context, span } = yield* Effect.tracer
      const tracer = Tracer.make({
        context,
        span: (...options) => {
          const made = span(...options)
          spans.push(made)
          return made
        }
      })
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
