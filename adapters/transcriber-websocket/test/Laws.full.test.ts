import { assert, describe, it } from "@effect/vitest"
import { Listener } from "@trunkline/speech"
import { listenerLaws } from "@trunkline/speech/testing"
import {
  deepgram,
  flux,
  ListenerWebSocket,
  openAiRealtime,
  sarvamRealtime,
  scribe,
  vosk
} from "@trunkline/transcriber-websocket"
import {
  deepgramServer,
  fluxServer,
  openAiServer,
  type Problems,
  sarvamServer,
  scribeServer,
  speechServer,
  voskServer
} from "@trunkline/transcriber-websocket/testing"
import { Effect, Layer, Redacted } from "effect"
import { say } from "./Say.js"

const key = "secret-0123456789"
const problems: Problems = []

const servers = {
  "Deepgram's protocol": [deepgramServer(), deepgram()],
  "Deepgram's protocol of Flux": [fluxServer({ key, problems }), flux()],
  "Sarvam's protocol": [sarvamServer({ key, problems }), sarvamRealtime()],
  "ElevenLabs' protocol": [scribeServer({ key, problems }), scribe()],
  "OpenAI's protocol": [openAiServer({ key, problems }), openAiRealtime()],
  "Vosk's protocol": [voskServer(), vosk()],
  "Vosk's protocol, an old server": [voskServer({ isOld: true }), vosk({ flush: "silence" })]
} as const

for (const [name, [protocol, dialect]] of Object.entries(servers)) {
  const live = Layer.scoped(
    Listener,
    Effect.flatMap(
      speechServer(protocol),
      ({ url }) =>
        ListenerWebSocket.make({
          url,
          dialect,
          apiKey: Redacted.make(key),
          allowInsecureUrls: true,
          allowPrivateUrls: true
        })
    )
  )
  listenerLaws(name, live, { say })
}

describe("the messages to hosted providers", () => {
  it("were what their documentation says", () => assert.deepStrictEqual(problems, []))
})
