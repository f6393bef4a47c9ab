import { assert, describe, it } from "@effect/vitest"
import type { SpeechFailure } from "@trunkline/speech"
import { type ListenDialect, streamingProviderNames, streamingProviders } from "@trunkline/transcriber-websocket"
import {
  openAiServer,
  type Peer,
  type Protocol,
  sarvamServer,
  scribeServer,
  speechServer
} from "@trunkline/transcriber-websocket/testing"
import { Effect, Fiber, TestClock } from "effect"
import { key, openBefore, opened, until } from "./Opened.js"
import { say } from "./Say.js"

const { deepgram, elevenlabs, openai, sarvam } = streamingProviders
const nova = deepgram.dialect("nova-3")
const flux = deepgram.dialect("flux-general-multi")
const scribe = elevenlabs.dialect("scribe_v2_realtime")
const live = openai.dialect("gpt-live-transcribe")
const saaras = sarvam.dialect("saaras:v3-realtime")

const second = new Float32Array(8_000)

const reasonOf = (failure: SpeechFailure) => failure.message.replace(/^.*transcriber /, "")

/** A server that does something at the first message with sound. */
const atSound = (act: (peer: Peer) => void): Protocol => (peer) => {
  let isFirst = true
  return (message) => {
    if (typeof message === "string" && !/audio/.test(message)) return
    if (isFirst) act(peer)
    isFirst = false
  }
}

const sends = (message: Readonly<Record<string, unknown>>) => (peer: Peer) => peer.send(JSON.stringify(message))

const refusedKey = "refused our key; check that it is complete and was not revoked"
const usedUp = "is used up: add credit, or raise its limit"
const limited = "has had enough requests for now"

/** Acts of servers at the first sound, and the reason that the listening gives. */
const endings: ReadonlyArray<
  readonly [name: string, dialect: ListenDialect, act: (peer: Peer) => void, reason: string]
> = [
  ["ElevenLabs, a bad key", scribe, sends({ message_type: "auth_error", error: key }), refusedKey],
  ["ElevenLabs, a used up quota", scribe, sends({ message_type: "quota_exceeded", error: key }), usedUp],
  ["ElevenLabs, too many sessions", scribe, sends({ message_type: "rate_limited", error: key }), limited],
  [
    "ElevenLabs, unaccepted terms",
    scribe,
    sends({ message_type: "unaccepted_terms", error: key }),
    "does not let our key do this: check its permissions and the plan of the account"
  ],
  [
    "ElevenLabs, sound of a wrong format",
    scribe,
    sends({ message_type: "input_error", error: key }),
    "does not accept this sound: check the sample rate"
  ],
  [
    "Sarvam, a bad key",
    saaras,
    sends({ event: "error", code: "invalid_api_key_error", is_fatal: true, message: key, status_code: 403 }),
    refusedKey
  ],
  ["Sarvam, a used up quota", saaras, (peer) => peer.close(1003, "Quota exhausted"), usedUp],
  ["Sarvam, too many requests", saaras, (peer) => peer.close(1003, "Rate limit exceeded"), limited],
  [
    "Sarvam, no access to the beta",
    saaras,
    (peer) => peer.close(4000, "Beta access denied"),
    "does not let our key do this: check its permissions and the plan of the account"
  ],
  [
    "Sarvam, an unknown model",
    saaras,
    (peer) => peer.close(4000, "Invalid model"),
    "does not have this model: check its name, and that the account may use it"
  ],
  [
    "OpenAI, a used up account",
    live,
    sends({ type: "error", error: { type: "insufficient_quota", code: "insufficient_quota", message: key } }),
    usedUp
  ],
  [
    "OpenAI, an unknown model",
    live,
    sends({ type: "error", error: { type: "invalid_request_error", code: "model_not_found", message: key } }),
    "does not have this model: check its name, and that the account may use it"
  ],
  [
    "Deepgram, sound of a wrong format",
    nova,
    (peer) => peer.close(1008, "DATA-0000"),
    "does not accept this sound: check the sample rate"
  ],
  [
    "Flux, sound of a wrong format",
    flux,
    (peer) => peer.close(1008, "DATA-0000"),
    "does not accept this sound: check the sample rate"
  ]
]

describe("the end of a session", () => {
  for (const [name, dialect, act, reason] of endings) {
    it.scoped(`has a clear reason and no secret, and is final: ${name}`, () =>
      Effect.gen(function*() {
        const { flush, push, server } = yield* opened(atSound(act), { dialect })
        for (let at = 0; at < 4; at++) push(second)
        const failure = yield* Effect.flip(flush)
        assert.strictEqual(reasonOf(failure), reason)
        assert.notInclude(`${JSON.stringify(failure)} ${failure.stack ?? ""}`, key)
        assert.strictEqual(server.handshakes(), 1)
      }))
  }

  it.scoped("is overcome by another session where that may help", () =>
    Effect.gen(function*() {
      const { flush, push, server } = yield* opened(
        atSound(sends({ message_type: "session_time_limit_exceeded", error: "" })),
        { dialect: scribe }
      )
      server.speak(scribeServer())
      push((yield* say("Good morning.", 8_000)).samples)
      yield* until(() => server.peers.length === 2)
      assert.strictEqual(yield* flush, "Good morning.")
    }))
})

describe("a refused handshake", () => {
  const refusals = [
    ["Deepgram", nova, 402, { err_code: "ASR_PAYMENT_REQUIRED", err_msg: key }, usedUp],
    [
      "Deepgram",
      flux,
      403,
      { err_code: "INSUFFICIENT_PERMISSIONS", err_msg: key },
      "does not let our key do this: check its permissions and the plan of the account"
    ],
    [
      "Deepgram",
      nova,
      400,
      { err_code: "Bad Request", err_msg: "No such model/language/tier combination found." },
      "does not have this model: check its name, and that the account may use it"
    ],
    ["ElevenLabs", scribe, 401, { detail: { status: "quota_exceeded", message: key } }, usedUp],
    ["Sarvam", saaras, 403, { error: { code: "invalid_api_key_error", message: key } }, refusedKey],
    ["OpenAI", live, 429, { error: { code: "insufficient_quota", message: key } }, usedUp]
  ] as const
  for (const [name, dialect, status, body, reason] of refusals) {
    it.scoped(`has a clear reason: ${name}, ${status} ${dialect.name}`, () =>
      Effect.gen(function*() {
        const server = yield* speechServer(() => () => {})
        server.refuse({ status, body: JSON.stringify(body), headers: { "retry-after": "1" } })
        const failure = yield* Effect.flip(openBefore(server, { dialect }))
        assert.strictEqual(reasonOf(failure), reason)
        assert.notInclude(JSON.stringify(failure), key)
      }))
  }

  it.scoped("is not asked for in a language that the model does not hear", () =>
    Effect.gen(function*() {
      const server = yield* speechServer(() => () => {})
      const english = deepgram.dialect("flux-general-en")
      yield* Effect.scoped(openBefore(server, { dialect: english }))
      const failure = yield* Effect.flip(openBefore(server, { dialect: { ...english, languages: ["hi-IN"] } }))
      assert.strictEqual(failure._tag, "BadRequest")
      assert.strictEqual(server.handshakes(), 1)
    }))
})

describe("the answer to a flush", () => {
  it.scoped("is empty at once when ElevenLabs throttles a commit, or OpenAI finds its buffer empty", () =>
    Effect.gen(function*() {
      for (const [protocol, dialect] of [[scribeServer(), scribe], [openAiServer(), live]] as const) {
        const { flush, push } = yield* opened(protocol, { dialect })
        push(new Float32Array(400))
        assert.strictEqual(yield* flush, "")
        push((yield* say("Good morning.", 8_000)).samples)
        assert.strictEqual(yield* flush, "Good morning.")
      }
    }))

  it.scoped("belongs to its turn though the server answers in another order", () =>
    Effect.gen(function*() {
      const committed: Array<string> = []
      const { flush, push, server } = yield* opened((peer) => (message) => {
        if (typeof message !== "string" || !message.includes("input_audio_buffer.commit")) return
        const item_id = `item_${committed.push("")}`
        peer.send(JSON.stringify({ type: "input_audio_buffer.committed", item_id }))
      }, { dialect: live })
      const complete = (item_id: string, transcript: string) =>
        server.peers[0]?.send(
          JSON.stringify({ type: "conversation.item.input_audio_transcription.completed", item_id, transcript })
        )
      push(second)
      const early = yield* Effect.fork(flush)
      yield* until(() => committed.length === 1)
      yield* Fiber.interrupt(early)
      push(second)
      const words = yield* Effect.fork(flush)
      yield* until(() => committed.length === 2)
      complete("item_2", "two")
      assert.strictEqual(yield* Fiber.join(words), "two")
      complete("item_1", "one")
      push(second)
      const last = yield* Effect.fork(flush)
      yield* until(() => committed.length === 3)
      complete("item_3", "three")
      assert.strictEqual(yield* Fiber.join(last), "three")
    }))

  it.scoped("that never comes does not take the place of the next one", () =>
    Effect.gen(function*() {
      let finals = 0
      const { flush, push, server } = yield* opened((peer) => (message) => {
        if (message !== `{"event":"speech_end"}`) return
        if (finals++ > 0) peer.send(JSON.stringify({ event: "transcript.final", utterance_idx: finals, text: "yes" }))
      }, { dialect: saaras })
      push(second)
      const silent = yield* Effect.fork(Effect.flip(flush))
      yield* until(() => server.peers[0]?.messages.includes(`{"event":"speech_end"}`) === true)
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual((yield* Fiber.join(silent))._tag, "ModelTimedOut")
      push(second)
      assert.strictEqual(yield* flush, "yes")
    }))

  it.scoped("survives a connection that breaks in mid-turn", () =>
    Effect.gen(function*() {
      for (const [protocol, dialect] of [[sarvamServer(), saaras], [openAiServer(), live]] as const) {
        const { flush, push, server } = yield* opened(protocol, { dialect })
        push((yield* say("Good morning.", 8_000)).samples)
        yield* until(() => (server.peers[0]?.messages.length ?? 0) > 20)
        server.peers[0]?.cut()
        yield* until(() => server.peers.length === 2)
        assert.strictEqual(yield* flush, "Good morning.")
      }
    }))
})

describe("a provider of transcription", () => {
  it("has languages, an address, and a price or the knowledge that it is unknown", () => {
    for (const name of streamingProviderNames) {
      const { dialect, languagesOf, model, prices, urlOf } = streamingProviders[name]
      assert.isNotEmpty(languagesOf(model ?? ""))
      assert.match(urlOf(model ?? ""), /^wss?:\/\//)
      assert.notStrictEqual(dialect(model ?? "").name, "")
      for (const { amount, page, provider, readOn } of prices) {
        assert.strictEqual(provider, name)
        assert.isTrue(amount === 0 || (page?.startsWith("https://") === true && readOn !== null))
      }
    }
  })
})
