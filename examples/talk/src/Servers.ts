import type { AgentVersion } from "@trunkline/agents"
import { OpenAiModel } from "@trunkline/model-openai"
import { conversationModel } from "@trunkline/models"
import { ScriptedModel } from "@trunkline/scripted-model"
import { Listener, modemTranscriber } from "@trunkline/speech"
import { TranscriberOpenAi } from "@trunkline/speech-openai"
import { deepgram, ListenerWebSocket, vosk } from "@trunkline/transcriber-websocket"
import { Layer, type Redacted } from "effect"
import type { Arguments, TranscriberServer } from "./Arguments.js"

const keyOf = (apiKey: Redacted.Redacted | null) => apiKey === null ? {} : { apiKey }

/** The language model of the command line; the scripted one without `--model`. */
export const modelOf = ({ model }: Arguments, { model: asked = conversationModel }: AgentVersion) =>
  model === null
    ? ScriptedModel.layer()
    : OpenAiModel.layer({
      baseUrl: model.url,
      ...(model.name !== null && { models: { [asked]: model.name } }),
      ...keyOf(model.apiKey)
    })

/** Live sound comes faster than real time when the call does, and the server needs its time for it. */
const live = ({ apiKey, protocol, url }: TranscriberServer) =>
  ListenerWebSocket.layer({
    url,
    dialect: protocol === "vosk" ? vosk() : deepgram(),
    allowInsecureUrls: true,
    allowPrivateUrls: true,
    flushTimeout: "30 seconds",
    maxUnsent: "10 minutes",
    ...keyOf(apiKey)
  })

const whole = ({ apiKey, url }: TranscriberServer) =>
  Layer.provide(Listener.layerOfTranscriber, TranscriberOpenAi.layer({ baseUrl: url, ...keyOf(apiKey) }))

/** The listener of the command line; without `--transcriber` one for the sound of `modemVoice`. */
export const listenerOf = ({ audio }: Arguments): Layer.Layer<Listener> => {
  const server = audio?.transcriber ?? null
  if (server === null) return Layer.provide(Listener.layerOfTranscriber, modemTranscriber)
  return server.protocol === "openai" ? whole(server) : live(server)
}
