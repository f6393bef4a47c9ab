import { assert, describe, it } from "@effect/vitest"
import {
  BadRequest,
  BillingUnavailable,
  boardsCodes,
  BoardsFailure,
  BodyTooLarge,
  envelope,
  type Failure,
  type Family,
  InsufficientCredits,
  internalEnvelope,
  Invalid,
  InvalidApiKey,
  mainCodes,
  mainEnvelope,
  MalformedBody,
  MethodNotAllowed,
  ModelFailed,
  ModelRateLimited,
  ModelTimedOut,
  ModelUnavailable,
  NotAllowed,
  NotFound,
  Overloaded,
  RateLimited,
  RouteNotFound,
  RuleViolation,
  TierLimitReached,
  TimedOut,
  Unavailable,
  UnsupportedContentType
} from "@trunkline/errors"
import { DateTime, Duration, Struct } from "effect"

const families: ReadonlyArray<Family> = ["org", "chat", "responses", "voices", "boards"]
const message = "What happened"
const retryAfter = Duration.millis(1500)

/** One failure of each tag with its status and code on org, chat, responses, voices and boards. */
const table: { readonly [Tag in Failure["_tag"]]: readonly [Failure, ...ReadonlyArray<string>] } = {
  NotFound: [
    new NotFound({ resource: "campaign", id: "camp-1" }),
    "404 not_found_error",
    "404 not_found_error",
    "404 not_found_error",
    "404 not_found_error",
    "404 NOT_FOUND"
  ],
  Invalid: [
    Invalid.at(["body", "retry", "max"], "int_type", "Must be a whole number"),
    "422 invalid_request_error +detail",
    "400 invalid_request_error",
    "400 invalid_request_error",
    "422 invalid_request_error +detail",
    "422 +detail"
  ],
  RuleViolation: [
    RuleViolation.at(["body", "end"], "Must be after start"),
    "422 unprocessable_entity_error +detail",
    "422 unprocessable_entity_error",
    "422 unprocessable_entity_error",
    "422 unprocessable_entity_error +detail",
    "422 +detail"
  ],
  TimedOut: [
    new TimedOut({ message }),
    "408 gateway_timeout_error",
    "408 gateway_timeout_error",
    "408 gateway_timeout_error",
    "408 gateway_timeout_error",
    "408 TIMEOUT"
  ],
  BadRequest: [
    new BadRequest({ message, param: "store" }),
    "400 invalid_request_error",
    "400 invalid_request_error",
    "400 invalid_request_error",
    "400 invalid_request_error",
    "400 INVALID_REQUEST"
  ],
  MalformedBody: [
    new MalformedBody({ message }),
    "422 invalid_request_error +detail",
    "400 invalid_request_error",
    "400 invalid_request_error",
    "422 invalid_request_error +detail",
    "400 INVALID_REQUEST"
  ],
  BodyTooLarge: [
    new BodyTooLarge({ limitBytes: 10 }),
    "413 invalid_request_error",
    "413 invalid_request_error",
    "413 invalid_request_error",
    "413 invalid_request_error",
    "413 INVALID_REQUEST"
  ],
  UnsupportedContentType: [
    new UnsupportedContentType({ supported: ["application/json"] }),
    "415 invalid_request_error",
    "415 invalid_request_error",
    "415 invalid_request_error",
    "415 invalid_request_error",
    "415 INVALID_REQUEST"
  ],
  RouteNotFound: [
    new RouteNotFound(),
    "404 not_found_error",
    "404 not_found_error",
    "404 not_found_error",
    "404 not_found_error",
    "404 NOT_FOUND"
  ],
  MethodNotAllowed: [
    new MethodNotAllowed({ allow: ["GET", "POST"] }),
    "405 invalid_request_error",
    "405 invalid_request_error",
    "405 invalid_request_error",
    "405 invalid_request_error",
    "405 METHOD_NOT_ALLOWED"
  ],
  InvalidApiKey: [
    new InvalidApiKey(),
    "403 invalid_api_key_error",
    "403 invalid_api_key_error",
    "403 invalid_api_key_error",
    "403 invalid_api_key_error",
    "401 UNAUTHORIZED"
  ],
  NotAllowed: [
    new NotAllowed({ message }),
    "403 authentication_error",
    "403 authentication_error",
    "403 authentication_error",
    "403 authentication_error",
    "403 FORBIDDEN"
  ],
  TierLimitReached: [
    new TierLimitReached({ message }),
    "403 TIER_LIMIT_REACHED",
    "403 TIER_LIMIT_REACHED",
    "403 TIER_LIMIT_REACHED",
    "403 TIER_LIMIT_REACHED",
    "403 FORBIDDEN"
  ],
  RateLimited: [
    new RateLimited({ api: "chat", retryAfter }),
    "429 rate_limit_exceeded_error after 2 s",
    "429 rate_limit_exceeded_error after 2 s",
    "429 rate_limit_exceeded_error after 2 s",
    "429 rate_limit_exceeded_error after 2 s",
    "429 RATE_LIMITED after 2 s"
  ],
  Overloaded: [
    new Overloaded({ message, retryAfter }),
    "503 rate_limit_exceeded_error after 2 s",
    "503 rate_limit_exceeded_error after 2 s",
    "503 rate_limit_exceeded_error after 2 s",
    "503 rate_limit_exceeded_error after 2 s",
    "429 RATE_LIMITED after 2 s"
  ],
  InsufficientCredits: [
    new InsufficientCredits({ message }),
    "429 insufficient_quota_error",
    "429 insufficient_quota_error",
    "429 insufficient_quota_error",
    "402 insufficient_quota_error",
    "403 FORBIDDEN"
  ],
  BillingUnavailable: [
    new BillingUnavailable(),
    "502 billing_service_unavailable_error",
    "502 billing_service_unavailable_error",
    "502 billing_service_unavailable_error",
    "502 billing_service_unavailable_error",
    "500 INTERNAL"
  ],
  ModelUnavailable: [
    new ModelUnavailable({ message }),
    "503 model_call_error",
    "503 model_call_error",
    "503 model_overloaded",
    "503 model_call_error",
    "500 INTERNAL"
  ],
  ModelFailed: [
    new ModelFailed({ message }),
    "503 model_call_error",
    "503 model_call_error",
    "502 model_call_failed",
    "500 internal_server_error",
    "500 INTERNAL"
  ],
  ModelRateLimited: [
    new ModelRateLimited({ message, retryAfter }),
    "429 rate_limit_exceeded_error after 2 s",
    "429 rate_limit_exceeded_error after 2 s",
    "429 model_rate_limit_exceeded_error after 2 s",
    "429 rate_limit_exceeded_error after 2 s",
    "429 RATE_LIMITED after 2 s"
  ],
  ModelTimedOut: [
    new ModelTimedOut({ message }),
    "504 gateway_timeout_error",
    "504 gateway_timeout_error",
    "504 gateway_timeout_error",
    "504 gateway_timeout_error",
    "500 INTERNAL"
  ],
  Unavailable: [
    new Unavailable({ message }),
    "503 internal_server_error",
    "503 internal_server_error",
    "503 internal_server_error",
    "503 internal_server_error",
    "500 INTERNAL"
  ],
  BoardsFailure: [
    new BoardsFailure({ code: "LAST_TAB", message }),
    "400 invalid_request_error",
    "400 invalid_request_error",
    "400 invalid_request_error",
    "400 invalid_request_error",
    "400 LAST_TAB"
  ]
}

const codeEntries = { ...mainCodes, ...boardsCodes }

describe("envelope", () => {
  for (const [tag, [failure, ...expected]] of Object.entries(table)) {
    it(`gives ${tag} its status, code and headers in every family`, () => {
      const said = families.map((family) => {
        const { body, retryAfterSeconds, status } = envelope(family, failure, "r1")
        return [
          status,
          ..."error" in body ? [body.error.code] : [],
          ..."detail" in body ? ["+detail"] : [],
          ...retryAfterSeconds === undefined ? [] : [`after ${retryAfterSeconds} s`]
        ].join(" ")
      })
      assert.deepStrictEqual(said, expected)
    })
  }

  it("uses only statuses that are listed for the code", () => {
    for (const family of families) {
      for (const [failure] of Object.values(table)) {
        const { body, status } = envelope(family, failure, null)
        const allowed: ReadonlyArray<number> = "error" in body ? codeEntries[body.error.code].statuses : [422]
        assert.include(allowed, status, `${family} ${failure._tag}`)
      }
    }
  })

  it("uses the status that is listed for every code of the boards", () => {
    for (const code of ["TIMEOUT", "TENANT_ISOLATION_BREACH", "RESOURCE_LIMIT"] as const) {
      assert.deepStrictEqual(envelope("boards", new BoardsFailure({ code, message }), null), {
        status: boardsCodes[code].statuses[0],
        body: { error: { code, message } }
      })
    }
  })

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
