import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric } from "effect"
import { openai, type Trunkline } from "trunkline"
import { startCollector } from "../../../../test/setup/Collector.js"
import { collect, later, line, withTrunkline } from "../Fixtures.js"
import { sendCompletion, startServer } from "./ModelServer.js"

/** Texts that must appear nowhere: parts of phone numbers, keys, addresses and what is said. */
const seeds = /98765|quiet|sk_(?:test|live)_|whsec_|Yes, speaking/

const phone = "+919876543210"
const key = "sk_test_main_quietquietquietquiet0"

/** Message of errors: of what it holds, a pattern finds all. */
const leak =
  `${phone}, 98765 43210, ${key}, password=quiet, https://me:quiet@host.example/quiet?quiet=1, Bearer quiet.quiet`

/** Words that are said and known in calls. */
const words = `Call me at nine eight, says the quiet caller of ${leak}`

/** Path of a webhook: only its host may be shown. */
const secretPath = "/quiet/hook?token=quiet"

const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const

/** Runs a campaign of two contacts whose webhook fails. */
const campaign = async (trunkline: Trunkline, url: string) => {
  const { campaign_id } = await trunkline.campaigns.create({
    name: "quiet campaign",
    app_config: {
      app_id: "desk",
      app_version: 1,
      connection_configs: [{ connection_id: "line", phone_numbers: ["+911140000001"] }],
      webhook_config: { url: `${url}${secretPath}`, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }
    },
    start_timestamp: "2020-01-01T00:00:00Z",
    end_timestamp: "2100-01-01T00:00:00Z",
    allowed_schedule: { allowed_start_time: "00:00", allowed_end_time: "24:00", allowed_days: days }
  })
  await trunkline.cohorts.uploadToCampaign(campaign_id, {
    name: "quiet people",
    cohort_file: Buffer.from("phone,name\n9876543211,Quiet quiet\n9876543212,Quiet quiet\nquiet,quiet\n"),
    cohort_transformation_file: JSON.stringify({
      phone_number: { column_name: "phone" },
      app_variables: { name: { column_name: "name" } }
    })
  })
}

/** Requests over HTTP with keys, numbers and broken bodies. */
const requests = async (url: string) => {
  const base = `${url}/v1/orgs/main/workspaces/main`
  const headers = { "api-subscription-key": key, authorization: "Bearer quiet", "content-type": "application/json" }
  await fetch(`${base}/deployments?search=%2B919876543210`, { headers })
  await fetch(`${base}/blocked-numbers`, { method: "POST", headers, body: JSON.stringify({ phone_numbers: [phone] }) })
  await fetch(`${base}/outbounds`, { method: "POST", headers, body: `{"quiet": ${leak}` })
  await fetch(`${base}/${encodeURIComponent(leak)}`, { headers })
  await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ model: "core-105b", messages: [{ role: "user", content: words }] })
  })
}

const access = {
  accounts: [{ account_id: "main", plan: "business" as const }],
  workspaces: [{ org_id: "main", workspace_id: "main", account_id: "main" }],
  keys: [{ key, account_id: "main" }]
}

describe("phones, keys, URLs and transcripts that are seeded through calls, a campaign, HTTP and failures", () => {
  it.scopedLive("appear in no log, span or metric", () =>
    Effect.gen(function*() {
      const collector = yield* startCollector()
      let askedCount = 0
      const model = yield* startServer((_, response) => {
        askedCount += 1
        if (askedCount % 3 === 0) return void response.writeHead(400).end(JSON.stringify({ error: { message: leak } }))
        sendCompletion(
          response,
          askedCount % 3 === 1
            ? { text: "", tool: { name: "table", arguments: JSON.stringify({ said: words }) } }
            : { text: "A quiet goodbye.", tool: { name: "end_call", arguments: "{}" } }
        )
      })
      const hooked = later<void>()
      const hook = yield* startServer((_, response) => {
        hooked.resolve()
        response.writeHead(500, { "x-quiet": "quiet" }).end(leak)
      })
      const logged: Array<string> = []
      const log = (message: string) => void logged.push(message)
      const faults: Array<unknown> = []
      yield* Effect.promise(() =>
        withTrunkline({
          access,
          agents: [{
            app_id: "desk",
            prompt: `Be quiet. ${words}`,
            tools: [{
              name: "table",
              description: "Books",
              run: () => {
                throw new Error(leak, { cause: new Error(leak) })
              }
            }]
          }],
          model: openai({ baseUrl: `${model.url}/v1`, apiKey: "sk-quietquietquiet" }),
          lines: [line],
          onCallEnded: () => Promise.reject(new Error(leak)),
          onError: (fault) => void faults.push(fault),
          logger: { debug: log, info: log, warn: log, error: log },
          logLevel: "debug",
          telemetry: { endpoint: collector.endpoint, headers: { "x-key": "quiet" } },
          allowInsecureUrls: true,
          allowPrivateUrls: true
        }, async (trunkline) => {
          const variables = { name: "Quiet", note: words }
          await campaign(trunkline, hook.url)
          const calls = [1, 2, 3].map((last) =>
            trunkline.calls.create({ agent: "desk", to: `+91987654321${last}`, variables })
          )
          for (const call of calls) await (await call).ended
          const { url, close } = await trunkline.listen({ port: 0 })
          await requests(url)
          await close()
          await hooked.promise
          await collect(trunkline.campaigns.list())
        })
      )
      const metrics = (yield* Metric.snapshot).map(({ metricKey: { name, tags } }) => [name, tags])
      const bodies = collector.bodies.join("\n")
      assert.match(bodies, /call outbound[^]*execute_tool table/)
      assert.include(bodies, "POST /v1/chat/completions")
      assert.match(logged.join("\n"), /The tool table failed/)
      assert.isAbove(faults.length, 0)
      assert.match(String(hook.received[0]?.headers["traceparent"]), /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
      assert.include(JSON.stringify(model.received), "quiet caller")
      const told = [...logged, ...collector.bodies, ...metrics.map((metric) => JSON.stringify(metric))]
      assert.deepStrictEqual(
        told.flatMap((text) =>
          Array.from(text.matchAll(new RegExp(`.{0,80}(?:${seeds.source}).{0,20}`, "g")), ([found]) => found)
        ),
        []
      )
    }))
})
