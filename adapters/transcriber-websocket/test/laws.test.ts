import { Listener } from "@trunkline/speech"
import { listenerLaws } from "@trunkline/speech/testing"
import { deepgram, ListenerWebSocket, vosk } from "@trunkline/transcriber-websocket"
import { Effect, Layer } from "effect"
import { deepgramServer, say, voskServer } from "./Protocols.js"
import { speechServer } from "./SpeechServer.js"

const servers = {
  "Deepgram's protocol": [deepgramServer(), deepgram()],
  "Vosk's protocol": [voskServer(), vosk()],
  "Vosk's protocol, an old server": [voskServer({ isOld: true }), vosk({ flush: "silence" })]
} as const

for (const [name, [protocol, dialect]] of Object.entries(servers)) {
  const live = Layer.scoped(
    Listener,
    Effect.flatMap(
      speechServer(protocol),
      ({ url }) => ListenerWebSocket.make({ url, dialect, allowInsecureUrls: true, allowPrivateUrls: true })
    )
  )
  listenerLaws(name, live, { say })
}
