import { assert, describe, it } from "@effect/vitest"
import { openApi } from "@trunkline/http-api"
import { Predicate, Struct } from "effect"

const operations = Object.values(openApi().paths).flatMap((path) => Object.values(path))

/** Every object in a document that may be a schema, with its place. */
const schemasIn = (
  value: unknown,
  place = "#"
): ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]> => {
  if (Array.isArray(value)) return value.flatMap((one, index) => schemasIn(one, `${place}/${index}`))
  if (!Predicate.isReadonlyRecord(value)) return []
  const inside = Object.entries(value).flatMap(([name, one]) => schemasIn(one, `${place}/${name}`))
  return place.endsWith("/properties") ? inside : [[place, value], ...inside]
}

describe("openApi, for generators of clients,", () => {
  it("gives every route a unique operation id that reads as a method of a client", () => {
    const ids = operations.map(({ operationId }) => operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const id of ids) assert.match(id, /^[a-z][a-zA-Z]*(\.[a-z][a-zA-Z]*){1,2}$/)
    for (const id of ["campaigns.updateStatus", "campaigns.cohorts.upload", "boards.widgets.run"]) {
      assert.include(ids, id)
    }
  })

  it("gives no method the name of a resource, which clients have beside it", () => {
    const ids = operations.map(({ operationId }) => operationId)
    for (const id of ids) assert.isEmpty(ids.filter((other) => other.startsWith(`${id}.`)), id)
  })

  it("names one action alike on every resource", () => {
    const verbs: Readonly<Record<string, ReadonlyArray<string>>> = {
      patch: ["update"],
      put: ["updateStatus"],
      delete: ["remove"]
    }
    for (const [method, { operationId }] of Object.values(openApi().paths).flatMap((path) => Object.entries(path))) {
      const allowed = verbs[method]
      if (allowed !== undefined) assert.include(allowed, operationId.split(".").at(-1), operationId)
    }
  })

  it("states the defaults of requests in words, since generators of clients require properties with a default", () => {
    for (const [place, schema] of schemasIn(openApi())) {
      if (!/\/parameters\/\d+\/schema$/.test(place)) assert.notProperty(schema, "default", place)
    }
    const { ChatBodyV1 } = JSON.parse(JSON.stringify(openApi().components.schemas))
    assert.include(ChatBodyV1.properties.stream.description, "default: false")
    assert.notInclude(ChatBodyV1.required, "stream")
  })

  it("names the body of every request, and the members of unions that a property tells apart", () => {
    for (const { operationId, requestBody } of operations) {
      for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
        if (type !== "*/*") assert.property(schema, "$ref", operationId)
      }
    }
    const { LiveEvent, ResponseEvent } = JSON.parse(JSON.stringify(openApi().components.schemas))
    assert.strictEqual(LiveEvent.discriminator.propertyName, "type")
    assert.strictEqual(LiveEvent.discriminator.mapping["attempt.ended"], "#/components/schemas/LiveEventAttemptEnded")
    assert.strictEqual(ResponseEvent.oneOf.length, Object.keys(ResponseEvent.discriminator.mapping).length)
  })

  it("describes the headers of every response", () => {
    for (const { operationId, responses } of operations) {
      for (const [status, response] of Object.entries(responses)) {
        const names = Object.keys(Object(Reflect.get(response, "headers")))
        const expected = ["x-request-id", ...["429", "503"].includes(status) ? ["retry-after"] : []]
        assert.deepStrictEqual(names, expected, `${operationId} ${status}`)
      }
    }
  })

  it("states the bounds and the defaults of queries", () => {
    const parameter = (id: string, name: string) =>
      operations.find(({ operationId }) => operationId === id)?.parameters.find((one) => one.name === name)
    assert.deepStrictEqual<unknown>(parameter("campaigns.list", "limit")?.schema, {
      type: "integer",
      minimum: 1,
      maximum: 100,
      default: 10
    })
    assert.deepInclude(parameter("campaigns.list", "sort_by")?.schema, { default: "created_at" })
    assert.deepInclude(parameter("boards.widgets.chartSvg", "width")?.schema, { type: "integer", maximum: 1600 })
    assert.notProperty(parameter("analytics.attempts", "start_datetime")?.schema, "default")
  })

  it("says of every array what it holds", () => {
    for (const [place, schema] of schemasIn(openApi())) {
      if (schema["type"] === "array") assert.isObject(schema["items"], place)
    }
  })

  it("says of an object without properties that it may have any, since generators take it for an empty one", () => {
    const anyObject = { type: "object", additionalProperties: true }
    const resend = operations.find(({ operationId }) => operationId === "webhooks.resend")
    assert.deepStrictEqual<unknown>(resend?.responses[202]?.content?.["application/json"]?.schema, anyObject)
    for (const [place, schema] of schemasIn(openApi())) {
      if (schema["type"] !== "object") continue
      assert.isNotEmpty(Struct.pick(schema, "properties", "patternProperties", "additionalProperties"), place)
    }
  })

  it("describes every webhook that the engine sends, with the headers that sign it", () => {
    const { components, webhooks } = openApi()
    assert.deepStrictEqual(
      Object.entries(webhooks).map((
        [name, { post }]
      ) => [name, post.requestBody.content["application/json"].schema.$ref]),
      [
        ["campaign-attempt-ended", "#/components/schemas/CampaignAttemptPayload"],
        ["canary-ended", "#/components/schemas/CanaryEndedPayload"],
        ["inbound-call-ended", "#/components/schemas/InboundCallPayload"],
        ["outbound-call-ended", "#/components/schemas/OutboundCallPayload"],
        ["call-ended", "#/components/schemas/CallEnded"],
        ["report", "#/components/schemas/ReportMessage"]
      ]
    )
    for (const [name, { post: { operationId, parameters } }] of Object.entries(webhooks)) {
      const required = parameters.flatMap(({ name, required }) => required ? [name] : [])
      assert.deepStrictEqual(required, name === "report" ? [] : ["webhook-id", "webhook-timestamp"])
      assert.match(operationId, /^webhooks\.[a-z][a-zA-Z]*$/)
      assert.notInclude(operations.map(({ operationId }) => operationId), operationId)
    }
    const { CampaignAttemptPayload } = JSON.parse(JSON.stringify(components.schemas))
    assert.sameMembers(CampaignAttemptPayload.required, Object.keys(CampaignAttemptPayload.properties))
    assert.strictEqual(CampaignAttemptPayload.required.length, 29)
  })
})
