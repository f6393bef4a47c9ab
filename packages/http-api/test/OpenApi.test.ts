import { HttpApiSchema } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import {
  BodyTooLarge,
  envelope,
  Invalid,
  InvalidApiKey,
  NotAllowed,
  NotFound,
  RateLimited,
  RuleViolation,
  Unavailable,
  UnsupportedContentType
} from "@trunkline/errors"
import { openApi } from "@trunkline/http-api"
import { Duration } from "effect"
import { readFileSync } from "node:fs"
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
        const body = status === "422" ? "ValidationError" : "Error"
        const schema = response.content?.["application/json"]?.schema
        if (!isHealth) assert.deepStrictEqual(schema, { $ref: `#/components/schemas/${body}` }, operationId)
        assert.notStrictEqual(status, "400")
      }
    }
  })

  it("refers to nothing that it does not hold", () => {
    const text = JSON.stringify(openApi())
    const named = Array.from(text.matchAll(/"#\/components\/schemas\/([^"]+)"/g), ([, name = ""]) => name)
    assert.sameMembers(Array.from(new Set(named)), Object.keys(openApi().components.schemas))
  })

  it("wants a key everywhere but on the service's own routes", () => {
    for (const { operationId, security } of operations) {
      assert.strictEqual(security.length, operationId.startsWith("service.") ? 0 : 3, operationId)
    }
  })
})

describe("the statuses that endpoints declare", () => {
  const declared = [
    [Reported.Forbidden, new InvalidApiKey()],
    [Reported.Forbidden, new NotAllowed({ message: "" })],
    [Reported.Missing, new NotFound({ resource: "cohort", id: "" })],
    [Reported.TooLarge, new BodyTooLarge({ limitBytes: 1 })],
    [Reported.WrongType, new UnsupportedContentType({ supported: [] })],
    [Reported.Unprocessable, Invalid.at(["body"], "missing", "")],
    [Reported.Unprocessable, RuleViolation.at(["body"], "")],
    [Reported.TooMany, new RateLimited({ api: "outbounds", retryAfter: Duration.seconds(1) })],
    [Reported.OutOfService, new Unavailable({ message: "" })]
  ] as const

  it.each(declared.map(([schema, failure]) => ({ schema, failure, tag: failure._tag })))(
    "are those that the boundary answers with: $tag",
    ({ failure, schema }) => {
      assert.strictEqual(HttpApiSchema.getStatusErrorAST(schema.ast), envelope("org", failure, null).status)
    }
  )
})
