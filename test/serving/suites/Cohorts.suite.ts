import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Resources, TrunklineClient } from "@trunkline/client"
import { testDownload } from "@trunkline/http-api/testing"
import { setTimeout } from "node:timers/promises"
import { campaignBody, contactsBody, csv, deploymentBody, transformation, urlBody } from "../Bodies.js"
import { problems, sendRequest, workspace } from "../Client.js"
import { issuesOf, refusal, type Remote, remoteOf } from "../Remote.js"
import { formOf, mapping, titled, wrongContacts, wrongForms, wrongUrls } from "../requests/CohortRequests.js"
import { served, type Way } from "../Ways.js"

/** The largest list of contacts that must fit into a request. */
const manyPeople = JSON.stringify({
  name: "June",
  users: Array.from({ length: 1_000 }, (_, index) => ({
    user_phone_number: `98765${10_000 + index}`,
    app_variables: Object.fromEntries(Array.from({ length: 50 }, (_, name) => [`variable_${name}`, "x".repeat(180)]))
  }))
})

const largest = 10_485_760

type Owner = "deployment" | "campaign"

type Cohort = Awaited<ReturnType<Resources["cohorts"]["getOfCampaign"]>>

type CohortFile = Parameters<Resources["cohorts"]["fileOfCampaign"]>[2]["file_type"]

const upload = { name: "June", cohort_file: csv, cohort_transformation_file: transformation }

/**
 * Cohorts of every source, for deployments and campaigns. Raw requests are left where the wire is the subject: values that no type
 * allows, with their places in the body, and bounds of bodies.
 */
export const cohortsSuite = (way: Way) =>
  describe(`cohorts over ${way.name}`, () => {
    const server = served(way)
    const owners: Record<Owner, string> = { deployment: "", campaign: "" }
    const cohorts = { deployment: "", campaign: "" }
    let trunkline: TrunklineClient
    let last: Remote["last"]

    const post = (path: string, body: unknown) => sendRequest(server, path, { method: "POST", body })

    beforeAll(async () => {
      ;({ last, trunkline } = remoteOf(server))
      owners.deployment = (await trunkline.deployments.create(deploymentBody())).deployment_id
      const app_config = { ...campaignBody.app_config, app_id: "reminders" }
      owners.campaign = (await trunkline.campaigns.create({ ...campaignBody, app_config })).campaign_id
      cohorts.deployment = `${workspace}/deployments/${owners.deployment}/cohorts`
      cohorts.campaign = `${workspace}/campaigns/${owners.campaign}/cohorts`
    })

    /** Methods of the cohorts of an owner. */
    const of = (owner: Owner, id = owners[owner]) => {
      const { cohorts: all } = trunkline
      const [fetchTo, addTo, uploadTo, getOf, fileOf, listOf] = owner === "campaign"
        ? [
          all.fetchToCampaign,
          all.addToCampaign,
          all.uploadToCampaign,
          all.getOfCampaign,
          all.fileOfCampaign,
          all.listOfCampaign
        ] as const
        : [
          all.fetchToDeployment,
          all.addToDeployment,
          all.uploadToDeployment,
          all.getOfDeployment,
          all.fileOfDeployment,
          all.listOfDeployment
        ] as const
      return {
        fetch: (body: Parameters<typeof all.fetchToCampaign>[1]) => fetchTo(id, body),
        add: (body: Parameters<typeof all.addToCampaign>[1]) => addTo(id, body),
        upload: (body: Parameters<typeof all.uploadToCampaign>[1]) => uploadTo(id, body),
        list: () => listOf(id, { limit: 100 }),
        text: async (cohort_id: string, file_type: CohortFile) =>
          Buffer.from(await (await fileOf(id, cohort_id, { file_type })).bytes()).toString(),
        /** Asks for a cohort until it is no longer processing. */
        settled: async (cohort_id: string) => {
          for (;;) {
            const cohort = await getOf(id, cohort_id)
            if (cohort.status !== "processing") return cohort
            await setTimeout(5)
          }
        }
      }
    }

    /** The cohort of a request that was accepted. */
    const accepted = async (asked: Promise<Cohort>): Promise<Cohort> => {
      const cohort = await asked
      assert.strictEqual(last().status, 200)
      assert.deepStrictEqual(
        [cohort.status, cohort.result, cohort.failure_reason, cohort.progress],
        ["processing", null, null, { total_records: 0, valid_records: 0, rejected_records: 0, percent: 0 }]
      )
      assert.notInclude(last().text, "quiet")
      return cohort
    }

    const result = { total_records: 2, valid_records: 1, rejected_records: 1 }

    describe.each(["deployment", "campaign"] as const)("of a %s", (owner) => {
      it("are fetched from a URL", async () => {
        const cohort_transformation = mapping({})
        const source = { type: "pre_signed_url", url: testDownload.url } as const
        const { fetch, settled, text } = of(owner)
        const cohort = await accepted(fetch({ name: " June ", source, cohort_transformation }))
        assert.deepStrictEqual([cohort.name, cohort.source_type, cohort.cohort_category], [
          "June",
          "pre_signed_url",
          "cohort"
        ])
        const done = await settled(cohort.cohort_id)
        assert.deepStrictEqual([done.status, done.result, done.progress], ["completed", result, null])
        assert.strictEqual(await text(cohort.cohort_id, "cohort"), testDownload.csv)
        assert.deepStrictEqual(JSON.parse(await text(cohort.cohort_id, "cohort_transformation")), cohort_transformation)
        assert.include(await text(cohort.cohort_id, "rejected_records"), "nobody,Ravi,invalid_phone_number")
      })

      it("are fetched from a URL without a type of its source", async () => {
        const cohort_transformation = mapping({})
        const body = { name: "June", source: { url: testDownload.url }, cohort_transformation }
        const { json, status } = await post(cohorts[owner], body)
        assert.deepStrictEqual([status, json.source_type], [200, "pre_signed_url"])
        assert.strictEqual((await of(owner).settled(json.cohort_id)).status, "completed")
      })

      it("fail without revealing the URL when it has no file", async () => {
        const { fetch, settled, text } = of(owner)
        const { cohort_id } = await accepted(fetch(urlBody))
        const cohort = await settled(cohort_id)
        assert.deepStrictEqual([cohort.status, cohort.result, cohort.progress], ["failed", null, null])
        assert.isAbove(cohort.failure_reason?.length ?? 0, 10)
        assert.notMatch(JSON.stringify(cohort), /quiet|example/)
        assert.strictEqual((await refusal(text(cohort_id, "cohort"))).status, 404)
      })

      it("are created from a list of contacts", async () => {
        const { add, settled, text } = of(owner)
        const { cohort_id, source_type } = await accepted(add(contactsBody))
        assert.strictEqual(source_type, "stream")
        assert.deepStrictEqual((await settled(cohort_id)).result, result)
        assert.include(await text(cohort_id, "cohort"), "9876543210,")
        assert.include(await text(cohort_id, "rejected_records"), "invalid_phone_number")
        assert.property(JSON.parse(await text(cohort_id, "cohort_transformation")), "phone_number")
      })

      it("are listed, whatever their source", async () => {
        const { items } = await of(owner).list()
        assert.includeMembers(items.map(({ source_type }) => source_type), ["pre_signed_url", "stream"])
      })
    })

    const stopFile = { cohort_category: "stop_file" } as const
    const stopFiles = ({ add, fetch, upload: send }: ReturnType<typeof of>) => [
      () => send({ ...upload, ...stopFile }),
      () => fetch({ ...urlBody, ...stopFile }),
      () => add({ ...contactsBody, ...stopFile })
    ]

    it("of a campaign can be stop files", async () => {
      const methods = of("campaign")
      for (const send of stopFiles(methods)) {
        const { cohort_category, cohort_id } = await accepted(send())
        assert.strictEqual(cohort_category, "stop_file")
        assert.strictEqual((await methods.settled(cohort_id)).cohort_category, "stop_file")
      }
    })

    it("of a deployment cannot be stop files", async () => {
      for (const send of stopFiles(of("deployment"))) {
        const refused = await refusal(send())
        assert.strictEqual(refused.status, 422, refused.message)
        assert.deepStrictEqual(issuesOf(refused), [[["cohort_category"], "value_error"]])
      }
    })

    it("of a deployment may be empty", async () => {
      const { settled, upload: send } = of("deployment")
      const { cohort_id } = await accepted(send({ ...upload, cohort_file: "mobile,name\n" }))
      assert.deepStrictEqual((await settled(cohort_id)).result, {
        total_records: 0,
        valid_records: 0,
        rejected_records: 0
      })
    })

    it("of a campaign that is over are rejected", async () => {
      const { campaign_id } = await trunkline.campaigns.create(campaignBody)
      await trunkline.campaigns.updateStatus(campaign_id, { action: "cancel" })
      const { add, fetch, upload: send } = of("campaign", campaign_id)
      for (const asked of [() => send(upload), () => fetch(urlBody), () => add(contactsBody)]) {
        const { code, status } = await refusal(asked())
        assert.deepStrictEqual([status, code], [422, "unprocessable_entity_error"])
      }
    })

    it.each(titled(wrongForms))("reject an upload with $title", async ({ body, expected }) => {
      const answer = await post(`${cohorts.campaign}/upload`, formOf(body))
      assert.strictEqual(answer.status, 422, answer.text)
      assert.deepStrictEqual(problems(answer), expected)
    })

    it.each(titled(wrongUrls))("reject a URL request with $title", async ({ body, expected }) => {
      const answer = await post(cohorts.campaign, { ...urlBody, ...body })
      assert.strictEqual(answer.status, 422, answer.text)
      assert.deepStrictEqual(problems(answer), expected)
      assert.notInclude(answer.text, "quiet")
    })

    it.each(titled(wrongContacts))("reject a list of contacts with $title", async ({ body, expected }) => {
      const answer = await post(`${cohorts.campaign}/stream`, { ...contactsBody, ...body })
      assert.strictEqual(answer.status, 422, answer.text)
      assert.deepStrictEqual(problems(answer), expected)
    })

    it.skipIf(way.host?.parsesJson)("accept exactly 10 MiB of JSON", async () => {
      const inChunks = (text: string) => new Blob([text]).stream()
      const path = `${cohorts.deployment}/stream`
      const whole = await post(path, manyPeople.padEnd(largest))
      assert.deepStrictEqual([whole.status, whole.json.status], [200, "processing"], whole.text)
      const { result } = await of("deployment").settled(whole.json.cohort_id)
      assert.strictEqual(result?.valid_records, 1_000)
      assert.strictEqual((await post(path, inChunks(JSON.stringify(contactsBody).padEnd(largest)))).status, 200)
      for (const surplus of [manyPeople.padEnd(largest + 1), inChunks(manyPeople.padEnd(largest + 1))]) {
        assert.strictEqual((await post(path, surplus)).status, 413)
      }
    })
  })
