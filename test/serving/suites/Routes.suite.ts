import { assert, beforeAll, describe, it } from "@effect/vitest"
import { openApi } from "@trunkline/http-api"
import { testAttempt, testInteraction, testKeys } from "@trunkline/http-api/testing"
import { sampleOf } from "../../setup/Scale.js"
import { campaignBody, completeForm, contactsBody, deploymentBody, form, outboundBody, urlBody } from "../Bodies.js"
import {
  type Json,
  problems,
  type SendOptions,
  sendRequest,
  type TestResponse,
  withoutRequestId,
  workspace
} from "../Client.js"
import { served, type Way } from "../Ways.js"
import { agentRows, withAgent } from "./AgentRows.js"
import { knowledgeRows, neededParts, withDocument } from "./KnowledgeRows.js"

/** A route and a valid request. Names in braces are replaced by ids of created resources. */
interface Row {
  readonly method: string
  readonly path: string
  readonly query?: string
  readonly body?: () => unknown
  /** Largest JSON body in bytes; 1 MiB by default. */
  readonly largest?: number
  /** Status of success; 200 by default. */
  readonly status?: number
  /** True when a missing body counts as an empty object. */
  readonly optional?: boolean
}

const blocked = "+919876500001"
const resendBody = { attempt_ids: ["018f9430-0000-7000-8000-000000000001"] }
const range = "?start_datetime=2026-01-01T00:00:00Z&end_datetime=2026-02-01T00:00:00Z"
const agent = "/analytics/v1/acme/main/collections"

const campaign = `${workspace}/campaigns/{campaign_id}`
const lasting = { attempt_id: testAttempt, interaction_id: testInteraction, number: blocked }
const reads = "account lines calls/live attempts/{attempt_id} blocked-numbers".split(" ")
const rows: ReadonlyArray<Row> = [
  { method: "POST", path: `${workspace}/deployments`, body: () => deploymentBody(2) },
  { method: "GET", path: `${workspace}/deployments` },
  { method: "GET", path: `${workspace}/deployments/{deployment_id}` },
  { method: "PATCH", path: `${workspace}/deployments/{deployment_id}`, body: () => ({ name: "Front desk" }) },
  { method: "PUT", path: `${workspace}/deployments/{deployment_id}/status`, body: () => ({ action: "pause" }) },
  { method: "POST", path: `${workspace}/campaigns`, body: () => campaignBody },
  { method: "GET", path: `${workspace}/campaigns` },
  { method: "GET", path: `${workspace}/campaigns/{campaign_id}` },
  { method: "PATCH", path: `${workspace}/campaigns/{campaign_id}`, body: () => ({ description: null }) },
  { method: "PUT", path: `${workspace}/campaigns/{campaign_id}/status`, body: () => ({ action: "pause" }) },
  { method: "GET", path: `${workspace}/campaigns/{campaign_id}/contacts` },
  { method: "GET", path: `${workspace}/campaigns/{campaign_id}/progress` },
  { method: "POST", path: `${workspace}/campaigns/{campaign_id}/canary`, body: () => ({ app_version: 3 }) },
  { method: "PUT", path: `${workspace}/campaigns/{campaign_id}/canary/status`, body: () => ({ action: "stop" }) },
  { method: "POST", path: `${campaign}/rehearse`, body: () => ({ contacts: 3 }), optional: true },
  { method: "GET", path: `${workspace}/campaigns/{campaign_id}/webhooks` },
  { method: "POST", path: `${workspace}/campaigns/{campaign_id}/webhooks/retry`, body: () => resendBody, status: 202 },
  {
    method: "POST",
    path: `${workspace}/campaigns/{campaign_id}/webhooks/rotate-secret`,
    body: () => ({}),
    optional: true
  },
  ...reads.map((path): Row => ({ method: "GET", path: `${workspace}/${path}` })),
  { method: "POST", path: `${workspace}/cohorts/preview`, body: () => ({ csv: "mobile\n9876543210\n" }) },
  { method: "POST", path: `${workspace}/attempts/{attempt_id}/hang-up` },
  ...agentRows,
  { method: "POST", path: `${workspace}/blocked-numbers`, body: () => ({ phone_numbers: [blocked] }) },
  { method: "DELETE", path: `${workspace}/blocked-numbers/{number}` },
  ...["deployments/{deployment_id}", "campaigns/{campaign_id}"].flatMap((owner): ReadonlyArray<Row> => [
    { method: "POST", path: `${workspace}/${owner}/cohorts/upload`, body: completeForm },
    { method: "POST", path: `${workspace}/${owner}/cohorts`, body: () => urlBody },
    { method: "POST", path: `${workspace}/${owner}/cohorts/stream`, body: () => contactsBody, largest: 10_485_760 },
    { method: "GET", path: `${workspace}/${owner}/cohorts` },
    { method: "GET", path: `${workspace}/${owner}/cohorts/{cohort_id}` },
    { method: "GET", path: `${workspace}/${owner}/cohorts/{cohort_id}/files`, query: "?file_type=cohort" }
  ]),
  ...knowledgeRows,
  { method: "POST", path: `${workspace}/outbounds`, body: () => outboundBody },
  { method: "POST", path: `${workspace}/calls/talk`, body: () => ({ app_id: "collections" }) },
  ...["attempts", "interactions"].map((list): Row => ({ method: "GET", path: `${agent}/${list}`, query: range })),
  { method: "GET", path: `${agent}/transcripts/{interaction_id}` },
  { method: "GET", path: `${agent}/recordings/{interaction_id}` },
  { method: "POST", path: `${workspace}/erasures`, body: () => ({ user_identifier: "nobody" }) },
  { method: "DELETE", path: `${workspace}/deployments/{deployment_id}` }
]

const titled = rows.map((row) => ({ ...row, title: `${row.method} ${row.path}` }))
const withBody = titled.filter(({ body }) => body !== undefined)
const withJson = withBody.filter(({ path }) => !path.endsWith("/upload"))
const withForm = withBody.filter(({ path }) => path.endsWith("/upload"))
const withoutBody = titled.filter(({ method }) => method === "GET")
const withId = titled.filter(({ path }) => path.includes("{"))
const withRange = titled.filter(({ query }) => query === range)

/** Converts a path of the tests to its form in OpenAPI. */
const declaredPaths = Object.entries(openApi().paths).filter(([path]) =>
  path.includes("{org_id}") && !path.startsWith("/api/analytics/")
).map(([path, item]) => ({
  item,
  path: path.replace("{org_id}", "acme").replace("{workspace_id}", "main").replace("{app_id}", "collections")
}))

/** Optional query parameters of a route that are strings. */
const optionalTexts = ({ path }: Row) =>
  declaredPaths.filter((declared) => declared.path === path).flatMap(({ item }) =>
    (item.get?.parameters ?? []).filter((parameter) =>
      parameter.in === "query" && !parameter.required &&
      !("type" in parameter.schema && parameter.schema.type === "integer")
    ).map(({ name }) => name)
  )

const withOptionalTexts = titled.filter((row) => row.method === "GET" && optionalTexts(row).length > 0)

const allowed = ({ headers }: TestResponse) => (headers.get("allow") ?? "").split(", ")

/** A valid request for every route, and every rejection. Raw HTTP, since its subject is the wire. */
export const routesSuite = (way: Way) =>
  describe(`every route over ${way.name}`, () => {
    const server = served(way)
    let ids: Readonly<Record<string, string>>

    const made = async (path: string, body: unknown): Promise<Json> =>
      (await sendRequest(server, `${workspace}${path}`, { method: "POST", body })).json

    beforeAll(async () => {
      await made("/blocked-numbers", { phone_numbers: [blocked] })
      const { deployment_id } = await made("/deployments", deploymentBody())
      const { campaign_id } = await made("/campaigns", campaignBody)
      ids = {
        deployment_id,
        campaign_id,
        "deployments cohort_id": (await made(`/deployments/${deployment_id}/cohorts/upload`, completeForm())).cohort_id,
        "campaigns cohort_id": (await made(`/campaigns/${campaign_id}/cohorts/upload`, completeForm())).cohort_id,
        ...await withAgent(made, await withDocument(made, lasting))
      }
    })

    const place = (path: string, value = (name: string): string => {
      const [owner] = /deployments|campaigns/.exec(path) ?? []
      return ids[name] ?? ids[`${owner} ${name}`] ?? "nothing"
    }) => path.replaceAll(/\{(\w+)\}/g, (_, name) => value(name))

    const send = ({ body, method, path, query = "" }: Row, change: SendOptions & { readonly path?: string } = {}) =>
      sendRequest(server, `${change.path ?? place(path)}${query}`, {
        method,
        ...(body !== undefined && { body: body() }),
        ...change
      })

    const fails = (answer: TestResponse, status: number, code: string) => {
      assert.strictEqual(answer.status, status, answer.text)
      assert.strictEqual(answer.json.error.code, code)
      assert.strictEqual(answer.json.error.request_id, answer.headers.get("x-request-id"))
      assert.strictEqual("detail" in answer.json, status === 422)
      assert.notMatch(answer.text, /\bat .*\.[jt]s:\d+|node_modules/)
    }

    it("with a key is tested", () => {
      const table = titled.map(({ method, path }) => `${method} ${path}`).sort()
      const declared = declaredPaths.flatMap(({ item, path }) =>
        Object.entries(item).flatMap(([method, { security }]) => security[0] ? [`${method.toUpperCase()} ${path}`] : [])
      )
      assert.deepStrictEqual(table, declared.sort())
    })

    it.each(titled)("rejects a missing or wrong key: $title", async (row) => {
      fails(await send(row, { key: null }), 403, "invalid_api_key_error")
      fails(await send(row, { key: "sk_test_main_wrong" }), 403, "invalid_api_key_error")
    })

    it.each(titled)("rejects the key of another account or workspace: $title", async (row) => {
      fails(await send(row, { key: testKeys.foreign }), 403, "authentication_error")
      fails(await send(row, { key: testKeys.side }), 403, "authentication_error")
    })

    it.each(titled)("responds to a wrong method with 405 and Allow: $title", async (row) => {
      const answer = await sendRequest(server, place(row.path), { method: "PURGE" })
      fails(answer, 405, "invalid_request_error")
      assert.include(allowed(answer), row.method)
    })

    it.each(titled)("lists its methods in the response to OPTIONS, without a key: $title", async (row) => {
      const answer = await sendRequest(server, place(row.path), { method: "OPTIONS", key: null })
      assert.strictEqual(answer.status, 204)
      assert.include(allowed(answer), row.method)
    })

    it.skipIf(way.host?.parsesJson).each(withJson)("rejects malformed JSON: $title", async (row) => {
      for (const body of ["{", ...(row.optional ? [] : [""]), "{\"name\": tru}", "\u0000"]) {
        const answer = await send(row, { body })
        fails(answer, 422, "invalid_request_error")
        assert.deepStrictEqual(problems(answer), [[["body"], "json_invalid"]])
      }
    })

    it.each(withJson)("rejects JSON that is not an object: $title", async (row) => {
      for (const body of ["null", "[]", "7", "\"text\""]) {
        const answer = await send(row, { body })
        fails(answer, 422, "invalid_request_error")
        assert.deepStrictEqual(answer.json.detail[0].loc[0], "body")
      }
    })

    it.each(withBody)("rejects another content type: $title", async (row) => {
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "text/plain; application/json"]) {
        fails(await send(row, { body: "{}", headers: { "content-type": type } }), 415, "invalid_request_error")
      }
    })

    it.each(sampleOf(withJson))("rejects a body over its limit, declared or chunked: $title", async (row) => {
      const large = JSON.stringify({ name: "x".repeat((row.largest ?? 1_048_576) + 1_000_000) })
      fails(await send(row, { body: large }), 413, "invalid_request_error")
      fails(await send(row, { body: new Blob([large]).stream() }), 413, "invalid_request_error")
      fails(await send(row, { body: large, key: null }), 413, "invalid_request_error")
      const keyless = await send(row, { body: new Blob([large]).stream(), key: null })
      assert.strictEqual(keyless.status, way.host?.parsesJson ? 413 : 403)
    })

    it.each(sampleOf(withJson))("rejects a body of too many values: $title", async (row) => {
      const body = JSON.stringify({ name: Array.from({ length: 400_000 }, () => 0) })
      fails(await send(row, { body }), 422, "invalid_request_error")
    })

    it.each(withId)("responds with 404 to an unknown id: $title", async (row) => {
      fails(await send(row, { path: place(row.path, () => "nothing") }), 404, "not_found_error")
      fails(await send(row, { path: place(row.path, () => "%2e%2e%2fmain%00") }), 404, "not_found_error")
    })

    it.each(withId)("responds to an id of another workspace as to an unknown one: $title", async (row) => {
      const elsewhere = (path: string) =>
        path.replace("/workspaces/main/", "/workspaces/side/").replace("/acme/main/", "/acme/side/")
      const theirs = await send(row, { key: testKeys.side, path: elsewhere(place(row.path)) })
      const unknown = await send(row, { key: testKeys.side, path: elsewhere(place(row.path, () => "nothing")) })
      fails(theirs, 404, "not_found_error")
      // A message repeats the id that was asked for, and tells nothing else.
      const withoutId = (answer: typeof theirs) => withoutRequestId(answer).replaceAll(/id \\"[^"]*\\"/g, "id")
      assert.strictEqual(withoutId(theirs), withoutId(unknown))
    })

    it.each(withId)("responds with 404 to invalid percent-encoding: $title", async (row) => {
      for (const bad of ["%zz", "%", "%c3%28", "%e0%a4"]) {
        const answer = await send(row, { path: place(row.path, () => bad) })
        assert.include([404, 403], answer.status, answer.text)
      }
    })

    it.each(withOptionalTexts)("treats empty query parameters as missing: $title", async (row) => {
      const empty = optionalTexts(row).map((name) => `${name}=`).join("&")
      const answer = await send({ ...row, query: `${row.query ?? "?"}&${empty}` })
      assert.strictEqual(answer.status, 200, answer.text)
      const { items, total } = answer.json ?? {}
      const plain = (await send(row)).json ?? {}
      assert.deepStrictEqual([total, items], [plain.total, plain.items])
    })

    it.each(withRange)("requires a time range: $title", async (row) => {
      const answer = await sendRequest(server, row.path)
      fails(answer, 422, "invalid_request_error")
      assert.deepStrictEqual(problems(answer), [
        [["query", "start_datetime"], "missing"],
        [["query", "end_datetime"], "missing"]
      ])
    })

    it.each(withForm)("lists every part that is missing or does not exist: $title", async (row) => {
      const answer = await send(row, { body: form("other") })
      fails(answer, 422, "invalid_request_error")
      const missing = neededParts(row.path).map((part) => `body,${part},missing`)
      assert.sameMembers(problems(answer).map(String), [...missing, "body,other,value_error"])
    })

    it.each(withoutBody)("accepts the key in any of three headers: $title", async (row) => {
      for (const headers of [{ authorization: `bearer ${testKeys.main}` }, { "x-api-key": testKeys.main }]) {
        assert.strictEqual((await send(row, { key: null, headers })).status, 200)
      }
    })

    it("prefers api-subscription-key to X-API-Key, and X-API-Key to Authorization", async () => {
      const strange = { authorization: "Bearer not-one-of-ours", "x-api-key": testKeys.side }
      const ours = { authorization: `Bearer ${testKeys.main}`, "x-api-key": testKeys.main }
      for (const path of [`${workspace}/deployments`, `${agent}/attempts${range}`]) {
        assert.strictEqual((await sendRequest(server, path, { headers: strange })).status, 200)
        const wrongKey = await sendRequest(server, path, { key: "sk_test_main_wrong", headers: ours })
        fails(wrongKey, 403, "invalid_api_key_error")
        const second = { ...strange, "x-api-key": testKeys.main }
        assert.strictEqual((await sendRequest(server, path, { key: null, headers: second })).status, 200)
        const wrong = { ...ours, "x-api-key": "sk_test_main_wrong" }
        fails(await sendRequest(server, path, { key: null, headers: wrong }), 403, "invalid_api_key_error")
      }
    })

    it.each(titled)("accepts a valid request: $title", async (row) => {
      const answer = await send(row)
      assert.strictEqual(answer.status, row.status ?? 200, answer.text)
    })
  })
