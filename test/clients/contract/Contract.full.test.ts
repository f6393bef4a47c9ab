import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createTrunkline, type PlainVoice, type Trunkline } from "trunkline"
import { answerFaults, bodyFaults, type Operation, operations } from "./Document.js"
import { badCases, type Case, goodCase, type Valid } from "./Requests.js"

let trunkline: Trunkline
let url = ""
let key = ""
const ids: Record<string, string> = {
  org_id: "main",
  workspace_id: "main",
  app_id: "reminder",
  agent_id: "reminder",
  connection_id: "line",
  model_id: "core-105b",
  number: "+919876500001"
}

const number = "+911140000001"
const appConfig = { app_id: "reminder", app_version: 1 }
const campaign = {
  name: "June",
  app_config: {
    ...appConfig,
    connection_configs: [{ connection_id: "line", phone_numbers: [number] }],
    webhook_config: { url: "https://example.com/hook" }
  },
  start_timestamp: "2090-06-01T00:00:00Z",
  end_timestamp: "2090-07-01T00:00:00Z",
  allowed_schedule: { allowed_start_time: "09:00", allowed_end_time: "18:00", allowed_days: ["Monday"] as const }
}
const deployment = {
  name: "Desk",
  ...appConfig,
  connection_configs: [{ connection_id: "line", phone_numbers: ["+911140000002"] }]
}
const transformation = JSON.stringify({ phone_number: { column_name: "phone" } })

/** A second of a tone, as a WAV file. */
const clip = (): Blob => {
  const bytes = new DataView(new ArrayBuffer(44 + 32_000))
  const text = (at: number, value: string) =>
    Array.from(value).forEach((c, index) => bytes.setUint8(at + index, c.charCodeAt(0)))
  text(0, "RIFF")
  bytes.setUint32(4, 36 + 32_000, true)
  text(8, "WAVEfmt ")
  bytes.setUint32(16, 16, true)
  bytes.setUint16(20, 1, true)
  bytes.setUint16(22, 1, true)
  bytes.setUint32(24, 16_000, true)
  bytes.setUint32(28, 32_000, true)
  bytes.setUint16(32, 2, true)
  bytes.setUint16(34, 16, true)
  text(36, "data")
  bytes.setUint32(40, 32_000, true)
  for (let at = 0; at < 16_000; at++) bytes.setInt16(44 + 2 * at, 8_000 * Math.sin(at / 10), true)
  return new Blob([bytes.buffer], { type: "audio/wav" })
}

/** A voice that hums for a tenth of a second. */
const tone: PlainVoice = {
  cloning: "zero-shot",
  async *speak() {
    yield Float32Array.from({ length: 2_400 }, (_, at) => Math.sin(at / 10) / 4)
  }
}

const formOf = (parts: Readonly<Record<string, string | Blob>>): FormData => {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === "string") form.append(name, part)
    else form.append(name, part, "file")
  }
  return form
}

const cohortForm = () =>
  formOf({
    name: "People",
    cohort_transformation_file: new Blob([transformation]),
    cohort_file: new Blob(["phone\n9876543210\n"])
  })
const range = { start_datetime: "2026-01-01T00:00:00Z", end_datetime: "2026-02-01T00:00:00Z" }
const speech = () => formOf({ text: "Hello", language_code: "en-IN", voice_id: ids["voice_id"] ?? "" })
const users = { name: "People", users: [{ user_phone_number: "+919876543210", app_variables: { name: "Asha" } }] }
const messages = [{ role: "user", content: "Hello" }]

/** Agents that were created, and revisions of one and of its draft, which each change raises. */
let agents = 0
const revisions = { agent: 1, version: 1 }

/** Bodies where the example of the document names what this server does not have. */
const bodies: Readonly<Record<string, () => unknown>> = {
  "deployments.create": () => ({
    ...deployment,
    connection_configs: [{ connection_id: "line", phone_numbers: ["+911140000003"] }]
  }),
  "deployments.update": () => ({ name: "Front desk" }),
  "campaigns.create": () => campaign,
  "campaigns.update": () => ({ description: "Of June" }),
  "campaigns.rehearse": () => ({ contacts: 3 }),
  "canaries.start": () => ({ app_version: 2 }),
  "canaries.updateStatus": () => ({ action: "stop" }),
  "webhooks.resend": () => ({ attempt_ids: [ids["attempt_id"]] }),
  "cohorts.preview": () => ({ csv: "phone\n9876543210\n" }),
  "campaigns.cohorts.add": () => users,
  "deployments.cohorts.add": () => users,
  "campaigns.cohorts.upload": cohortForm,
  "deployments.cohorts.upload": cohortForm,
  "knowledge.add": () => formOf({ source: "shops.md", file: new Blob(["# Shops\n\nOpen from ten to eight."]) }),
  "knowledge.search": () => ({ question: "When are you open?" }),
  "calls.talk": () => ({ app_id: "reminder", agent_variables: { name: "Ravi" } }),
  "agents.create": () => ({ app_id: `night-${++agents}`, version: {} }),
  "agents.update": () => ({ revision: revisions.agent, name: "Front desk" }),
  "agents.versions.create": () => ({}),
  "agents.versions.update": () => ({ revision: revisions.version, first_message: "Good evening" }),
  "agents.versions.commit": () => ({ revision: revisions.version }),
  "agents.talk": () => ({ agent_variables: { name: "Ravi" } }),
  "outbounds.start": () => ({
    app_config: { ...appConfig, connection_config: { connection_id: "line", agent_phone_number: number } },
    user_config: { user_phone_number: "+919876543210" }
  }),
  "boards.update": () => ({ name: "Calls of June" }),
  "boards.tabs.update": () => ({ name: "Today" }),
  "boards.widgets.update": () => ({ name: "Answered" }),
  "boards.filters.update": () => ({ display_label: "Since" }),
  "boards.widgets.run": () => ({ filter_values: {} }),
  "boards.tabs.run": () => ({ filter_values: {} }),
  "notifications.create": () => ({
    widget_id: ids["widget_id"],
    cron: "0 9 * * *",
    email_recipients: ["a@example.com"]
  }),
  "notifications.update": () => ({ cron: "0 10 * * *" }),
  "chat.completions.createCore": () => ({ model: "core-105b", messages }),
  "chat.completions.create": () => ({ model: "core-105b", messages }),
  "voices.create": () => formOf({ name: "Asha", language: "en-IN", ref_text: "Hello", file: clip() }),
  "voices.speak": speech,
  "voices.generate": speech
}

const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "analytics.attempts": range,
  "analytics.interactions": range,
  "agents.versions.differences": { base_version: "1" },
  "campaigns.cohorts.file": { file_type: "cohort" },
  "deployments.cohorts.file": { file_type: "cohort" }
}

/** Statuses of valid requests about what this server does not have. */
const elsewhere: Readonly<Record<string, ReadonlyArray<number>>> = {
  "carrierEvents.receive": [404],
  "carrierEvents.ask": [404],
  "carrierEvents.stream": [422],
  "browserCalls.open": [422],
  "analytics.recording": [404],
  "responses.get": [404],
  "canaries.start": [422],
  "canaries.updateStatus": [422]
}

/** Operations on an agent of the workspace; others are about one of code. */
const ofWorkspace = /^agents\.(update|versions\.)/

const validOf = ({ bodies: types, id, path }: Operation): Valid => {
  const made = bodies[id]
  const owner = path.includes("/deployments/") ? "deployments" : "campaigns"
  return {
    ids: {
      ...ids,
      cohort_id: ids[`${owner} cohort_id`] ?? "",
      ...(ofWorkspace.test(id) && { agent_id: "front", app_version: "1" })
    },
    query: queries[id] ?? {},
    ...(types["application/json"] === undefined && made === undefined
      ? {}
      : { body: made === undefined ? types["application/json"]?.example : made() })
  }
}

const send = ({ init, path }: Case): Promise<Response> => fetch(`${url}${path}`, init)

beforeAll(async () => {
  trunkline = await createTrunkline({
    data: ":memory:",
    limits: false,
    voices: [tone],
    transcriber: { transcribe: async () => "" },
    agents: [{ app_id: "reminder", first_message: "Hello {{name}}" }],
    lines: [{
      connection_id: "line",
      provider: "simulator",
      phone_numbers: [number, "+911140000002", "+911140000003"],
      max_channels: 200
    }],
    simulator: { speed: 60 },
    logLevel: "none"
  })
  const { attempt_id, ended } = await trunkline.calls.create({
    agent: "reminder",
    to: "+919876543211",
    variables: { name: "Ravi" }
  })
  const { interaction_id } = await ended
  const { campaign_id } = await trunkline.campaigns.create(campaign)
  const { deployment_id } = await trunkline.deployments.create(deployment)
  const form = { name: "People", cohort_file: "phone\n9876543210\n", cohort_transformation_file: transformation }
  const { id: board_id } = await trunkline.boards.create({ name: "Calls" })
  const { id: tab_id } = await trunkline.boards.createTab(board_id, { name: "Today" })
  const sql =
    "SELECT 'June' AS day, count(*) AS calls FROM EngagementFactsBoardsView WHERE effective_datetime > {{since}}"
  const chart = { viz_type: "bar", viz_config: { x_axis: "day", y_axis: ["calls"] } } as const
  const filters = [{
    internal_name: "since",
    display_label: "Since",
    filter_type: "date",
    default_value: "today-7d"
  }] as const
  const { id: widget_id } = await trunkline.boards.createWidget(board_id, { name: "Count", sql, filters, ...chart })
  const [filter] = (await trunkline.boards.filters(board_id)).filters
  const { rule_id } = await trunkline.notifications.create(board_id, {
    widget_id,
    cron: "0 9 * * *",
    email_recipients: ["a@example.com"]
  })
  const voice = await trunkline.voices.create({ name: "Asha", language: "en-IN", file: clip(), ref_text: "Hello" })
  const { document_id } = await trunkline.knowledge.add({ source: "hours.md", file: "Open daily." })
  await trunkline.agents.create({ app_id: "front", version: { first_message: "Hello" } })
  await trunkline.blockedNumbers.add({ phone_numbers: [ids["number"] ?? ""] })
  Object.assign(ids, {
    attempt_id,
    document_id,
    interaction_id,
    campaign_id,
    deployment_id,
    board_id,
    tab_id,
    widget_id,
    rule_id,
    filter_id: filter?.id,
    voice_id: voice.voice_id,
    "campaigns cohort_id": (await trunkline.cohorts.uploadToCampaign(campaign_id, form)).cohort_id,
    "deployments cohort_id": (await trunkline.cohorts.uploadToDeployment(deployment_id, form)).cohort_id
  })
  key = (await trunkline.keys.create({ features: ["beta"] })).key
  url = (await trunkline.listen({ port: 0, host: "127.0.0.1" })).url
})
afterAll(() => trunkline?.close())

describe("the document of the HTTP interface", () => {
  for (const operation of operations) {
    it(`${operation.id} answers as it is declared, to good and to bad requests`, async () => {
      const valid = validOf(operation)
      const faults: Array<string> = []
      const note = (about: string, found: ReadonlyArray<string>) =>
        faults.push(...found.map((fault) => `${about}: ${fault}`))

      for (const bad of badCases(operation, valid, key)) {
        const response = await send(bad)
        const { status } = response
        note(bad.about, await answerFaults(operation, response))
        if (status >= 500) note(bad.about, [`is answered with ${status}`])
        const refused = "body" in bad ? bodyFaults(operation, "application/json", bad.body) : []
        if (refused.length > 0 && status < 400) note(bad.about, [`is accepted, though ${refused[0]}`])
      }

      revisions.agent = (await trunkline.agents.get("front")).revision ?? 1
      revisions.version = (await trunkline.agents.getVersion("front", 1)).revision ?? 1
      const good = goodCase(operation, validOf(operation), key)
      if ("body" in good && good.body !== undefined) note("valid", bodyFaults(operation, "application/json", good.body))
      const response = await send(good)
      const expected = elsewhere[operation.id] ?? [200, 201, 202, 204]
      if (!expected.includes(response.status)) {
        note("valid", [`is answered with ${response.status} ${await response.clone().text()}`])
      }
      note("valid", await answerFaults(operation, response))
      assert.strictEqual(faults.join("\n"), "")
    })
  }
})
