import { assert, beforeAll, describe, it } from "@effect/vitest"
import { testDownload } from "@trunkline/http-api/testing"
import { campaignBody, contactsBody, csv, deploymentBody, transformation, urlBody } from "../Bodies.js"
import { type Json, problems, sendRequest, settled, workspace } from "../Client.js"
import { served, type Way } from "../Ways.js"

/** An invalid request, and the paths and types of its issues. */
type Wrong = readonly [title: string, body: Json, problems: ReadonlyArray<readonly [loc: Json, type: string]>]

const mapping = (change: object) => ({ ...JSON.parse(transformation), ...change })
const unknownOverride = { app_overrides: { greeting: { column_name: "name" } } }
const undeclared = { app_variables: { balance: { column_name: "name" } } }

/** Invalid transformations, and the paths of their issues. */
const wrongMappings: ReadonlyArray<Wrong> = [
  ["no phone number", {}, [[["phone_number"], "missing"]]],
  ["a phone number without a column", mapping({ phone_number: {} }), [[["phone_number", "column_name"], "missing"]]],
  ["an unknown country", mapping({ phone_number: { column_name: "mobile", country_code: "india" } }), [
    [["phone_number", "country_code"], "value_error"]
  ]],
  ["an unknown override", mapping(unknownOverride), [[["app_overrides", "greeting"], "value_error"]]],
  ["an undeclared variable", mapping(undeclared), [[["app_variables", "balance"], "value_error"]]],
  ["an unknown transform", mapping({ user_identifier: { column_name: "name", transforms: [{ type: "shout" }] } }), [
    [["user_identifier", "transforms", 0, "type"], "enum"]
  ]],
  ["a list", [], [[[], "object_type"]]]
]

const placed = (wrongs: ReadonlyArray<Wrong>, root: ReadonlyArray<string>): ReadonlyArray<Wrong> =>
  wrongs.map(([title, body, problems]) => [title, body, problems.map(([loc, type]) => [[...root, ...loc], type])])

const formOf = (change: Readonly<Record<string, string>>): FormData => {
  const data = new FormData()
  const parts = { name: "June", cohort_transformation_file: transformation, cohort_file: csv, ...change }
  Object.entries(parts).forEach(([name, value]) => data.append(name, value))
  return data
}

const wrongForms: ReadonlyArray<Wrong> = [
  ["a long name", { name: "x".repeat(51) }, [[["body", "name"], "string_pattern_mismatch"]]],
  ["no name", { name: " " }, [[["body", "name"], "string_pattern_mismatch"]]],
  ["a transformation that is no JSON", { cohort_transformation_file: "{" }, [
    [["body", "cohort_transformation_file"], "json_invalid"]
  ]],
  ...placed(wrongMappings, ["body", "cohort_transformation_file"]).map(([title, body, problems]): Wrong => [
    `a transformation with ${title}`,
    { cohort_transformation_file: JSON.stringify(body) },
    problems
  ]),
  ["columns that the file has not", { cohort_file: "phone,name\n9876543210,Asha\n" }, [
    [["body", "cohort_transformation_file", "phone_number", "column_name"], "value_error"]
  ]],
  ["an empty file", { cohort_file: "" }, [[["body", "cohort_file"], "value_error"]]],
  ["a file without rows", { cohort_file: "mobile,name\n" }, [[["body", "cohort_file"], "value_error"]]],
  ["a column twice", { cohort_file: "mobile,name,name\n1,2,3\n" }, [[["body", "cohort_file"], "value_error"]]],
  ["a column without a name", { cohort_file: "mobile,name,\n1,2,3\n" }, [[["body", "cohort_file"], "value_error"]]],
  ["a file that is no text", { cohort_file: "PK\u0003\u0004" }, [[["body", "cohort_file"], "value_error"]]],
  ["an unknown category", { cohort_category: "friends" }, [[["body", "cohort_category"], "enum"]]],
  ["much that is wrong", { name: "a/b", cohort_category: "x", cohort_transformation_file: "{", cohort_file: "" }, [
    [["body", "name"], "string_pattern_mismatch"],
    [["body", "cohort_category"], "enum"],
    [["body", "cohort_transformation_file"], "json_invalid"],
    [["body", "cohort_file"], "value_error"]
  ]]
]

const at = (url: unknown) => ({ source: { url } })

const wrongUrls: ReadonlyArray<Wrong> = [
  ["a long name", { name: "x".repeat(51) }, [[["body", "name"], "string_pattern_mismatch"]]],
  ["nothing", { name: undefined, source: undefined, cohort_transformation: undefined }, [
    [["body", "name"], "missing"],
    [["body", "source"], "missing"],
    [["body", "cohort_transformation"], "missing"]
  ]],
  ["no URL", { source: {} }, [[["body", "source", "url"], "missing"]]],
  ["a URL that is none", at(7), [[["body", "source", "url"], "string_type"]]],
  ...[
    "http://files.example/quiet",
    "ftp://files.example/quiet",
    "files.example/quiet",
    "",
    "https://quiet:word@files.example/",
    `https://files.example/quiet${"x".repeat(2_048)}`
  ].map((url): Wrong => [`the URL ${url.slice(0, 40)}`, at(url), [[["body", "source", "url"], "url_parsing"]]]),
  ["another source", { source: { ...urlBody.source, type: "bucket" } }, [[["body", "source", "type"], "enum"]]],
  ...placed(wrongMappings, ["body", "cohort_transformation"]).map(([title, body, problems]): Wrong => [
    `a transformation with ${title}`,
    { cohort_transformation: body },
    problems
  ]),
  ["an unknown category", { cohort_category: "friends" }, [[["body", "cohort_category"], "enum"]]],
  ["a bad URL and a bad transformation", { ...at("http://files.example/quiet"), cohort_transformation: {} }, [
    [["body", "source", "url"], "url_parsing"],
    [["body", "cohort_transformation", "phone_number"], "missing"]
  ]]
]

const one = (change: object) => ({ users: [{ user_phone_number: "9876543210", ...change }] })
const inUser = (...keys: ReadonlyArray<string | number>) => ["body", "users", 0, ...keys]
const somebody = { user_phone_number: "9876543210" }

const wrongContacts: ReadonlyArray<Wrong> = [
  ["a long name", { name: "x".repeat(51) }, [[["body", "name"], "string_pattern_mismatch"]]],
  ["no people", { users: [] }, [[["body", "users"], "too_short"]]],
  ["1,001 people", { users: Array.from({ length: 1_001 }, () => somebody) }, [[["body", "users"], "too_long"]]],
  ["no list", { users: somebody }, [[["body", "users"], "list_type"]]],
  ["a user that is none", { users: ["9876543210"] }, [[inUser(), "object_type"]]],
  ["no number", one({ user_phone_number: undefined }), [[inUser("user_phone_number"), "missing"]]],
  ["a number that is no text", one({ user_phone_number: 9876543210 }), [[inUser("user_phone_number"), "string_type"]]],
  ["an identifier that is no text", one({ user_identifier: 7 }), [[inUser("user_identifier"), "string_type"]]],
  ["a variable that is no text", one({ app_variables: { customer_name: 7 } }), [
    [inUser("app_variables", "customer_name"), "string_type"]
  ]],
  ["variables that are a list", one({ app_variables: [] }), [[inUser("app_variables"), "object_type"]]],
  ["an undeclared variable", one({ app_variables: { balance: "7" } }), [
    [inUser("app_variables", "balance"), "value_error"]
  ]],
  ["an unknown override", one({ app_overrides: { greeting: "Hello" } }), [
    [inUser("app_overrides", "greeting"), "value_error"]
  ]],
  ["a variable that no object can keep", one({ app_variables: JSON.parse(`{"__proto__":"x"}`) }), [
    [inUser("app_variables", "__proto__"), "value_error"]
  ]],
  ["more variables than columns", {
    users: [somebody, {
      ...somebody,
      app_variables: Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`v${index}`, ""]))
    }]
  }, [[["body", "users", 1, "app_variables"], "value_error"]]],
  ["an unknown category", { cohort_category: "friends" }, [[["body", "cohort_category"], "enum"]]],
  ["much that is wrong", { name: "a/b", users: [somebody, {}, somebody, { user_phone_number: null }] }, [
    [["body", "name"], "string_pattern_mismatch"],
    [["body", "users", 1, "user_phone_number"], "missing"],
    [["body", "users", 3, "user_phone_number"], "string_type"]
  ]]
]

const titled = (wrongs: ReadonlyArray<Wrong>) => wrongs.map(([title, body, expected]) => ({ title, body, expected }))

/** The largest list of contacts that must fit into a request. */
const manyPeople = JSON.stringify({
  name: "June",
  users: Array.from({ length: 1_000 }, (_, index) => ({
    user_phone_number: `98765${10_000 + index}`,
    app_variables: Object.fromEntries(Array.from({ length: 50 }, (_, name) => [`variable_${name}`, "x".repeat(180)]))
  }))
})

const largest = 10_485_760

/** Cohorts of every source, for deployments and campaigns. */
export const cohortsSuite = (way: Way) =>
  describe(`cohorts over ${way.name}`, () => {
    const server = served(way)
    const cohorts = { deployment: "", campaign: "" }

    const post = (path: string, body: unknown) => sendRequest(server, path, { method: "POST", body })

    beforeAll(async () => {
      const desk = await post(`${workspace}/deployments`, deploymentBody())
      cohorts.deployment = `${workspace}/deployments/${desk.json.deployment_id}/cohorts`
      const app_config = { ...campaignBody.app_config, app_id: "reminders" }
      const campaign = await post(`${workspace}/campaigns`, { ...campaignBody, app_config })
      cohorts.campaign = `${workspace}/campaigns/${campaign.json.campaign_id}/cohorts`
    })

    const fileOf = (path: string, type: string) => sendRequest(server, `${path}/files?file_type=${type}`)

    const accepted = async (path: string, body: unknown, owner: keyof typeof cohorts) => {
      const { json, status, text } = await post(`${cohorts[owner]}${path}`, body)
      assert.strictEqual(status, 200, text)
      assert.deepStrictEqual(
        [json.status, json.result, json.failure_reason, json.progress],
        ["processing", null, null, { total_records: 0, valid_records: 0, rejected_records: 0, percent: 0 }]
      )
      assert.notInclude(text, "quiet")
      return { json, at: `${cohorts[owner]}/${json.cohort_id}` }
    }

    const result = { total_records: 2, valid_records: 1, rejected_records: 1 }

    describe.each(["deployment", "campaign"] as const)("of a %s", (owner) => {
      it("are fetched from a URL", async () => {
        const cohort_transformation = mapping({})
        const source = { url: testDownload.url }
        const { at, json } = await accepted("", { name: " June ", source, cohort_transformation }, owner)
        assert.deepStrictEqual([json.name, json.source_type, json.cohort_category], [
          "June",
          "pre_signed_url",
          "cohort"
        ])
        const cohort = await settled(server, at)
        assert.deepStrictEqual([cohort.status, cohort.result, cohort.progress], ["completed", result, null])
        assert.strictEqual((await fileOf(at, "cohort")).text, testDownload.csv)
        assert.deepStrictEqual((await fileOf(at, "cohort_transformation")).json, cohort_transformation)
        assert.include((await fileOf(at, "rejected_records")).text, "nobody,Ravi,invalid_phone_number")
      })

      it("fail without revealing the URL when it has no file", async () => {
        const { at } = await accepted("", urlBody, owner)
        const cohort = await settled(server, at)
        assert.deepStrictEqual([cohort.status, cohort.result, cohort.progress], ["failed", null, null])
        assert.isAbove(cohort.failure_reason.length, 10)
        assert.notMatch(JSON.stringify(cohort), /quiet|example/)
        assert.strictEqual((await fileOf(at, "cohort")).status, 404)
      })

      it("are created from a list of contacts", async () => {
        const { at, json } = await accepted("/stream", contactsBody, owner)
        assert.strictEqual(json.source_type, "stream")
        assert.deepStrictEqual((await settled(server, at)).result, result)
        assert.include((await fileOf(at, "cohort")).text, "9876543210,")
        assert.include((await fileOf(at, "rejected_records")).text, "invalid_phone_number")
        assert.property((await fileOf(at, "cohort_transformation")).json, "phone_number")
      })

      it("are listed, whatever their source", async () => {
        const { items } = (await sendRequest(server, `${cohorts[owner]}?limit=100`)).json
        const sources = items.map(({ source_type }: Json) => source_type)
        assert.includeMembers(sources, ["pre_signed_url", "stream"])
      })
    })

    it("of a campaign can be stop files", async () => {
      const forms = [
        ["/upload", formOf({ cohort_category: "stop_file" })],
        ["", { ...urlBody, cohort_category: "stop_file" }],
        ["/stream", { ...contactsBody, cohort_category: "stop_file" }]
      ] as const
      for (const [path, body] of forms) {
        const { at, json } = await accepted(path, body, "campaign")
        assert.strictEqual(json.cohort_category, "stop_file")
        assert.strictEqual((await settled(server, at)).cohort_category, "stop_file")
      }
    })

    it("of a deployment cannot be stop files", async () => {
      const forms = [
        ["/upload", formOf({ cohort_category: "stop_file" })],
        ["", { ...urlBody, cohort_category: "stop_file" }],
        ["/stream", { ...contactsBody, cohort_category: "stop_file" }]
      ] as const
      for (const [path, body] of forms) {
        const answer = await post(`${cohorts.deployment}${path}`, body)
        assert.strictEqual(answer.status, 422, answer.text)
        assert.deepStrictEqual(problems(answer), [[["body", "cohort_category"], "value_error"]])
      }
    })

    it("of a deployment may be empty", async () => {
      const { at } = await accepted("/upload", formOf({ cohort_file: "mobile,name\n" }), "deployment")
      assert.deepStrictEqual((await settled(server, at)).result, {
        total_records: 0,
        valid_records: 0,
        rejected_records: 0
      })
    })

    it("of a campaign that is over are rejected", async () => {
      const { campaign_id } = (await post(`${workspace}/campaigns`, campaignBody)).json
      const path = `${workspace}/campaigns/${campaign_id}`
      await sendRequest(server, `${path}/status`, { method: "PUT", body: { action: "cancel" } })
      for (const [source, body] of [["/upload", formOf({})], ["", urlBody], ["/stream", contactsBody]] as const) {
        const { json, status } = await post(`${path}/cohorts${source}`, body)
        assert.deepStrictEqual([status, json.error.code], [422, "unprocessable_entity_error"])
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
      const { at } = await accepted("/stream", manyPeople.padEnd(largest), "deployment")
      assert.strictEqual((await settled(server, at)).result.valid_records, 1_000)
      await accepted("/stream", inChunks(JSON.stringify(contactsBody).padEnd(largest)), "deployment")
      for (const surplus of [manyPeople.padEnd(largest + 1), inChunks(manyPeople.padEnd(largest + 1))]) {
        assert.strictEqual((await post(`${cohorts.deployment}/stream`, surplus)).status, 413)
      }
    })
  })
