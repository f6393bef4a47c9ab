import { Either } from "effect"
import {
  cartesia,
  createTrunkline,
  deepgram,
  elevenlabs,
  fasterWhisper,
  InvalidOption,
  openai,
  sarvam,
  type TrunklineOptions,
  vosk
} from "trunkline"
import { assert, describe, it } from "vitest"
import { readConfig } from "../../src/server/ServerConfig.js"

const apiKey = "sk-test"

/** Options that `createTrunkline` refuses, and what it says. */
const mistakes: ReadonlyArray<readonly [what: string, options: Partial<TrunklineOptions>, expected: string]> = [
  [
    "a voice without a key",
    { voices: [elevenlabs({ voice: "asha" })] },
    "voices.0.apiKey: ElevenLabs needs a key, such as that of the variable ELEVENLABS_API_KEY"
  ],
  [
    "a voice that must be chosen",
    { voices: [cartesia({ apiKey })] },
    "voices.0.voice: Cartesia has no default voice: give the id of one"
  ],
  [
    "a language that the model does not speak",
    { voices: [elevenlabs({ apiKey, voice: "asha", languages: ["Telugu"] })] },
    "voices.0.languages: with eleven_flash_v2_5, ElevenLabs speaks only English, Hindi, Tamil, and not Telugu"
  ],
  [
    "a sample rate that the voice does not have",
    { voices: [sarvam({ apiKey, rate: 44_100 })] },
    "voices.0.rate: must be one of 8000, 16000, 22050, 24000 hertz for Sarvam"
  ],
  [
    "a language that is none",
    { voices: [sarvam({ apiKey, languages: ["Klingon"] })] },
    `voices.0.languages: "Klingon" is not a language of voices; there are as-IN, bn-IN, en-IN, gu-IN, hi-IN, kn-IN, ml-IN, mr-IN, od-IN, pa-IN, ta-IN, te-IN`
  ],
  [
    "a transcriber without a key",
    { transcriber: deepgram({}) },
    "transcriber.apiKey: Deepgram needs a key, such as that of the variable DEEPGRAM_API_KEY"
  ],
  [
    "a voice of a transcriber",
    { transcriber: deepgram({ apiKey, voice: "asha" }) },
    "transcriber.voice: is for voices only"
  ],
  [
    "a model of Vosk",
    { transcriber: vosk({ model: "small" }) },
    "transcriber.model: must be absent: Vosk has one model"
  ],
  [
    "an address of another kind",
    { transcriber: fasterWhisper({ baseUrl: "ws://127.0.0.1:8000" }) },
    "transcriber.baseUrl: must be a URL of the provider's kind, without user and password"
  ],
  ["a voice of the model", { model: openai({ apiKey, voice: "coral" }) }, "model.voice: is for openai() among voices"],
  [
    "an agent in a language that the transcriber does not hear",
    {
      agents: [{ app_id: "desk", languages: ["Odia"] }],
      lines: [{ connection_id: "line", provider: "sip", phone_numbers: ["+911140000001"], options: {} }],
      transcriber: deepgram({ apiKey })
    },
    "agents.0.languages: the transcriber does not hear Odia: it hears Bengali, English, Gujarati, Hindi, Kannada, Marathi, Punjabi, Tamil, Telugu"
  ]
]

describe("parts by name", () => {
  for (const [what, options, expected] of mistakes) {
    it(`are refused at the start: ${what}`, async () => {
      const error: unknown = await createTrunkline({ data: ":memory:", ...options }).then(
        () => null,
        (error: unknown) => error
      )
      assert.instanceOf(error, InvalidOption)
      const message = error instanceof InvalidOption ? error.message : ""
      // A line that cannot be opened is reported first where it is wrong as well.
      assert.isTrue(message === `createTrunkline: ${expected}` || message.startsWith("createTrunkline: lines"), message)
      assert.notInclude(message, apiKey)
    })
  }

  it("of one provider can be both, and the host's prices are options too", async () => {
    const trunkline = await createTrunkline({
      data: ":memory:",
      voices: [openai({ apiKey, voice: "coral" }), sarvam({ apiKey, languages: ["te-IN"] })],
      transcriber: openai({ apiKey }),
      prices: [{ service: "voice", provider: "sarvam", unit: "character", usd: 0.00003 }]
    })
    await trunkline.close()
  })
})

const config = (parts: Readonly<Record<string, unknown>>, environment: Readonly<Record<string, string>> = {}) =>
  readConfig(JSON.stringify(parts), environment).then((read) => Either.getOrElse(Either.flip(read), () => []))

describe("a configuration file", () => {
  const keys = { ELEVENLABS_API_KEY: apiKey, DEEPGRAM_API_KEY: apiKey }

  it("names a voice and a transcriber in a line each, whose keys are in the usual variables", async () => {
    const parts = { speech: { kind: "elevenlabs", voice: "asha" }, transcriber: { kind: "deepgram" } }
    assert.deepStrictEqual(await config(parts, keys), [])
    assert.deepStrictEqual(await config(parts), [
      "speech.api_key_env: The environment variable ELEVENLABS_API_KEY is not set",
      "transcriber.api_key_env: The environment variable DEEPGRAM_API_KEY is not set"
    ])
    assert.deepStrictEqual(
      await config({ transcriber: { kind: "deepgram", api_key_env: "EAR", url: "ws://127.0.0.1:8080" } }),
      ["transcriber.api_key_env: The environment variable EAR is not set"]
    )
  })

  it("is told what does not fit", async () => {
    assert.deepStrictEqual(
      await config({
        speech: { kind: "elevenlabs", native_rate: 11_025, languages: ["te-IN"] },
        transcriber: { kind: "deepgram", model: "flux-general-en", languages: ["hi-IN"] }
      }, keys),
      [
        "speech.languages: with eleven_flash_v2_5, ElevenLabs speaks only English, Hindi, Tamil, and not Telugu",
        "speech.native_rate: must be one of 8000, 16000, 22050, 24000, 44100, 48000 hertz for ElevenLabs",
        "speech.voice: ElevenLabs has no default voice: give the id of one",
        "transcriber.languages: with flux-general-en, Deepgram hears only English, and not Hindi"
      ]
    )
  })

  it("needs no key for local servers, and takes prices of contracts", async () => {
    assert.deepStrictEqual(
      await config({
        speech: { kind: "kokoro" },
        transcriber: { kind: "faster-whisper" },
        prices: [{ service: "carrier", provider: "twilio", unit: "minute", usd: 0.01 }]
      }),
      []
    )
    assert.deepStrictEqual(await config({ speech: { kind: "piper" }, transcriber: { kind: "vosk" } }), [])
  })
})
