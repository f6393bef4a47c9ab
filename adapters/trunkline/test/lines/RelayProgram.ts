// A program with a line of words, that the test kills in the middle of sentences: node RelayProgram.ts SETTINGS. It takes numbers
// to call from its parent, and tells it what happens. Each booking is a line of a file.
import { appendFileSync } from "node:fs"
import { createTrunkline } from "trunkline"
import { answerTo, type RelaySettings } from "./RelayTalk.js"

const settings: RelaySettings = JSON.parse(process.argv[2] ?? "{}")
const { apiUrl, bookings, data, database, options, publicUrl } = settings
const tell = (news: object): void => void process.send?.(news)
const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const trunkline = await createTrunkline({
  data,
  ...(database !== "" && { database, secret: "a secret that all engines of the test have" }),
  // A process of the same machine is known to have ended at once; a lease that is short would end calls of one that is only late.
  leaseSeconds: database === "" ? 3 : 15,
  agents: [{
    app_id: "desk",
    first_message: "Hello, how can I help you?",
    tools: [{
      name: "book",
      description: "Books a table",
      run: async (_, { attempt_id }) => {
        appendFileSync(bookings, `${attempt_id}\n`)
        await pause(100)
        return "booked"
      }
    }]
  }],
  model: {
    async *stream({ messages }) {
      for (const piece of answerTo(messages)) {
        await pause(30)
        yield piece
      }
    }
  },
  lines: [{
    connection_id: "line",
    provider: "twilio-relay",
    phone_numbers: ["+911140000001"],
    options: { public_url: publicUrl, api_url: apiUrl, poll_seconds: 1, ...options }
  }],
  allowInsecureUrls: true,
  allowPrivateUrls: true,
  limits: false,
  logLevel: "error",
  onCallEnded: ({ attempt_id, completion_status, failure_reason, transcript }) =>
    tell({ _tag: "Ended", attempt_id, completion_status, failure_reason, transcript: transcript ?? [] })
})
process.once("disconnect", () => process.exit(0))
process.once("SIGTERM", () => {
  const stop = async () => {
    await trunkline.drain({ seconds: 20 })
    await trunkline.close()
  }
  void stop().finally(() => process.exit(0))
})
process.on("message", (to) => {
  void trunkline.calls.create({ agent: "desk", to: String(to) }).then(
    ({ attempt_id }) => tell({ _tag: "Placed", to, attempt_id }),
    (error) => tell({ _tag: "Refused", to, reason: String(error) })
  )
})
const { url } = await trunkline.listen({ port: 0 })
tell({ _tag: "Ready", port: Number(new URL(url).port) })
