import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../src/server/metrics/MetricsReader.js"
import { withTrunkline } from "../Fixtures.js"
import { growthOf, samplesOf } from "./Text.js"

const everyDay = {
  allowed_start_time: "00:00",
  allowed_end_time: "24:00",
  allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
} as const

/** A receiver that does not take the result of a busy call. */
const startReceiver = async () => {
  const server = createServer((request, response) => {
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      response.writeHead(Buffer.concat(pieces).toString().includes("\"busy\"") ? 500 : 200).end()
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hooks/of-acme`, close: () => server.close() }
}

const csv = [
  "phone,id,name",
  "9812345670,person-4711,Asha",
  "9812345671,person-4712,Ravi",
  "9812345672,person-4713,Meera",
  "none,person-4714,Noor"
].join("\n")

describe("the metrics of an engine", () => {
  it("count what a campaign did, and name nobody", async () => {
    const receiver = await startReceiver()
    await withTrunkline({
      allowInsecureUrls: true,
      allowPrivateUrls: true,
      simulator: { speed: 250, rules: [{ suffix: "2345671", callee: "busy" }] }
    }, async (trunkline) => {
      const before = await trunkline.metrics()
      const now = Date.now()
      const { campaign_id } = await trunkline.campaigns.create({
        name: "Reminders of Acme",
        app_config: {
          app_id: "reminder",
          app_version: 1,
          connection_configs: [{ connection_id: "line", phone_numbers: ["+911140000001"] }],
          webhook_config: { url: receiver.url }
        },
        start_timestamp: new Date(now - 60_000),
        end_timestamp: new Date(now + 86_400_000_000),
        allowed_schedule: everyDay
      })
      const { cohort_id } = await trunkline.cohorts.uploadToCampaign(campaign_id, {
        name: "People of Acme",
        cohort_file: csv,
        cohort_transformation_file: JSON.stringify({
          phone_number: { column_name: "phone" },
          user_identifier: { column_name: "id" },
          app_variables: { name: { column_name: "name" } }
        })
      })
      let after = await trunkline.metrics()
      const grown = () => growthOf(before, after)
      const sumOf = (name: string) =>
        Object.entries(grown()).reduce((sum, [sample, growth]) => sample.startsWith(name) ? sum + growth : sum, 0)
      while (sumOf("trunkline_attempts_total") < 3 || sumOf("trunkline_webhook_tries_total") < 3) {
        await trunkline.ready()
        after = await trunkline.metrics()
      }
      const { calls: left } = await trunkline.drain()
      after = await trunkline.metrics()
      assert.strictEqual(left, 0)
      assert.deepInclude(grown(), {
        "trunkline_attempts_total{kind=\"campaign\",outcome=\"busy\"}": 1,
        "trunkline_attempts_total{kind=\"campaign\",outcome=\"completed\"}": 2,
        "trunkline_call_duration_seconds_count": 2,
        "trunkline_dial_duration_seconds_count{result=\"taken\"}": 3,
        "trunkline_dial_lateness_seconds_count": 3,
        "trunkline_ring_duration_seconds_count{result=\"answered\"}": 2,
        "trunkline_ring_duration_seconds_count{result=\"not_answered\"}": 1,
        "trunkline_import_rows_total{result=\"rejected\"}": 1,
        "trunkline_import_rows_total{result=\"valid\"}": 3,
        "trunkline_imports_total{result=\"completed\"}": 1,
        "trunkline_webhook_tries_total{result=\"delivered\"}": 2,
        "trunkline_webhook_tries_total{result=\"retry\"}": 1,
        "trunkline_webhook_try_duration_seconds_count": 3
      })
      assert.strictEqual(samplesOf(after).get("trunkline_calls"), 0)
      assert.strictEqual(samplesOf(after).get("trunkline_outbox_webhooks"), 1)
      assert.strictEqual(samplesOf(after).get("trunkline_processes"), 1)
      assert.isUndefined(samplesOf(after).get("trunkline_database_log_bytes"), "a database in memory has none")

      const secrets = ["98123", "person-", "asha", "acme", "127.0.0.1", "http", "reminder", "911140000001"]
      for (const secret of [...secrets, campaign_id, cohort_id]) assert.notInclude(after.toLowerCase(), secret)
      assert.notMatch(after, /[0-9a-f]{8}-[0-9a-f]{4}/)
    })
    receiver.close()
  })
})
