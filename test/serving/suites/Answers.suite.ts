import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { TrunklineClient } from "@trunkline/client"
import { testAttempt, testInteraction, testKeys } from "@trunkline/http-api/testing"
import { campaignBody, completeForm, csv, deploymentBody, outboundBody, transformation } from "../Bodies.js"
import { problems, sendRequest, settled, workspace } from "../Client.js"
import { issuesOf, refusal, type Remote, remoteOf } from "../Remote.js"
import { served, type Way } from "../Ways.js"

/**
 * Content of the responses of the main routes. Raw requests are left where the wire is the subject: headers of files, unknown
 * fields and queries with their places, hostile bodies, HEAD, and ids of requests.
 */
export const answersSuite = (way: Way) =>
  describe(`responses over ${way.name}`, () => {
    const server = served(way)
    let trunkline: TrunklineClient
    let last: Remote["last"]
    beforeAll(() => {
      ;({ last, trunkline } = remoteOf(server))
    })

    const send = (method: string, path: string, body?: unknown) => sendRequest(server, path, { method, body })

    it("creates, updates, pauses and deletes a deployment", async () => {
      const misspelt = await send("POST", `${workspace}/deployments`, { ...deploymentBody(), webhook_url: "" })
      assert.strictEqual(misspelt.status, 422)
      assert.include(misspelt.text, "body.webhook_url: is not a known field; did you mean webhook_config?")
      const { deployments } = trunkline
      const created = await deployments.create(deploymentBody())
      const id = created.deployment_id
      assert.match(id, /^dep-[0-9a-f]{12}$/)
      assert.strictEqual(created.status, "active")
      assert.strictEqual(created.created_by, "tests")
      assert.deepStrictEqual(await deployments.get(id), created)
      assert.deepStrictEqual(await deployments.update(id, {}), created)
      assert.strictEqual((await deployments.update(id, { name: "Front desk" })).name, "Front desk")
      assert.strictEqual((await deployments.updateStatus(id, { action: "pause" })).status, "paused")
      const [listed] = (await deployments.list({ search: "FRONT" })).items
      assert.deepStrictEqual(listed?.phone_numbers, ["+911140000001"])
      assert.notProperty(listed, "connection_configs")
      assert.deepStrictEqual(await deployments.remove(id), { deployment_id: id, deleted: true })
      assert.strictEqual((await refusal(deployments.remove(id))).status, 404)
    })

    it("never shows the webhook secret of a campaign", async () => {
      const { campaigns } = trunkline
      const { campaign_id, status } = await campaigns.create(campaignBody)
      assert.strictEqual(status, "scheduled")
      const { app_config } = await campaigns.get(campaign_id)
      assert.deepStrictEqual(app_config.webhook_config, { url: "https://example.com/hook", metadata: null })
      assert.notInclude(last().text, "quiet-secret")
      assert.strictEqual((await campaigns.list({ campaign_status: "scheduled" })).total, 1)
      assert.notInclude(last().text, "quiet-secret")
      assert.strictEqual((await campaigns.list({ campaign_status: "paused" })).total, 0)
      assert.strictEqual((await campaigns.updateStatus(campaign_id, { action: "cancel" })).status, "cancelled")
      const again = await refusal(campaigns.update(campaign_id, { name: "Late" }))
      assert.strictEqual(again.status, 422)
      assert.strictEqual(again.code, "unprocessable_entity_error")
      assert.strictEqual(issuesOf(again)[0]?.[1], "rule_violation")
    })

    it("serves the files of a cohort as downloads", async () => {
      const { deployment_id } = (await send("POST", `${workspace}/deployments`, deploymentBody(2))).json
      const cohorts = `${workspace}/deployments/${deployment_id}/cohorts`
      const accepted = (await send("POST", `${cohorts}/upload`, completeForm())).json
      const uploaded = await settled(server, `${cohorts}/${accepted.cohort_id}`)
      const files = {
        cohort: ["text/csv; charset=utf-8", "csv", csv],
        rejected_records: [
          "text/csv; charset=utf-8",
          "csv",
          "mobile,name,rejected_reason\r\nnobody,Ravi,invalid_phone_number\r\n"
        ],
        cohort_transformation: ["application/json", "json", transformation]
      } as const
      for (const [type, [contentType, extension, text]] of Object.entries(files)) {
        const file = await send("GET", `${cohorts}/${uploaded.cohort_id}/files?file_type=${type}`)
        assert.strictEqual(file.headers.get("content-type"), contentType)
        const name = `${uploaded.cohort_id}_${type}.${extension}`
        assert.strictEqual(file.headers.get("content-disposition"), `attachment; filename="${name}"`)
        assert.strictEqual(file.headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(file.text.replaceAll("\r\n", "\n"), text.replaceAll("\r\n", "\n"))
      }
      for (const query of ["", "?file_type=all", "?file_type=cohort&file_type=cohort"]) {
        const refused = await send("GET", `${cohorts}/${uploaded.cohort_id}/files${query}`)
        assert.strictEqual(refused.status, 422)
        assert.deepStrictEqual(refused.json.detail[0].loc, ["query", "file_type"])
      }
      assert.strictEqual(
        (await send("GET", `${cohorts}/nothing/files?file_type=cohort`)).status,
        404
      )
    })

    it("starts an outbound call", async () => {
      const { attempt_id } = await trunkline.outbounds.start(outboundBody)
      assert.match(attempt_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    })

    const range = { start_datetime: "2026-01-01T00:00:00Z", end_datetime: "2026-01-02T00:00:00Z" }
    const lists = ["attempts", "interactions"] as const
    /** Calls of a person in a list. */
    const ofUser = (list: typeof lists[number], value: string) =>
      trunkline.analytics[list]("collections", {
        ...range,
        filter_conditions: JSON.stringify([{ id: "1", field: "user_identifier", operator: "equals", value }])
      })

    it("lists calls and their transcripts", async () => {
      const inWords = new URLSearchParams(range).toString()
      for (const list of lists) {
        const { items: [item], limit, total } = await ofUser(list, "customer-1")
        assert.deepStrictEqual([total, limit], [1, 20])
        assert.strictEqual(item?.interaction_id, testInteraction)
        assert.strictEqual(item?.user_contact_masked, "******3210")
        assert.strictEqual((await ofUser(list, "nobody")).total, 0)
        const broken = await send("GET", `/analytics/v1/acme/main/collections/${list}?${inWords}&filter_conditions=%5B`)
        assert.strictEqual(broken.status, 422)
        assert.deepStrictEqual(broken.json.detail[0].loc, ["query", "filter_conditions"])
      }
      const { messages } = await trunkline.analytics.transcript("collections", testInteraction)
      assert.strictEqual(messages[0]?.en_text, "Hello")
      const attempt = await trunkline.attempts.get(testAttempt)
      const [listed] = (await ofUser("attempts", "customer-1")).items
      assert.deepStrictEqual<unknown>(attempt, {
        ...listed,
        model_inputs: [],
        costs: null,
        transcript: { interaction_id: testInteraction, messages }
      })
      const long = await refusal(trunkline.analytics.attempts("a".repeat(129), range))
      assert.strictEqual(long.status, 422)
      assert.deepStrictEqual(issuesOf(long)[0]?.[0], ["app_id"])
    })

    it("does not find attempts of other workspaces, nor lists of unknown agents", async () => {
      const nobody = "01890a5d-ac96-774b-bcce-b302099a8058"
      const side = remoteOf(server, { key: testKeys.side, workspace: "acme/side" }).trunkline
      for (const [id, from] of [[testAttempt, side], [nobody, trunkline]] as const) {
        const { code, message, status } = await refusal(from.attempts.get(id))
        assert.deepStrictEqual({ code, message, status }, {
          status: 404,
          code: "not_found_error",
          message: `No attempt with the id "${id}" exists in this workspace`
        })
      }
      assert.hasAllKeys(JSON.parse(last().text), ["error"])
      for (const list of lists) {
        const { code, message, status } = await refusal(trunkline.analytics[list]("nobody", range))
        assert.deepStrictEqual({ code, message, status }, {
          status: 404,
          code: "not_found_error",
          message: `No agent with the id "nobody" exists in this workspace`
        })
      }
    })

    it("lists every issue of a query", async () => {
      const wrong = "offset=-1&limit=101&sort_by=secret&sort_order=up&search=a&search=b"
      const answer = await send("GET", `${workspace}/deployments?${wrong}`)
      assert.strictEqual(answer.status, 422)
      assert.deepStrictEqual(problems(answer), [
        [["query", "offset"], "greater_than_equal"],
        [["query", "limit"], "less_than_equal"],
        [["query", "sort_by"], "enum"],
        [["query", "sort_order"], "enum"],
        [["query", "search"], "string_type"]
      ])
      for (const number of ["1e3", "0x10", "", "%20", "99999999999999999999", "1.5", "NaN", "١"]) {
        const answer = await send("GET", `${workspace}/deployments?offset=${number}`)
        assert.strictEqual(answer.status, 422, number)
        assert.deepStrictEqual(answer.json.detail[0].loc, ["query", "offset"])
      }
    })

    it("lists every issue of a body", async () => {
      const body = {
        name: "a/b",
        app_id: "x",
        app_version: "1",
        connection_configs: [{ connection_id: "sim-1", phone_numbers: ["12"] }]
      }
      const answer = await send("POST", `${workspace}/deployments`, body)
      assert.deepStrictEqual(problems(answer), [
        [["body", "name"], "string_pattern_mismatch"],
        [["body", "app_version"], "int_type"],
        [["body", "connection_configs", 0, "phone_numbers", 0], "string_pattern_mismatch"]
      ])
      assert.strictEqual(answer.json.error.code, "invalid_request_error")
    })

    it("survives hostile bodies", async () => {
      const depth = 400_000
      const nested = `{"name":${"[".repeat(depth)}${"]".repeat(depth)}}`
      const hostile = [nested, `{"__proto__":{"name":"x"}}`, `{"constructor":{"prototype":{}}}`, `{"name":"\\ud800"}`]
      for (const body of hostile) {
        assert.strictEqual((await send("POST", `${workspace}/deployments`, body)).status, 422)
      }
      const deepMetadata = JSON.stringify(outboundBody).replace(
        /\}$/,
        `,"webhook_config":{"url":"https://example.com","metadata":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}}`
      )
      assert.strictEqual((await send("POST", `${workspace}/outbounds`, deepMetadata)).status, 422)
    })

    it("answers HEAD as GET, without the body", async () => {
      const head = await send("HEAD", `${workspace}/deployments`)
      assert.deepStrictEqual([head.status, head.text], [200, ""])
      assert.isAbove(Number(head.headers.get("content-length")), 0)
    })

    it("serves health and the OpenAPI document without a key", async () => {
      const health = await sendRequest(server, "/health", { key: null })
      assert.deepStrictEqual([health.status, health.json.status], [200, "ok"])
      assert.match(health.json.time, /^20\d\d-.*Z$/)
      const { json } = await sendRequest(server, "/openapi.json", { key: null })
      assert.strictEqual(json.openapi, "3.1.0")
    })

    it("responds with 404 to empty path parameters", async () => {
      assert.strictEqual((await send("GET", `${workspace}/deployments/`)).json.error.code, "not_found_error")
    })

    it("returns an empty page past the end of a list", async () => {
      const past = (await send("GET", `${workspace}/campaigns?offset=9007199254740991`)).json
      assert.deepStrictEqual(past.items, [])
    })

    it("gives every request a unique id", async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, () => send("GET", "/health")))
      assert.strictEqual(new Set(ids.map(({ headers }) => headers.get("x-request-id"))).size, 20)
      const keyless = await sendRequest(server, `${workspace}/deployments`, {
        key: testKeys.main,
        headers: { "x-request-id": "mine" }
      })
      assert.notStrictEqual(keyless.headers.get("x-request-id"), "mine")
    })
  })
