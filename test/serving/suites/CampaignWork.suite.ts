import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { TrunklineClient } from "@trunkline/client"
import { testKeys } from "@trunkline/http-api/testing"
import { campaignBody, csv, outboundBody, transformation } from "../Bodies.js"
import { eventually, problems, sendRequest, workspace } from "../Client.js"
import { issuesOf, refusal, type Remote, remoteOf } from "../Remote.js"
import { served, type Way } from "../Ways.js"

/**
 * Contacts, progress, rehearsals and webhooks of campaigns, and blocked numbers. Raw requests are left where the wire is the subject:
 * filters that no type allows, and events of carriers, which are not in the client.
 */
export const campaignWorkSuite = (way: Way) =>
  describe(`campaign work over ${way.name}`, () => {
    const server = served(way)
    let trunkline: TrunklineClient
    let last: Remote["last"]
    beforeAll(() => {
      ;({ last, trunkline } = remoteOf(server))
    })

    /** Creates a campaign that dials immediately. Of its two contacts, one has a valid number. */
    const running = async (name: string) => {
      const { campaign_id } = await trunkline.campaigns.create({
        ...campaignBody,
        name,
        start_timestamp: "2026-01-01T00:00:00Z",
        allowed_schedule: {
          allowed_start_time: "00:00",
          allowed_end_time: "24:00",
          allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        }
      })
      await trunkline.cohorts.uploadToCampaign(campaign_id, {
        name: "June",
        cohort_file: csv,
        cohort_transformation_file: transformation
      })
      assert.strictEqual(last().status, 200, last().text)
      return campaign_id
    }

    const ended = (id: string) => eventually(async () => (await trunkline.campaigns.get(id)).status === "ended")

    describe("after every contact was called", () => {
      let id = ""
      beforeAll(async () => {
        id = await running("Called")
        await ended(id)
      })

      it("lists contacts with the outcome of their calls", async () => {
        const { cursors, items: [person, ...others] } = await trunkline.campaigns.contacts(id)
        assert.strictEqual(last().status, 200)
        assert.deepStrictEqual(cursors, { after: null, before: null })
        assert.deepStrictEqual(others, [])
        assert.deepInclude(person, { user_phone_number: "+919876543210", state: "finished", attempts: 1, due_at: null })
        assert.deepInclude(person?.decision, { verdict: "never", reason: "done", not_before: null })
        assert.match(person?.decision.explanation ?? "", /^[A-Z].*\.$/)
        assert.strictEqual(person?.last_outcome?.connectivity_status, "connected")
      })

      it("filters contacts, and rejects an invalid filter with its name", async () => {
        const finished = await trunkline.campaigns.contacts(id, { state: "finished", reason: "done", limit: 1 })
        assert.lengthOf(finished.items, 1)
        assert.lengthOf((await trunkline.campaigns.contacts(id, { state: "waiting" })).items, 0)
        const wrong = await sendRequest(server, `${workspace}/campaigns/${id}/contacts?state=lost&limit=0`)
        assert.strictEqual(wrong.status, 422)
        assert.sameDeepMembers(problems(wrong).map(([loc]) => loc), [["query", "state"], ["query", "limit"]])
      })

      it("reports progress that adds up", async () => {
        const { attempts, contacts, expected_finish, lines, outcomes, status } = await trunkline.campaigns.progress(id)
        assert.deepStrictEqual({ attempts, expected_finish, status }, {
          status: "ended",
          attempts: 1,
          expected_finish: null
        })
        assert.deepStrictEqual(contacts, { waiting: 0, calling: 0, finished: 1, total_enrolled: 1, not_enrolled: 0 })
        assert.strictEqual(Object.values<number>(outcomes).reduce((sum, count) => sum + count, 0), 1)
        assert.deepStrictEqual(lines.map(({ connection_id }) => connection_id), ["sim-1"])
      })

      it("lists the delivered webhook, and resends it", async () => {
        const first = async () => (await trunkline.webhooks.list(id)).items[0] ?? assert.fail("There is no webhook")
        const delivered = async () => (await trunkline.webhooks.list(id)).items[0]?.status === "delivered"
        await eventually(delivered)
        const before = await first()
        assert.deepInclude(before, { response_status: 204, tries: 1, last_error: null, next_try_at: null })
        assert.notInclude(last().text, "quiet-secret")
        const asked = await trunkline.webhooks.resend(id, { attempt_ids: [before.attempt_id, before.attempt_id] })
        assert.deepStrictEqual([last().status, asked], [202, {}])
        await eventually(async () => (await first()).started_at !== before.started_at)
        await eventually(delivered)
      })
    })

    it("rotates a secret, and returns it once", async () => {
      const { campaign_id } = await trunkline.campaigns.create({ ...campaignBody, name: "Rotated" })
      const rotated = await trunkline.webhooks.rotateSecret(campaign_id, { overlap_hours: 2 })
      assert.strictEqual(last().status, 200)
      assert.match(rotated.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.isNotNull(rotated.previous_secret_until)
      await trunkline.campaigns.get(campaign_id)
      assert.notInclude(last().text, "whsec_")
      const wrong = await refusal(trunkline.webhooks.rotateSecret(campaign_id, { overlap_hours: 1000 }))
      assert.deepStrictEqual(issuesOf(wrong).map(([loc]) => loc), [["overlap_hours"]])
    })

    it("tries a version of the agent on some contacts, and refuses what cannot be tried", async () => {
      const canary = { app_version: 3, percent: 25, metric: { variable: "paid", values: [true] } } as const
      const { campaign_id } = await trunkline.campaigns.create({ ...campaignBody, name: "Tried", canary })
      const started = (await trunkline.campaigns.get(campaign_id)).canary
      assert.deepInclude(started, { number: 1, status: "running", percent: 25, control_version: 1, alpha: 0.01 })
      const locationsOf = async (tried: Promise<unknown>) => issuesOf(await refusal(tried)).map(([loc]) => loc)
      const other = { app_version: 3 }
      assert.deepStrictEqual(await locationsOf(trunkline.canaries.start(campaign_id, other)), [["body"]])
      await trunkline.canaries.updateStatus(campaign_id, { action: "stop" })
      assert.deepStrictEqual(await locationsOf(trunkline.canaries.updateStatus(campaign_id, { action: "stop" })), [[
        "body"
      ]])
      for (const app_version of [1, 2, 9]) {
        assert.deepStrictEqual(await locationsOf(trunkline.canaries.start(campaign_id, { app_version })), [[
          "app_version"
        ]])
      }
      for (const percent of [0, 101, -1]) {
        assert.deepStrictEqual(await locationsOf(trunkline.canaries.start(campaign_id, { ...other, percent })), [[
          "percent"
        ]])
      }
      const misspelt = { ...other, metric: { variable: "paied" } }
      const unknown = await refusal(trunkline.canaries.start(campaign_id, misspelt))
      assert.deepStrictEqual([unknown.status, issuesOf(unknown).map(([loc]) => loc)], [422, [["metric", "variable"]]])
      assert.include(unknown.message, "did you mean paid?")
      await trunkline.canaries.start(campaign_id, other)
      const promoted = await trunkline.canaries.updateStatus(campaign_id, { action: "promote" })
      assert.deepInclude(promoted, { number: 2, status: "promoted", end_reason: "request" })
      const { app_config, app_version } = await trunkline.campaigns.get(campaign_id)
      assert.deepStrictEqual([app_version, app_config.app_version], [3, 3])
      const { canary: record } = await trunkline.campaigns.progress(campaign_id)
      assert.deepInclude(record, { status: "promoted", stops_at: 100 })
      assert.deepStrictEqual(record?.control, {
        app_version: 1,
        conversations: 0,
        successes: 0,
        share: null,
        low: 0,
        high: 1
      })
    })

    it("rehearses a campaign deterministically, without calls", async () => {
      const { campaign_id } = await trunkline.campaigns.create({ ...campaignBody, name: "Rehearsed" })
      const withoutContacts = await refusal(trunkline.campaigns.rehearse(campaign_id, {}))
      assert.strictEqual(withoutContacts.status, 422)
      assert.deepStrictEqual(issuesOf(withoutContacts).map(([loc]) => loc), [["contacts"]])
      const first = await trunkline.campaigns.rehearse(campaign_id, { contacts: 50, seed: 7 })
      assert.strictEqual(last().status, 200)
      assert.strictEqual(first.people, 50)
      assert.isAtLeast(first.dials, 50)
      const again = await trunkline.campaigns.rehearse(campaign_id, { contacts: 50, seed: 7 })
      assert.strictEqual(again.log.sha256, first.log.sha256)
      assert.strictEqual((await trunkline.campaigns.progress(campaign_id)).attempts, 0)
    })

    it("does not call a blocked number until it is unblocked", async () => {
      const number = "+919812300045"
      const added = await trunkline.blockedNumbers.add({
        phone_numbers: ["9812300045", number],
        reason: "asked us to"
      })
      assert.strictEqual(last().status, 200)
      assert.lengthOf(added.items, 1)
      assert.deepInclude(added.items[0], { phone_number: number, reason: "asked us to", created_by: "tests" })
      const call = { ...outboundBody, user_config: { user_phone_number: number } }
      const refused = await refusal(trunkline.outbounds.start(call))
      assert.deepStrictEqual([refused.status, issuesOf(refused)[0]?.[1]], [422, "rule_violation"])
      const { limit, next_page_uri, offset, total } = await trunkline.blockedNumbers.list({ limit: 1 })
      assert.deepStrictEqual({ limit, next_page_uri, offset, total }, {
        total: 1,
        limit: 1,
        offset: 0,
        next_page_uri: null
      })
      const elsewhere = remoteOf(server, { key: testKeys.side, workspace: "acme/side" }).trunkline
      assert.strictEqual((await elsewhere.blockedNumbers.list()).total, 0)
      assert.deepStrictEqual(await trunkline.blockedNumbers.remove(number), { phone_number: number, deleted: true })
      await trunkline.outbounds.start(call)
      assert.strictEqual(last().status, 200)
    })

    it("lists every invalid number of a block request", async () => {
      const wrong = await refusal(trunkline.blockedNumbers.add({ phone_numbers: ["nobody", "+919812300045", "12"] }))
      assert.deepStrictEqual(issuesOf(wrong).map(([loc]) => loc), [["phone_numbers", 0], ["phone_numbers", 2]])
      assert.strictEqual((await refusal(trunkline.blockedNumbers.add({ phone_numbers: [] }))).status, 422)
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
