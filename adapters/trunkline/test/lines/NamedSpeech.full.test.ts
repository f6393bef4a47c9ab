import { assert, describe, it } from "@effect/vitest"
import { twilioAccount, twilioDouble } from "@trunkline/carrier-media-websocket/testing"
import { doubleKeys, voiceDouble } from "@trunkline/speech-openai/testing"
import {
  deepgramServer,
  fluxServer,
  openAiServer,
  type Problems,
  type Protocol,
  sarvamServer,
  scribeServer,
  speechServer
} from "@trunkline/transcriber-websocket/testing"
import { Effect } from "effect"
import { cartesia, deepgram, elevenlabs, openai, sarvam, type TrunklineOptions } from "trunkline"
import { untilOnTime } from "../../../../test/setup/OnTime.js"
import type { CallEnded } from "../../src/generated/Resources.js"
import { sendCompletion, startServer } from "../telemetry/ModelServer.js"
import { hostedEngine, type HostedProvider, takeTurns } from "./HostedWorld.js"

const caller = "+919876543210"

const twilio: HostedProvider = {
  double: twilioDouble,
  options: { account_sid: twilioAccount.sid, auth_token_env: "TWILIO_TOKEN" },
  environment: { TWILIO_TOKEN: twilioAccount.token }
}

const apiKey = doubleKeys.good

/** A voice and a transcriber by name, each before its double. */
interface Parts {
  readonly voice: (baseUrl: string) => NonNullable<TrunklineOptions["voices"]>[number]
  readonly voiceName: "cartesia" | "deepgram" | "elevenlabs" | "openai" | "sarvam"
  readonly ear: (baseUrl: string) => NonNullable<TrunklineOptions["transcriber"]>
  readonly protocol: (problems: Problems) => Protocol
}

const pairs: Readonly<Record<string, Parts>> = {
  "ElevenLabs and Deepgram's Nova": {
    voiceName: "elevenlabs",
    voice: (baseUrl) => elevenlabs({ apiKey, baseUrl, voice: "asha", rate: 8_000 }),
    ear: (baseUrl) => deepgram({ apiKey, baseUrl }),
    protocol: () => deepgramServer()
  },
  "Sarvam for both": {
    voiceName: "sarvam",
    voice: (baseUrl) => sarvam({ apiKey, baseUrl, rate: 8_000 }),
    ear: (baseUrl) => sarvam({ apiKey, baseUrl }),
    protocol: (problems) => sarvamServer({ key: apiKey, problems })
  },
  "Cartesia and ElevenLabs' Scribe": {
    voiceName: "cartesia",
    voice: (baseUrl) => cartesia({ apiKey, baseUrl, voice: "asha" }),
    ear: (baseUrl) => elevenlabs({ apiKey, baseUrl }),
    protocol: (problems) => scribeServer({ key: apiKey, problems })
  },
  "Deepgram's Aura and Flux": {
    voiceName: "deepgram",
    voice: (baseUrl) => deepgram({ apiKey, baseUrl, rate: 8_000 }),
    ear: (baseUrl) => deepgram({ apiKey, baseUrl, model: "flux-general-en" }),
    protocol: (problems) => fluxServer({ key: apiKey, problems })
  },
  "OpenAI for both": {
    voiceName: "openai",
    voice: (baseUrl) => openai({ apiKey, baseUrl }),
    ear: (baseUrl) => openai({ apiKey, baseUrl }),
    protocol: (problems) => openAiServer({ key: apiKey, problems })
  }
}

/** A model behind OpenAI's protocol that answers five turns, and ends the call. */
const modelServer = startServer(({ body }, response) => {
  const said = body.match(/"role":"user"/g)?.length ?? 0
  sendCompletion(
    response,
    said < 5 ? { text: `Reply ${said}.` } : { text: "Goodbye.", tool: { name: "end_call", arguments: "{}" } }
  )
})

/** A call of five turns over the parts: what the agent said and heard. */
const talk = ({ ear, protocol, voice, voiceName }: Parts) =>
  Effect.gen(function*() {
    const problems: Problems = []
    const voices = yield* voiceDouble(voiceName)
    const ears = yield* speechServer(protocol(problems))
    const model = yield* modelServer
    const { double, trunkline } = yield* hostedEngine(twilio, {}, {
      model: openai({ apiKey: "sk-model", baseUrl: model.url, model: "small" }),
      voices: [voice(voices.origin)],
      transcriber: ear(ears.url)
    })
    const call = yield* Effect.promise(() => trunkline.calls.create({ agent: "desk", to: caller }))
    yield* Effect.fork(takeTurns(double))
    const { transcript }: CallEnded = yield* Effect.promise(() => call.ended)
    assert.deepStrictEqual([...voices.problems, ...problems], [])
    return (transcript ?? []).map(({ en_text, role }) => `${role}: ${en_text}`)
  })

describe("a call on a real line with parts by name", () => {
  for (const [name, parts] of Object.entries(pairs)) {
    it.scopedLive(`has five turns: ${name}`, (context) =>
      untilOnTime(
        context,
        Effect.gen(function*() {
          assert.deepStrictEqual(yield* talk(parts), [
            "agent: Hello.",
            ...[1, 2, 3, 4].flatMap((turn) => [`user: word ${turn}`, `agent: Reply ${turn}.`]),
            "user: word 5",
            "agent: Goodbye."
          ])
        })
      ))
  }
})
