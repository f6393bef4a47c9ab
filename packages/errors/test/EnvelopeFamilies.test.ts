import { assert, describe, it } from "@effect/vitest"
import {
  envelope,
  type Failure,
  InsufficientCredits,
  internalEnvelope,
  Invalid,
  mainEnvelope,
  MalformedBody,
  NotFound,
  RateLimited,
  RouteNotFound
} from "@trunkline/errors"
import { DateTime, Duration, Struct } from "effect"
import { families, message, table } from "./EnvelopeFixtures.js"

describe("the envelope of a route family", () => {
  it("reports invalid requests on organisation routes as a list and as an error object", () => {
    const failure = Invalid.at(["body", "name"], "missing", "This field is required")
    assert.deepStrictEqual(envelope("org", failure, "r1"), {
      status: 422,
      body: {
        detail: [{ loc: ["body", "name"], msg: "This field is required", type: "missing" }],
        error: { message: "body.name: This field is required", code: "invalid_request_error", request_id: "r1" }
      }
    })
    assert.deepStrictEqual(envelope("boards", failure, "r1").body, { detail: failure.issues })
  })

  it("reports malformed JSON on organisation routes as an issue of the body", () => {
    assert.deepInclude(envelope("org", new MalformedBody({ message }), null).body, {
      detail: [{ loc: ["body"], msg: message, type: "json_invalid" }]
    })
  })

  it("reports the invalid field as text and the kind of failure on chat and responses", () => {
    for (const family of ["chat", "responses"] as const) {
      const shown = (failure: Failure) => envelope(family, failure, "r1").body
      assert.deepStrictEqual<unknown>(shown(table.BadRequest[0]), {
        error: {
          message,
          code: "invalid_request_error",
          request_id: "r1",
          type: "invalid_request_error",
          param: "store"
        }
      })
      assert.deepNestedInclude(shown(table.Invalid[0]), { "error.param": "retry.max" })
      assert.deepNestedInclude(shown(Invalid.at(["body"], "object_type", "Must be an object")), { "error.param": "" })
      for (const [failure] of Object.values(table)) {
        const body = shown(failure)
        assert.nestedPropertyVal(body, "error.request_id", "r1")
        assert.isTrue("error" in body && "type" in body.error && typeof body.error.type === "string", failure._tag)
        assert.isTrue("error" in body && "param" in body.error && typeof body.error.param === "string", failure._tag)
      }
    }
  })

  it("uses OpenAI's kinds of failures on chat and responses", () => {
    const kinds = {
      InvalidApiKey: "authentication_error",
      NotAllowed: "permission_error",
      NotFound: "invalid_request_error",
      RateLimited: "rate_limit_error",
      ModelRateLimited: "rate_limit_error",
      InsufficientCredits: "insufficient_quota",
      ModelFailed: "server_error",
      ModelTimedOut: "server_error"
    } as const
    for (const [tag, type] of Struct.entries(kinds)) {
      assert.nestedPropertyVal(envelope("chat", table[tag][0], null).body, "error.type", type)
      assert.nestedPropertyVal(envelope("responses", table[tag][0], null).body, "error.type", type)
    }
  })

  it("names the field of an unknown model, and none of other missing things", () => {
    for (const family of ["chat", "responses"] as const) {
      const bodyOf = (resource: "model" | "response") =>
        envelope(family, new NotFound({ resource, id: "x" }), null).body
      assert.nestedPropertyVal(bodyOf("model"), "error.param", "model")
      assert.nestedPropertyVal(bodyOf("response"), "error.param", "")
    }
  })

  it("has only message, code and request_id in the error object of all other routes", () => {
    for (const family of ["org", "voices"] as const) {
      for (const [failure] of Object.values(table)) {
        const { body } = envelope(family, failure, "r1")
        assert.hasAllKeys("error" in body ? body.error : {}, ["message", "code", "request_id"])
      }
    }
  })

  it("lists exhausted budgets on responses only", () => {
    const budget = { scope: "key", limit: 5, used: 4 }
    const resets_at = DateTime.unsafeMake("2026-01-06T00:00:00Z")
    const failure = new InsufficientCredits({
      message,
      spendLimits: [{ ...budget, resets_at }, { ...budget, resets_at: null }]
    })
    assert.deepNestedInclude(envelope("responses", failure, null).body, {
      "error.spend_limits": [{ ...budget, resets_at: "2026-01-06T00:00:00.000Z" }, { ...budget, resets_at: null }]
    })
    for (const family of families.filter((family) => family !== "responses")) {
      assert.notNestedProperty(envelope(family, failure, null).body, "error.spend_limits")
    }
    assert.notNestedProperty(envelope("responses", table.InsufficientCredits[0], null).body, "error.spend_limits")
  })

  it("rounds Retry-After up to at least one second", () => {
    const wait = (millis: number) =>
      envelope("chat", new RateLimited({ api: "chat", retryAfter: Duration.millis(millis) }), null).retryAfterSeconds
    assert.deepStrictEqual([0, 1, 1000, 1001, 60_000].map(wait), [1, 1, 1, 2, 60])
  })

  it("lists the methods of a route", () => {
    for (const family of families) {
      assert.deepStrictEqual(envelope(family, table.MethodNotAllowed[0], null).allow, ["GET", "POST"])
    }
  })

  it("accepts exceptions from the caller of the main envelope", () => {
    assert.strictEqual(
      mainEnvelope(new RouteNotFound(), null, { RouteNotFound: [405, "invalid_request_error"] }).status,
      405
    )
  })

  it("reveals nothing of a defect", () => {
    const text = "Something went wrong on our side. Try again."
    assert.deepStrictEqual(internalEnvelope("boards", "r1"), {
      status: 500,
      body: { error: { code: "INTERNAL", message: text } }
    })
    const error = { message: text, code: "internal_server_error", request_id: "r1" } as const
    assert.deepStrictEqual(internalEnvelope("org", "r1"), { status: 500, body: { error } })
    for (const family of ["chat", "responses"] as const) {
      assert.deepStrictEqual<unknown>(internalEnvelope(family, "r1"), {
        status: 500,
        body: { error: { ...error, type: "server_error", param: "" } }
      })
    }
  })
})
