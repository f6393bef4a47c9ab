import { assert, describe, it } from "@effect/vitest"
import {
  hasTools,
  pause,
  receive,
  receiveCall,
  requestOfCallee,
  respond,
  sdp,
  startKamailio,
  startSipp
} from "@trunkline/carrier-sip/testing"
import { Effect } from "effect"
import { createServer } from "node:http"
import { createTrunkline } from "trunkline"

/** People of the campaign; the last digit of a number says how they react. */
const people = Array.from({ length: 50 }, (_, index) => `98765432${String(index).padStart(2, "0")}`)

/** Reactions of numbers by their last digits: some are busy, some do not exist, the rest answer. */
const steps = [
  receiveCall({
    action: `<ereg regexp="sip:91[0-9]*[37]@" search_in="msg" assign_to="busy"/>` +
      `<ereg regexp="sip:91[0-9]*5@" search_in="msg" assign_to="invalid"/>`
  }),
  `<nop next="busy" test="busy"/>`,
  `<nop next="invalid" test="invalid"/>`,
  respond(180),
  respond(200, { body: sdp() }),
  receive("ACK"),
  pause(1_500),
  requestOfCallee("BYE"),
  `<recv response="200" next="end"/>`,
  `<label id="busy"/>`,
  respond(486),
  `<recv request="ACK" next="end"/>`,
  `<label id="invalid"/>`,
  respond(404),
  receive("ACK"),
  `<label id="end"/>`
]

const isFull = process.env["TEST_SCALE"] === "1"

/** Retries wait a minute, the shortest that a policy allows: run it with TEST_SCALE=1. */
describe.skipIf(!isFull || !hasTools("sipp", "kamailio"))("a campaign over SIP", () => {
  it.scopedLive("reaches 50 people through kamailio, retries those who are busy, and sends a webhook for each attempt", () =>
    Effect.gen(function*() {
      const calls = people.length + people.filter((number) => /[37]$/.test(number)).length
      const proxy = yield* startKamailio({ password: "unused" })
      const callees = yield* startSipp({ remote: null, steps, calls, timeout: 300 })
      const hooks: Array<string> = []
      const receiver = yield* Effect.acquireRelease(
        Effect.promise(() =>
          new Promise<ReturnType<typeof createServer>>((resolve) => {
            const server = createServer((request, response) => {
              hooks.push(String(request.headers["webhook-id"]))
              request.resume().on("end", () => response.writeHead(204).end())
            }).listen(0, "127.0.0.1", () => resolve(server))
          })
        ),
        (server) => Effect.sync(() => void server.close())
      )
      const address = receiver.address()
      const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook`
      const trunkline = yield* Effect.acquireRelease(
        Effect.promise(() =>
          createTrunkline({
            data: ":memory:",
            agents: [{ app_id: "reminder", first_message: "Hello {{name}}" }],
            lines: [{
              connection_id: "line",
              provider: "sip",
              phone_numbers: ["+911140000001"],
              options: {
                server: `sip:127.0.0.1:${proxy.port};transport=tcp`,
                local: { address: "127.0.0.1", port: 0 },
                max_lateness_millis: 10_000,
                to_uri: `sip:route-${callees.port}{digits}@{server}`
              }
            }],
            voices: [{
              rate: 8_000,
              async *speak() {
                yield new Float32Array(800).fill(0.1)
              }
            }],
            transcriber: { transcribe: () => Promise.resolve("") },
            allowInsecureUrls: true,
            allowPrivateUrls: true
          })
        ),
        (trunkline) => Effect.promise(() => trunkline.close())
      )
      const allowed_days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const
      const progress = yield* Effect.promise(async (signal) => {
        const { campaign_id } = await trunkline.campaigns.create({
          name: "Bills",
          app_config: {
            app_id: "reminder",
            app_version: 1,
            attempts_per_second: 10,
            connection_configs: [{ connection_id: "line", phone_numbers: ["+911140000001"] }],
            retry_config: { max_retries: 1, retry_interval_minutes: 1, retry_on: { busy: { enabled: true } } },
            webhook_config: { url, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }
          },
          start_timestamp: new Date().toISOString(),
          end_timestamp: "2100-01-01T00:00:00Z",
          allowed_schedule: { allowed_start_time: "00:00", allowed_end_time: "24:00", allowed_days }
        })
        const column = (column_name: string) => ({ column_name })
        await trunkline.cohorts.uploadToCampaign(campaign_id, {
          name: "People",
          cohort_file: Buffer.from(["phone,name", ...people.map((number, index) => `${number},P${index}`)].join("\n")),
          cohort_transformation_file: JSON.stringify({
            phone_number: column("phone"),
            app_variables: { name: column("name") }
          })
        })
        while (hooks.length < calls && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 500))
        return await trunkline.campaigns.progress(campaign_id)
      })
      yield* callees.outcome
      assert.strictEqual(new Set(hooks).size, calls)
      assert.strictEqual(progress.attempts, calls)
      assert.deepInclude(progress.outcomes, { partial: 35, busy: 20, failed: 5, provider_error: 0, unknown: 0 })
    }))
})
