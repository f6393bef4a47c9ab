import { HttpApiSchema } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import {
  BadRequest,
  BillingUnavailable,
  BoardsFailure,
  BodyTooLarge,
  envelope,
  InsufficientCredits,
  Invalid,
  InvalidApiKey,
  MalformedBody,
  ModelFailed,
  ModelRateLimited,
  ModelTimedOut,
  ModelUnavailable,
  NotAllowed,
  NotFound,
  Overloaded,
  RateLimited,
  RuleViolation,
  TimedOut,
  Unavailable,
  UnsupportedContentType
} from "@trunkline/errors"
import { openApi } from "@trunkline/http-api"
import { Duration } from "effect"
import { readFileSync } from "node:fs"
import * as BoardsReported from "../src/BoardsReported.js"
import * as Reported from "../src/Reported.js"

const operations = Object.values(openApi().paths).flatMap((path) => Object.values(path))

describe("openApi", () => {
  it("is what docs/openapi.json says; `npm run docs:openapi` writes it anew", () => {
    const written = JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"))
    assert.deepStrictEqual(JSON.parse(JSON.stringify(openApi())), written)
  })

  it("shows failures in their envelopes, and never the platform's own", () => {
    for (const { operationId, responses } of operations) {
      for (const [status, response] of Object.entries(responses).filter(([status]) => Number(status) >= 400)) {
        const isHealth = operationId === "service.health" && status === "503"
        const family = /^(boards|queries|notifications)\./.test(operationId) ? "Boards" : ""
        const body = `${family}${status === "422" ? "ValidationError" : "Error"}`
        const schema = response.content?.["application/json"]?.schema
        if (!isHealth) assert.deepStrictEqual(schema, { $ref: `#/components/schemas/${body}` }, operationId)
        if (status === "400") assert.match(operationId, /^(chat|responses|voices|boards|queries|notifications)\./)
      }
    }
  })

  it("refers to nothing that it does not hold", () => {
    const text = JSON.stringify(openApi())
    const named = Array.from(text.matchAll(/"#\/components\/schemas\/([^"]+)"/g), ([, name = ""]) => name)
    assert.sameMembers(Array.from(new Set(named)), Object.keys(openApi().components.schemas))
  })

  it("wants a key everywhere but on the service's own routes, and takes one for the models", () => {
    const keys: Readonly<Record<string, ReadonlyArray<string>>> = {
      service: [],
      models: ["", "subscriptionKey", "bearer"],
      chat: ["subscriptionKey", "bearer"],
      responses: ["subscriptionKey", "bearer"]
    }
    for (const { security, tags: [tag = ""] } of operations) {
      const accepted = security.map((requirement) => Object.keys(requirement).join())
      assert.deepStrictEqual(accepted, keys[tag] ?? ["subscriptionKey", "bearer", "apiKey"])
    }
  })

  it("shows the secret of a webhook nowhere but where a rotation tells it", () => {
    const { schemas } = openApi().components
    /** The text of a description, with that of all that it refers to. */
    const withReferences = (described: unknown, seen: ReadonlyArray<string> = []): string => {
      const text = JSON.stringify(described)
      const names = Array.from(text.matchAll(/"#\/components\/schemas\/([^"]+)"/g), ([, name = ""]) => name)
      const fresh = Array.from(new Set(names)).filter((name) => !seen.includes(name))
      return text + fresh.map((name) => withReferences(schemas[name], [...seen, ...fresh])).join("")
    }
    const told = operations.filter(({ responses }) => withReferences(responses).includes("\"secret\""))
    assert.deepStrictEqual(told.map(({ operationId }) => operationId), ["campaignWebhooks.rotateSecret"])
  })

  it("shows conversations with models as whole answers and as events", () => {
    for (const { operationId, responses } of operations) {
      if (!/^(chat|responses\.create)/.test(operationId)) continue
      assert.deepStrictEqual(Object.keys(responses[200]?.content ?? {}), ["application/json", "text/event-stream"])
    }
  })
})

describe("the statuses that endpoints declare", () => {
  const declared = [
    [BoardsReported.BoardsBad, new BoardsFailure({ code: "INVALID_SQL", message: "" }), "boards"],
    [BoardsReported.BoardsBad, new MalformedBody({ message: "" }), "boards"],
    [BoardsReported.BoardsUnauthorized, new InvalidApiKey(), "boards"],
    [BoardsReported.BoardsForbidden, new NotAllowed({ message: "" }), "boards"],
    [BoardsReported.BoardsMissing, new NotFound({ resource: "board", id: "" }), "boards"],
    [BoardsReported.BoardsTooLate, new TimedOut({ message: "" }), "boards"],
    [BoardsReported.BoardsTooLarge, new BodyTooLarge({ limitBytes: 1 }), "boards"],
    [BoardsReported.BoardsWrongType, new UnsupportedContentType({ supported: [] }), "boards"],
    [BoardsReported.BoardsUnprocessable, Invalid.at(["body"], "missing", ""), "boards"],
    [BoardsReported.BoardsTooMany, new RateLimited({ api: "boards", retryAfter: Duration.seconds(1) }), "boards"],
    [BoardsReported.BoardsTooMany, new Overloaded({ message: "", retryAfter: Duration.seconds(1) }), "boards"],
    [BoardsReported.BoardsBroken, new Unavailable({ message: "" }), "boards"],
    [Reported.TookTooLong, new TimedOut({ message: "" })],
    [Reported.Forbidden, new InvalidApiKey()],
    [Reported.Forbidden, new NotAllowed({ message: "" })],
    [Reported.Missing, new NotFound({ resource: "cohort", id: "" })],
    [Reported.TooLarge, new BodyTooLarge({ limitBytes: 1 })],
    [Reported.WrongType, new UnsupportedContentType({ supported: [] })],
    [Reported.Unprocessable, Invalid.at(["body"], "missing", "")],
    [Reported.Unprocessable, RuleViolation.at(["body"], "")],
    [Reported.TooMany, new RateLimited({ api: "outbounds", retryAfter: Duration.seconds(1) })],
    [Reported.OutOfService, new Unavailable({ message: "" })],
    [Reported.Bad, new BadRequest({ message: "", param: null }), "chat"],
    [Reported.Bad, Invalid.at(["body"], "missing", ""), "chat"],
    [Reported.Bad, new MalformedBody({ message: "" }), "responses"],
    [Reported.TooManyForModels, new InsufficientCredits({ message: "" }), "chat"],
    [Reported.TooManyForModels, new ModelRateLimited({ message: "", retryAfter: Duration.seconds(1) }), "responses"],
    [Reported.NotDone, new BillingUnavailable(), "chat"],
    [Reported.NotDone, new ModelFailed({ message: "" }), "responses"],
    [Reported.ModelOutOfService, new ModelUnavailable({ message: "" }), "chat"],
    [Reported.ModelOutOfService, new ModelUnavailable({ message: "" }), "responses"],
    [Reported.TooLate, new ModelTimedOut({ message: "" }), "chat"]
  ] as const

  const cases = declared.map(([schema, failure, family = "org" as const]) => ({
    schema,
    failure,
    family,
    tag: failure._tag
  }))

  it.each(cases)(
    "are those that the boundary answers with on $family: $tag",
    ({ failure, family, schema }) => {
      assert.strictEqual(HttpApiSchema.getStatusErrorAST(schema.ast), envelope(family, failure, null).status)
    }
  )
})
