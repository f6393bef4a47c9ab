import { Listener } from "@trunkline/speech"
import { listenerLaws } from "@trunkline/speech/testing"
import { deepgram, ListenerWebSocket, vosk } from "@trunkline/transcriber-websocket"
import { deepgramServer, speechServer, voskServer } from "@trunkline/transcriber-websocket/testing"
import { Effect, Layer } from "effect"
import { say } from "./Say.js"

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
