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
        const family = /^(boards|queries|notifications)\./.test(operationId)
          ? "Boards"
          : /^(chat|responses|models)\./.test(operationId)
          ? "Model"
          : ""
        const body = `${family}${status === "422" ? "ValidationError" : "Error"}`
        const schema = response.content?.["application/json"]?.schema
        if (!isHealth) assert.deepStrictEqual(schema, { $ref: `#/components/schemas/${body}` }, operationId)
      }
    }
  })

  it("shows a 400 where there can be one: on boards, and where chat, responses and voices take a body", () => {
    for (const { operationId, requestBody, responses } of operations) {
      const isOfBoards = /^(boards|queries|notifications)\./.test(operationId)
      const isRefused = /^(chat|responses|voices)\./.test(operationId) && requestBody !== undefined
      assert.strictEqual(responses[400] !== undefined, isOfBoards || isRefused, operationId)
    }
  })

  it("shows of voices what each route can fail with", () => {
    const failuresOf = (id: string) =>
      operations.filter(({ operationId }) => operationId === id).flatMap(({ responses }) =>
        Object.keys(responses).filter((status) => status !== "200")
      )
    const common = ["403", "422", "429", "500", "503"]
    const ofForms = ["400", "402", "413", "415", "502", "504"]
    for (const id of ["voices.create", "voices.stream", "voices.generate"]) {
      assert.sameMembers(failuresOf(id), [...common, ...ofForms], id)
    }
    assert.sameMembers(failuresOf("voices.list"), common)
    for (const id of ["voices.get", "voices.remove"]) {
      assert.sameMembers(failuresOf(id), [...common.filter((status) => status !== "422"), "404"], id)
    }
  })

  it("marks what is in beta, and says so in words", () => {
    const inBeta = operations.filter((operation) =>
      Predicate.hasProperty(operation, "x-badges") && JSON.stringify(operation["x-badges"]).includes("Beta")
    )
    assert.sameMembers(inBeta.map(({ operationId }) => operationId), [
      "chat.v2",
      "responses.create",
      "responses.get",
      "voices.generate"
    ])
    for (const { description = "", operationId } of operations) {
      assert.strictEqual(/\bbeta\b/.test(description), inBeta.some((beta) => beta.operationId === operationId))
    }
  })

  it("marks what is deprecated", () => {
    const { ChatCompletion, Speech } = JSON.parse(JSON.stringify(openApi().components.schemas))
    assert.isTrue(Speech.properties.audio.deprecated)
    assert.notProperty(Speech.properties.audio_b64, "deprecated")
    const [finishes, deprecated] = ChatCompletion.properties.choices.items.properties.finish_reason.anyOf
    assert.deepStrictEqual(finishes.enum, ["stop", "length", "tool_calls", "content_filter"])
    assert.deepInclude(deprecated, { enum: ["function_call"], deprecated: true })
    assert.strictEqual(JSON.stringify(openApi()).split("\"deprecated\":true").length, 3)
  })

  it("says which texts are moments", () => {
    assert.deepStrictEqual(openApi().components.schemas["Timestamp"], { type: "string", format: "date-time" })
  })

  it("gives every route a summary of its own", () => {
    const summaries = operations.map(({ summary }) => summary)
    assert.notInclude(summaries, undefined)
    assert.strictEqual(new Set(summaries).size, operations.length)
  })

  it("takes the bytes that a provider signs as they are", () => {
    const push = operations.find(({ operationId }) => operationId === "carrierEvents.receive")
    assert.deepStrictEqual(Object.keys(push?.requestBody?.content ?? {}), ["*/*"])
    assert.property(push?.responses, "413")
  })

  it("refers to nothing that it does not hold", () => {
    const text = JSON.stringify(openApi())
    const named = Array.from(text.matchAll(/"#\/components\/schemas\/([^"]+)"/g), ([, name = ""]) => name)
    assert.sameMembers(Array.from(new Set(named)), Object.keys(openApi().components.schemas))
  })

  it("wants a key where there is one, the preferred header first, and takes one for the models", () => {
    const main = ["subscriptionKey", "bearer"]
    const boards = ["apiKey", "subscriptionKey", "bearer"]
    const keys: Readonly<Record<string, ReadonlyArray<string>>> = {
      service: [],
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

  it("shows no response that was kept, since none is", () => {
    const kept = operations.find(({ operationId }) => operationId === "responses.get")
    assert.notProperty(kept?.responses, "200")
    assert.property(kept?.responses, "404")
  })

  it("shows every type of sound and of files that comes", () => {
    const typesOf = (id: string) =>
      operations.filter(({ operationId }) => operationId === id).flatMap(({ responses }) =>
        Object.keys(responses[200]?.content ?? {})
      )
    assert.deepStrictEqual(typesOf("voices.stream"), [
      "audio/mpeg",
      "audio/wav",
      "audio/L16",
      "audio/basic",
      "audio/x-mulaw",
      "audio/x-alaw"
    ])
    for (const id of ["cohorts.fileOfDeployment", "cohorts.fileOfCampaign"]) {
      assert.deepStrictEqual(typesOf(id), ["text/csv", "application/json"])
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
