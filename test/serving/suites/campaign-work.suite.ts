import { assert, beforeAll, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { campaignBody, csv, outboundBody, transformation } from "../Bodies.js"
import { eventually, problems, sendRequest, workspace } from "../Client.js"
import { served, type Way } from "../Ways.js"

/** Contacts, progress, rehearsals and webhooks of campaigns, and blocked numbers. */
export const campaignWorkSuite = (way: Way) =>
  describe(`campaign work over ${way.name}`, () => {
    const server = served(way)
    const post = (path: string, body: unknown) => sendRequest(server, `${workspace}${path}`, { method: "POST", body })
    const get = (path: string) => sendRequest(server, `${workspace}${path}`)

    /** Creates a campaign that dials immediately. Of its two contacts, one has a valid number. */
    const running = async (name: string) => {
      const { json } = await post("/campaigns", {
        ...campaignBody,
        name,
        start_timestamp: "2026-01-01T00:00:00Z",
        allowed_schedule: {
          allowed_start_time: "00:00",
          allowed_end_time: "24:00",
          allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        }
      })
      const form = new FormData()
      form.set("name", "June")
      form.set("cohort_file", new Blob([csv]))
      form.set("cohort_transformation_file", new Blob([transformation]))
      const uploaded = await sendRequest(server, `${workspace}/campaigns/${json.campaign_id}/cohorts/upload`, {
        method: "POST",
        body: form
      })
      assert.strictEqual(uploaded.status, 200, uploaded.text)
      return String(json.campaign_id)
    }

    const ended = (id: string) => eventually(async () => (await get(`/campaigns/${id}`)).json.status === "ended")

    describe("after every contact was called", () => {
      let id = ""
      beforeAll(async () => {
        id = await running("Called")
        await ended(id)
      })

      it("lists contacts with the outcome of their calls", async () => {
        const { json, status } = await get(`/campaigns/${id}/contacts`)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(json.cursors, { after: null, before: null })
        const [person, ...others] = json.items
        assert.deepStrictEqual(others, [])
        assert.deepInclude(person, { user_phone_number: "+919876543210", state: "finished", attempts: 1, due_at: null })
        assert.deepInclude(person.decision, { verdict: "never", reason: "done", not_before: null })
        assert.match(person.decision.explanation, /^[A-Z].*\.$/)
        assert.strictEqual(person.last_outcome.connectivity_status, "connected")
      })

      it("filters contacts, and rejects an invalid filter with its name", async () => {
        assert.lengthOf((await get(`/campaigns/${id}/contacts?state=finished&reason=done&limit=1`)).json.items, 1)
        assert.lengthOf((await get(`/campaigns/${id}/contacts?state=waiting`)).json.items, 0)
        const wrong = await get(`/campaigns/${id}/contacts?state=lost&limit=0`)
        assert.strictEqual(wrong.status, 422)
        assert.sameDeepMembers(problems(wrong).map(([loc]) => loc), [["query", "state"], ["query", "limit"]])
      })

      it("reports progress that adds up", async () => {
        const { json } = await get(`/campaigns/${id}/progress`)
        assert.deepInclude(json, { status: "ended", attempts: 1, expected_finish: null })
        assert.deepStrictEqual(json.contacts, {
          waiting: 0,
          calling: 0,
          finished: 1,
          total_enrolled: 1,
          not_enrolled: 0
        })
        assert.strictEqual(Object.values<number>(json.outcomes).reduce((sum, count) => sum + count, 0), 1)
        assert.deepStrictEqual(json.lines.map((line: { connection_id: string }) => line.connection_id), ["sim-1"])
      })

      it("lists the delivered webhook, and resends it", async () => {
        const list = () => get(`/campaigns/${id}/webhooks`)
        await eventually(async () => (await list()).json.items[0]?.status === "delivered")
        const [before] = (await list()).json.items
        assert.deepInclude(before, { response_status: 204, tries: 1, last_error: null, next_try_at: null })
        assert.notInclude(JSON.stringify((await list()).json), "quiet-secret")
        const asked = await post(`/campaigns/${id}/webhooks/retry`, {
          attempt_ids: [before.attempt_id, before.attempt_id]
        })
        assert.deepStrictEqual([asked.status, asked.json], [202, {}])
        await eventually(async () => (await list()).json.items[0].started_at !== before.started_at)
        await eventually(async () => (await list()).json.items[0].status === "delivered")
      })
    })

    it("rotates a secret, and returns it once", async () => {
      const { json } = await post("/campaigns", { ...campaignBody, name: "Rotated" })
      const rotated = await post(`/campaigns/${json.campaign_id}/webhooks/rotate-secret`, { overlap_hours: 2 })
      assert.strictEqual(rotated.status, 200, rotated.text)
      assert.match(rotated.json.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.isNotNull(rotated.json.previous_secret_until)
      assert.notInclude((await get(`/campaigns/${json.campaign_id}`)).text, "whsec_")
      const wrong = await post(`/campaigns/${json.campaign_id}/webhooks/rotate-secret`, { overlap_hours: 1000 })
      assert.deepStrictEqual(problems(wrong).map(([loc]) => loc), [["body", "overlap_hours"]])
    })

    it("rehearses a campaign deterministically, without calls", async () => {
      const { json } = await post("/campaigns", { ...campaignBody, name: "Rehearsed" })
      const path = `/campaigns/${json.campaign_id}/rehearse`
      const withoutContacts = await post(path, {})
      assert.deepStrictEqual([withoutContacts.status, problems(withoutContacts).map(([loc]) => loc)], [422, [[
        "body",
        "contacts"
      ]]])
      const first = await post(path, { contacts: 50, seed: 7 })
      assert.strictEqual(first.status, 200, first.text)
      assert.strictEqual(first.json.people, 50)
      assert.isAtLeast(first.json.dials, 50)
      const again = await post(path, { contacts: 50, seed: 7 })
      assert.strictEqual(again.json.log.sha256, first.json.log.sha256)
      assert.strictEqual((await get(`/campaigns/${json.campaign_id}/progress`)).json.attempts, 0)
    })

    it("does not call a blocked number until it is unblocked", async () => {
      const number = "+919812300045"
      const added = await post("/blocked-numbers", { phone_numbers: ["9812300045", number], reason: "asked us to" })
      assert.strictEqual(added.status, 200, added.text)
      assert.lengthOf(added.json.items, 1)
      assert.deepInclude(added.json.items[0], { phone_number: number, reason: "asked us to", created_by: "tests" })
      const call = { ...outboundBody, user_config: { user_phone_number: number } }
      const refused = await post("/outbounds", call)
      assert.deepStrictEqual([refused.status, problems(refused)[0]?.[1]], [422, "rule_violation"])
      const { json } = await get("/blocked-numbers?limit=1")
      assert.deepInclude(json, { total: 1, limit: 1, offset: 0, next_page_uri: null })
      const elsewhere = await sendRequest(server, `${workspace.replace("main", "side")}/blocked-numbers`, {
        key: testKeys.side
      })
      assert.strictEqual(elsewhere.json.total, 0)
      const removed = await sendRequest(server, `${workspace}/blocked-numbers/${encodeURIComponent(number)}`, {
        method: "DELETE"
      })
      assert.deepStrictEqual(removed.json, { phone_number: number, deleted: true })
      assert.strictEqual((await post("/outbounds", call)).status, 200)
    })

    it("lists every invalid number of a block request", async () => {
      const wrong = await post("/blocked-numbers", { phone_numbers: ["nobody", "+919812300045", "12"] })
      assert.deepStrictEqual(problems(wrong).map(([loc]) => loc), [
        ["body", "phone_numbers", 0],
        ["body", "phone_numbers", 2]
      ])
      assert.strictEqual((await post("/blocked-numbers", { phone_numbers: [] })).status, 422)
    })

    it("responds with 404 to events for a connection that is unknown or accepts none", async () => {
      for (const line of ["sim-1", "nowhere"]) {
        const answer = await sendRequest(server, `/v1/connections/${line}/events`, {
          method: "POST",
          body: {},
          key: null
        })
        assert.deepStrictEqual([answer.status, answer.json.error.code], [404, "not_found_error"])
      }
    })
  })
