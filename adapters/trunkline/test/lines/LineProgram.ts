// A program with a SIP line and a database, that the test kills in the middle of calls: node LineProgram.ts FOLDER SERVER-PORT
// LOCAL-PORT [PEOPLE]. With people, it starts a campaign. It prints each call that has ended, as JSON, and stops on SIGTERM.
import { createTrunkline } from "trunkline"

const [folder = "", server = "", local = "", people = ""] = process.argv.slice(2)
const line = "+911140000001"

/** A quiet tone as long as the text takes to say. */
async function* speak({ text }: { readonly text: string }) {
  for (let remaining = text.length * 500; remaining > 0; remaining -= 800) {
    yield new Float32Array(800).fill(0.05)
  }
}

const trunkline = await createTrunkline({
  data: folder,
  agents: [{
    app_id: "reminder",
    first_message: "Hello {{name}}. Your bill is due on Monday. Please say when you will pay it."
  }],
  lines: [{
    connection_id: "line",
    provider: "sip",
    phone_numbers: [line],
    max_channels: 2,
    options: {
      server: `sip:127.0.0.1:${server}`,
      local: { address: "127.0.0.1", port: Number(local) },
      max_lateness_millis: 10_000
    }
  }],
  callLimits: { inbound_share: 0 },
  voices: [{ rate: 8_000, speak }],
  transcriber: { transcribe: () => Promise.resolve("") },
  onCallEnded: ({ connectivity_status, failure_reason, transcript }) =>
    console.log(JSON.stringify({
      connectivity_status,
      failure_reason,
      transcript: transcript?.map(({ en_text, role }) => `${role}: ${en_text}`) ?? null
    }))
})

if (people !== "") {
  const { campaign_id } = await trunkline.campaigns.create({
    name: "Bills",
    app_config: {
      app_id: "reminder",
      app_version: 1,
      attempts_per_second: 10,
      connection_configs: [{ connection_id: "line", phone_numbers: [line] }]
    },
    start_timestamp: new Date().toISOString(),
    end_timestamp: "2100-01-01T00:00:00Z",
    allowed_schedule: {
      allowed_start_time: "00:00",
      allowed_end_time: "24:00",
      allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    }
  })
  await trunkline.cohorts.uploadToCampaign(campaign_id, {
    name: "People",
    cohort_file: Buffer.from(
      ["phone,name", ...people.split(",").map((name, index) => `987654320${index},${name}`)].join("\n")
    ),
    cohort_transformation_file: JSON.stringify({
      phone_number: { column_name: "phone" },
      app_variables: { name: { column_name: "name" } }
    })
  })
}
console.log("started")
process.once("SIGTERM", () => void trunkline.close().then(() => process.exit(0)))
