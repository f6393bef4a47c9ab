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
import { Duration, Predicate } from "effect"
import { readFileSync } from "node:fs"
import * as boardsErrors from "../../src/errors/BoardsErrorSchemas.js"
import * as errors from "../../src/errors/ErrorSchemas.js"

const operations = Object.values(openApi().paths).flatMap((path) => Object.values(path))

describe("openApi", () => {
  it("equals docs/openapi.json, which `npm run docs:openapi` writes", () => {
    const written = JSON.parse(readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8"))
    assert.deepStrictEqual(JSON.parse(JSON.stringify(openApi())), written)
  })

  it("says that bodies have no other fields, except on chat and responses, and nothing of the kind about responses", () => {
    const { schemas } = openApi().components
    const closed = new Set<unknown>([false])
    /** Objects with fields of their own in a schema, and whether they may have others. */
    const objectsIn = (schema: unknown): ReadonlyArray<unknown> => {
      if (!Predicate.isRecord(schema)) return Array.isArray(schema) ? schema.flatMap(objectsIn) : []
      const name = String(schema["$ref"] ?? "").split("/").at(-1)
      const { properties } = schema
      return [
        ...Predicate.isRecord(properties) && Object.keys(properties).length > 0 ? [schema["additionalProperties"]] : [],
        ...name === undefined || name === "" ? [] : objectsIn(schemas[name]),
        ...Object.values(schema).flatMap(objectsIn)
      ]
    }
    for (const { operationId, requestBody, responses } of operations) {
      const isConversation = /^(chat|responses)\./.test(operationId)
      const given = objectsIn(requestBody?.content)
      assert.strictEqual(
        given.every((others) => closed.has(others)),
        !isConversation || given.length === 0,
        operationId
      )
      assert.isFalse(objectsIn(Object.values(responses)).some((others) => closed.has(others)), operationId)
    }
  })

  it("describes failures in their envelopes, and never in the platform's own", () => {
    for (const { operationId, responses, tags: [tag = ""] } of operations) {
      for (const [status, response] of Object.entries(responses).filter(([status]) => Number(status) >= 400)) {
        const isHealth = ["service.health", "service.ready"].includes(operationId) && status === "503"
        const family = ["boards", "queries", "notifications"].includes(tag)
          ? "Boards"
          : ["chat", "responses", "models"].includes(tag)
          ? "Model"
          : ""
        const body = `${family}${status === "422" ? "ValidationError" : "Error"}`
        const schema = response.content?.["application/json"]?.schema
        if (!isHealth) assert.deepStrictEqual(schema, { $ref: `#/components/schemas/${body}` }, operationId)
      }
    }
  })

  it("describes a 400 only on boards and for the bodies of chat, responses and voices", () => {
    for (const { operationId, requestBody, responses, tags: [tag = ""] } of operations) {
      const isOfBoards = ["boards", "queries", "notifications"].includes(tag)
      const isRefused = ["chat", "responses", "voices"].includes(tag) && requestBody !== undefined
      assert.strictEqual(responses[400] !== undefined, isOfBoards || isRefused, operationId)
    }
  })

  it("describes the failures of each route of voices", () => {
    const failuresOf = (id: string) =>
      operations.filter(({ operationId }) => operationId === id).flatMap(({ responses }) =>
        Object.keys(responses).filter((status) => status !== "200")
      )
    const common = ["403", "422", "429", "500", "503"]
    const formErrors = ["400", "402", "413", "415", "502", "504"]
    for (const id of ["voices.create", "voices.speak", "voices.generate"]) {
      assert.sameMembers(failuresOf(id), [...common, ...formErrors], id)
    }
    assert.sameMembers(failuresOf("voices.list"), common)
    for (const id of ["voices.get", "voices.remove"]) {
      assert.sameMembers(failuresOf(id), [...common, "404"], id)
    }
  })

  it("marks beta routes, and describes them as beta", () => {
    const inBeta = operations.filter((operation) =>
      Predicate.hasProperty(operation, "x-badges") && JSON.stringify(operation["x-badges"]).includes("Beta")
    )
    assert.sameMembers(inBeta.map(({ operationId }) => operationId), [
      "chat.completions.create",
      "responses.create",
      "responses.get",
      "voices.generate"
    ])
    for (const { description = "", operationId } of operations) {
      assert.strictEqual(/\bbeta\b/.test(description), inBeta.some((beta) => beta.operationId === operationId))
    }
  })

  it("marks deprecated fields", () => {
    const { ChatCompletion, Speech } = JSON.parse(JSON.stringify(openApi().components.schemas))
    assert.isTrue(Speech.properties.audio.deprecated)
    assert.notProperty(Speech.properties.audio_b64, "deprecated")
    const [finishes, deprecated] = ChatCompletion.properties.choices.items.properties.finish_reason.anyOf
    assert.deepStrictEqual(finishes.enum, ["stop", "length", "tool_calls", "content_filter"])
    assert.deepInclude(deprecated, { enum: ["function_call"], deprecated: true })
    // The reason of an end is also that of a streamed choice.
    assert.strictEqual(JSON.stringify(openApi()).split("\"deprecated\":true").length, 4)
  })

  it("describes timestamps as date-time strings", () => {
    assert.deepStrictEqual(openApi().components.schemas["Timestamp"], { type: "string", format: "date-time" })
  })

  it("gives every route a unique summary", () => {
    const summaries = operations.map(({ summary }) => summary)
    assert.notInclude(summaries, undefined)
    assert.strictEqual(new Set(summaries).size, operations.length)
  })

  it("says what every operation and parameter is for, with an example of all JSON", () => {
    for (const { description = "", operationId, parameters, requestBody, responses } of operations) {
      assert.match(description, /\.$/, operationId)
      for (const { description = "", name } of parameters) assert.match(description, /\.$/, `${operationId} ${name}`)
      const successes = Object.entries(responses).flatMap(([status, { content = {} }]) =>
        status.startsWith("2") ? [content] : []
      )
      for (const [type, media] of [requestBody?.content ?? {}, ...successes].flatMap(Object.entries)) {
        if (type === "application/json") assert.property(media, "example", operationId)
      }
    }
  })

  it("has a refusal for every operation except those that need no key and take nothing", () => {
    const never = operations.filter(({ responses }) => !Object.keys(responses).some((status) => status.startsWith("4")))
    assert.sameMembers(never.map(({ operationId }) => operationId), [
      "models.list",
      "models.listCore",
      "service.health",
      "service.live",
      "service.ready",
      "service.openapi"
    ])
  })

  it("describes events of providers as raw bytes of any type", () => {
    const receive = operations.find(({ operationId }) => operationId === "carrierEvents.receive")
    assert.deepStrictEqual(Object.keys(receive?.requestBody?.content ?? {}), ["*/*"])
    assert.property(receive?.responses, "413")
  })

  it("refers only to schemas that it contains", () => {
    const text = JSON.stringify(openApi())
    const named = Array.from(text.matchAll(/"#\/components\/schemas\/([^"]+)"/g), ([, name = ""]) => name)
    assert.sameMembers(Array.from(new Set(named)), Object.keys(openApi().components.schemas))
  })

  it("lists the accepted key headers of each route, the preferred one first", () => {
    const main = ["subscriptionKey", "bearer"]
    const boards = ["apiKey", "subscriptionKey", "bearer"]
    const keys: Readonly<Record<string, ReadonlyArray<string>>> = {
      service: [],
      browserCalls: [],
      carrierEvents: [],
      models: ["", ...main],
      chat: main,
      responses: main,
      voices: main,
      boards,
      queries: boards,
      notifications: boards
    }
    for (const { security, tags: [tag = ""] } of operations) {
      const accepted = security.map((requirement) => Object.keys(requirement).join())
      assert.deepStrictEqual(accepted, keys[tag] ?? ["subscriptionKey", "apiKey", "bearer"], tag)
    }
  })

  it("shows the secret of a webhook only in the response to its rotation", () => {
    const { schemas } = openApi().components
    /** JSON of a schema together with every schema that it refers to. */
    const withReferences = (described: unknown, seen: ReadonlyArray<string> = []): string => {
      const text = JSON.stringify(described)
      const names = Array.from(text.matchAll(/"#\/components\/schemas\/([^"]+)"/g), ([, name = ""]) => name)
      const fresh = Array.from(new Set(names)).filter((name) => !seen.includes(name))
      return text + fresh.map((name) => withReferences(schemas[name], [...seen, ...fresh])).join("")
    }
    const showing = operations.filter(({ responses }) => withReferences(responses).includes("\"secret\""))
    assert.deepStrictEqual(showing.map(({ operationId }) => operationId), ["webhooks.rotateSecret"])
  })

  it("describes conversations with models as JSON and as event streams", () => {
    for (const { operationId, responses } of operations) {
      if (!/^(chat|responses\.create)/.test(operationId)) continue
      assert.deepStrictEqual(Object.keys(responses[200]?.content ?? {}), ["application/json", "text/event-stream"])
    }
  })

  it("describes no success for the lookup of a response, since none is stored", () => {
    const lookup = operations.find(({ operationId }) => operationId === "responses.get")
    assert.notProperty(lookup?.responses, "200")
    assert.property(lookup?.responses, "404")
  })

  it("describes every content type of audio and files", () => {
    const typesOf = (id: string) =>
      operations.filter(({ operationId }) => operationId === id).flatMap(({ responses }) =>
        Object.keys(responses[200]?.content ?? {})
      )
    assert.deepStrictEqual(typesOf("voices.speak"), [
      "audio/mpeg",
      "audio/wav",
      "audio/L16",
      "audio/basic",
      "audio/x-mulaw",
      "audio/x-alaw"
    ])
    for (const id of ["deployments.cohorts.file", "campaigns.cohorts.file"]) {
      assert.deepStrictEqual(typesOf(id), ["text/csv", "application/json"])
    }
  })
})

describe("the declared error statuses", () => {
  const declared = [
    [boardsErrors.BoardsError400, new BoardsFailure({ code: "INVALID_SQL", message: "" }), "boards"],
    [boardsErrors.BoardsError400, new MalformedBody({ message: "" }), "boards"],
    [boardsErrors.BoardsError401, new InvalidApiKey(), "boards"],
    [boardsErrors.BoardsError403, new NotAllowed({ message: "" }), "boards"],
    [boardsErrors.BoardsError404, new NotFound({ resource: "board", id: "" }), "boards"],
    [boardsErrors.BoardsError408, new TimedOut({ message: "" }), "boards"],
    [boardsErrors.BoardsError413, new BodyTooLarge({ limitBytes: 1 }), "boards"],
    [boardsErrors.BoardsError415, new UnsupportedContentType({ supported: [] }), "boards"],
    [boardsErrors.BoardsError422, Invalid.at(["body"], "missing", ""), "boards"],
    [boardsErrors.BoardsError429, new RateLimited({ api: "boards", retryAfter: Duration.seconds(1) }), "boards"],
    [boardsErrors.BoardsError429, new Overloaded({ message: "", retryAfter: Duration.seconds(1) }), "boards"],
    [boardsErrors.BoardsError500, new Unavailable({ message: "" }), "boards"],
    [errors.Error408, new TimedOut({ message: "" })],
    [errors.Error403, new InvalidApiKey()],
    [errors.Error403, new NotAllowed({ message: "" })],
    [errors.Error404, new NotFound({ resource: "cohort", id: "" })],
    [errors.Error413, new BodyTooLarge({ limitBytes: 1 })],
    [errors.Error415, new UnsupportedContentType({ supported: [] })],
    [errors.Error422, Invalid.at(["body"], "missing", "")],
    [errors.Error422, RuleViolation.at(["body"], "")],
    [errors.Error429, new RateLimited({ api: "outbounds", retryAfter: Duration.seconds(1) })],
    [errors.Error503, new Unavailable({ message: "" })],
    [errors.ModelError400, new BadRequest({ message: "", param: null }), "chat"],
    [errors.ModelError400, Invalid.at(["body"], "missing", ""), "chat"],
    [errors.ModelError400, new MalformedBody({ message: "" }), "responses"],
    [errors.ModelError429, new InsufficientCredits({ message: "" }), "chat"],
    [errors.ModelError429, new ModelRateLimited({ message: "", retryAfter: Duration.seconds(1) }), "responses"],
    [errors.ModelError502, new BillingUnavailable(), "chat"],
    [errors.ModelError502, new ModelFailed({ message: "" }), "responses"],
    [errors.ModelError503, new ModelUnavailable({ message: "" }), "chat"],
    [errors.ModelError503, new ModelUnavailable({ message: "" }), "responses"],
    [errors.Error504, new ModelTimedOut({ message: "" }), "chat"]
  ] as const

  const cases = declared.map(([schema, failure, family = "org" as const]) => ({
    schema,
    failure,
    family,
    tag: failure._tag
  }))

  it.each(cases)(
    "match the envelope on $family: $tag",
    ({ failure, family, schema }) => {
      assert.strictEqual(HttpApiSchema.getStatusErrorAST(schema.ast), envelope(family, failure, null).status)
    }
  )
})
