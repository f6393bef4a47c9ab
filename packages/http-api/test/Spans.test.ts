import { HttpApp, HttpMiddleware } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { app } from "@trunkline/http-api"
import { testEngine, testKeys } from "@trunkline/http-api/testing"
import { Effect, Layer, Option, Tracer } from "effect"

/** Builds a function that sends requests to the app. */
const makeClient = Effect.gen(function*() {
  const handler = yield* app
  const runtime = yield* Effect.runtime<never>()
  const handle = HttpApp.toWebHandlerRuntime(runtime)(handler)
  return (path: string, init: RequestInit = {}) =>
    Effect.promise(() => handle(new Request(`http://localhost${path}`, init)))
}).pipe(
  HttpMiddleware.withTracerDisabledWhenEffect(() => true),
  (client) => Effect.flatMap(Layer.build(testEngine), (engine) => Effect.provide(client, engine))
)

const workspace = "/v1/orgs/acme/workspaces/main"

/** Wraps the current tracer, and collects the spans that it creates. */
const collectSpans = Effect.map(Effect.tracer, ({ context, span }) => {
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

describe("the spans of requests", () => {
  it.scopedLive("keeps keys, queries and phone numbers out of spans", () =>
    Effect.gen(function*() {
      const { spans, tracer } = yield* collectSpans
      const send = yield* Effect.withTracer(makeClient, tracer)
      spans.length = 0
      yield* send(`${workspace}/deployments?search=%2B919876543210`, {
        headers: { authorization: `Bearer ${testKeys.main}`, "api-subscription-key": testKeys.main }
      })
      const [root] = spans
      const route = "/v1/orgs/:org_id/workspaces/:workspace_id/deployments"
      assert.deepStrictEqual([root?.name, root?.kind], [`GET ${route}`, "server"])
      const { "trunkline.request_id": requestId, ...attributes } = Object.fromEntries(root?.attributes ?? [])
      assert.deepStrictEqual(attributes, {
        "http.request.method": "GET",
        "http.route": route,
        "http.response.status_code": 200
      })
      assert.match(String(requestId), /^\d{8}_/)
      const recorded = JSON.stringify(spans.map(({ attributes, name }) => [name, [...attributes]]))
      assert.notMatch(recorded, /sk_test|98765/)
    }))

  it.scopedLive("continues the trace that a request brings, and begins one for a malformed header", () =>
    Effect.gen(function*() {
      const { spans, tracer } = yield* collectSpans
      const send = yield* Effect.withTracer(makeClient, tracer)
      spans.length = 0
      const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
      const zeros = `00-${"0".repeat(32)}-${"0".repeat(16)}-01`
      for (const traceparent of [`00-${trace}-00f067aa0ba902b7-01`, `00-${trace}-short-01`, zeros]) {
        yield* send("/health", { headers: { traceparent } })
      }
      const parents = spans.filter(({ kind }) => kind === "server").map(({ parent }) => Option.getOrNull(parent))
      assert.deepStrictEqual(parents.map((parent) => parent && [parent.traceId, parent.spanId, parent.sampled]), [
        [trace, "00f067aa0ba902b7", true],
        null,
        null
      ])
    }))
})
