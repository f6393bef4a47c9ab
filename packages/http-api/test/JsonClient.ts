import { HttpApp, HttpMiddleware } from "@effect/platform"
import { assert } from "@effect/vitest"
import type { Engine } from "@trunkline/engine"
import { app } from "@trunkline/http-api"
import { testEngine, testKeys } from "@trunkline/http-api/testing"
import { Effect, Layer } from "effect"

/** Runs a test with a client of the app over the test engine; responses are status and parsed body. */
export const withClient = <E>(test: (send: Send) => Effect.Effect<void, E>) =>
  Effect.gen(function*() {
    const handle = HttpApp.toWebHandlerRuntime(yield* Effect.runtime<never>())(yield* app)
    const send: Send = (method, path, body) =>
      Effect.promise(async () => {
        const response = await handle(
          new Request(`http://localhost${path}`, {
            method,
            headers: { "api-subscription-key": testKeys.beta, "content-type": "application/json" },
            ...body !== undefined && { body: JSON.stringify(body) }
          })
        )
        return { status: response.status, body: JSON.parse(await response.text()) }
      })
    yield* test(send)
  }).pipe(
    HttpMiddleware.withTracerDisabledWhenEffect(() => true),
    (program: Effect.Effect<void, E, Engine>) =>
      Effect.flatMap(Layer.build(testEngine), (engine) => Effect.provide(program, engine))
  )

export interface Answer {
  readonly status: number
  readonly body: {
    readonly [name: string]: unknown
    readonly detail?: ReadonlyArray<{ readonly loc: ReadonlyArray<string | number>; readonly msg: string }>
  }
}

/** Sends a request with a JSON body. */
export type Send = (method: string, path: string, body?: unknown) => Effect.Effect<Answer>

/** Status of a response, and its issues in alphabetical order. */
export const found = ({ body, status }: Answer) => [
  status,
  (body.detail ?? []).map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).sort()
]

export const workspace = "/v1/orgs/acme/workspaces/main"
export const boards = "/api/analytics/v1/acme/main/boards"
export const line = { connection_id: "sim-1", phone_numbers: ["+911140000001"] }

export const campaign = {
  name: "Dues",
  app_config: { app_id: "collections", app_version: 1, connection_configs: [line] },
  start_timestamp: "2026-11-22T10:00:00Z",
  end_timestamp: "2026-11-23T10:00:00Z",
  allowed_schedule: {
    allowed_start_time: "09:00",
    allowed_end_time: "18:00",
    allowed_days: ["Monday"],
    timezone: "Asia/Kolkata"
  }
}

export const deployment = { name: "Support line", app_id: "collections", app_version: 1, connection_configs: [line] }

export const filter = { internal_name: "since", filter_type: "date", default_value: "today-7d" }

export const widget = {
  name: "Calls",
  sql: "SELECT COUNT(*) AS calls FROM EngagementFactsBoardsView WHERE start_datetime >= {{since}}",
  filters: [filter]
}

/** Creates a resource, and resolves with its record. */
export const create = (send: Send, path: string, body: object) =>
  Effect.map(send("POST", path, body), ({ body, status }) => {
    assert.oneOf(status, [200, 201], JSON.stringify(body))
    return body
  })
