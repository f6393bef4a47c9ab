import { createTrunkline, streamingTranscriber, transcriberServer } from "trunkline"
import { serveSite } from "./serve-site.js"

const { DEEPGRAM_API_KEY: apiKey, TRANSCRIBER_URL: baseUrl } = process.env
if (apiKey === undefined && baseUrl === undefined) {
  console.error(
    "Nothing would hear you. Set DEEPGRAM_API_KEY, or TRANSCRIBER_URL to a server such as http://127.0.0.1:8080/v1"
  )
  process.exit(1)
}

const trunkline = await createTrunkline({
  data: ".trunkline",
  transcriber: apiKey === undefined
    ? transcriberServer({ baseUrl: baseUrl ?? "" })
    : streamingTranscriber({ dialect: "deepgram", apiKey }),
  agents: [{
    app_id: "desk",
    variables: ["name"],
    script: [
      {
        id: "ask",
        say: "Hello {{name}}, this is the library. Would you like to know our hours, or to renew a book?",
        expect: [
          { match: ["hours", "open"], go: "hours" },
          { match: ["renew", "book"], go: "renew" }
        ]
      },
      { id: "hours", say: "We are open from nine to six, Monday to Saturday.", listen: false, otherwise: "goodbye" },
      { id: "renew", say: "Your book is renewed for two weeks.", listen: false, otherwise: "goodbye" }
    ]
  }]
})

const site = await serveSite(trunkline, { agent: "desk", port: 8790 })
console.log(`Call the library at ${site.url}`)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, site.close)
