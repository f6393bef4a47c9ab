import express from "express"
import { readFileSync } from "node:fs"
import { createTrunkline, openai, scripted, verifyWebhook } from "trunkline"

const { CSV = "people.csv", DATA = ".trunkline", OPENAI_API_KEY, PORT = "8791", SPEED = "1" } = process.env
const secret = process.env["WEBHOOK_SECRET"] ?? "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

const trunkline = await createTrunkline({
  data: DATA,
  agents: [{
    app_id: "reminder",
    prompt: "Remind {{name}} of a bill of {{amount}} rupees, and say how it can be paid.",
    tools: [{
      name: "payment_link",
      description: "Sends a payment link to the caller",
      run: async (_, { variables }) => `Sent a link over ${variables["amount"]} rupees to ${variables["name"]}`
    }]
  }],
  lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
  model: OPENAI_API_KEY ? openai({ apiKey: OPENAI_API_KEY, model: "gpt-4o-mini" }) : scripted(),
  simulator: { speed: Number(SPEED) },
  allowInsecureUrls: true, // The webhook of this example goes to this machine, without TLS.
  allowPrivateUrls: true
})

const allowed_days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const
// A restart goes on with the campaign that is already there.
const { items: [existing] } = await trunkline.campaigns.list()
const { campaign_id } = existing ?? await trunkline.campaigns.create({
  name: "Bills",
  app_config: {
    app_id: "reminder",
    app_version: 1,
    attempts_per_second: 5,
    connection_configs: [{ connection_id: "line", phone_numbers: ["+911140000001"] }],
    webhook_config: { url: `http://127.0.0.1:${PORT}/hook`, secret }
  },
  start_timestamp: new Date().toISOString(),
  end_timestamp: "2100-01-01T00:00:00Z",
  allowed_schedule: { allowed_start_time: "00:00", allowed_end_time: "24:00", allowed_days }
})
if ((await trunkline.cohorts.listOfCampaign(campaign_id)).total === 0) {
  const column = (column_name: string) => ({ column_name })
  const columns = { phone_number: column("phone"), app_variables: { name: column("name"), amount: column("amount") } }
  const file = { cohort_file: readFileSync(CSV), cohort_transformation_file: JSON.stringify(columns) }
  await trunkline.cohorts.uploadToCampaign(campaign_id, { name: "People", ...file })
}

const app = express()
app.use("/voice", trunkline.express())
app.get("/progress", async (_, response) => response.json(await trunkline.campaigns.progress(campaign_id)))
app.post("/hook", express.raw({ type: "application/json" }), ({ body, headers }, response) => {
  verifyWebhook(body, headers, secret) // throws, and the answer is an error
  console.log("verified", headers["webhook-id"])
  response.sendStatus(204)
})
const server = app.listen(Number(PORT), () => console.log("ready"))
process.once("SIGTERM", () => server.close(() => trunkline.close()))
