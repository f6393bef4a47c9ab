import { assert, describe, it } from "@effect/vitest"
import { startMediaDouble, twilioAccount, twilioDouble } from "@trunkline/carrier-media-websocket/testing"
import { fakeServer } from "@trunkline/http-client/testing"
import { doubleKeys, unknownVoice, voiceDouble } from "@trunkline/speech-openai/testing"
import { deepgramServer, type HandshakeRefusal, speechServer } from "@trunkline/transcriber-websocket/testing"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { commandsIn, temporaryFolder } from "./Commands.js"

/** Differences from a configuration whose parts are all fine. */
interface Change {
  readonly voiceKey?: string
  readonly voice?: string
  readonly voiceUrl?: string
  readonly nativeRate?: number
  readonly earRefusal?: HandshakeRefusal
  readonly modelStatus?: number
  readonly lineToken?: string
}

const answer = JSON.stringify({
  id: "1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
})

/** Runs the doctor over a configuration whose voice, transcriber and model are doubles. */
const doctor = (change: Change = {}) =>
  Effect.gen(function*() {
    const voices = yield* voiceDouble("elevenlabs")
    const ears = yield* speechServer(deepgramServer())
    const model = yield* fakeServer([{
      status: change.modelStatus ?? 200,
      headers: { "content-type": "application/json" }
    }, {
      write: change.modelStatus === undefined ? answer : JSON.stringify({ error: { message: "sk-model" } })
    }, "end"])
    const provider = yield* Effect.acquireRelease(
      Effect.promise(() => startMediaDouble(twilioDouble)),
      ({ close }) => Effect.promise(close)
    )
    if (change.earRefusal !== undefined) ears.refuse(change.earRefusal)
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => temporaryFolder()),
      ({ remove }) => Effect.sync(remove)
    )
    const config = {
      model: { kind: "openai-compatible", base_url: model.origin, api_key_env: "MODEL_KEY", no_thinking: null },
      speech: {
        kind: "elevenlabs",
        voice: change.voice ?? "asha",
        base_url: change.voiceUrl ?? voices.origin,
        api_key_env: "VOICE_KEY",
        ...(change.nativeRate !== undefined && { native_rate: change.nativeRate })
      },
      transcriber: { kind: "deepgram", url: ears.url, api_key_env: "EAR_KEY" },
      connections: [{
        connection_id: "twilio-1",
        provider: "twilio",
        phone_numbers: ["+14155550100"],
        options: {
          public_url: "https://voice.example.com",
          account_sid: twilioAccount.sid,
          auth_token_env: "LINE_TOKEN",
          api_url: provider.url
        }
      }]
    }
    writeFileSync(join(folder.path, "trunkline.config.json"), JSON.stringify(config))
    const environment = {
      MODEL_KEY: "sk-model",
      VOICE_KEY: change.voiceKey ?? doubleKeys.good,
      EAR_KEY: "sk-ear",
      LINE_TOKEN: change.lineToken ?? twilioAccount.token
    }
    Object.assign(process.env, environment)
    const run = commandsIn(folder.path, environment)
    const { code, err, out } = yield* Effect.promise(() => run("doctor"))
    const lines = `${out}\n${err}`
    for (const secret of [...Object.values(environment), "sk-secret"]) assert.notInclude(lines, secret)
    const lineOf = (name: string) => lines.split("\n").find((line) => line.slice(5).startsWith(name)) ?? lines
    return { code, lineOf, voices, ears, model, provider }
  })

describe("trunkline doctor", () => {
  it.scopedLive("calls model, voice and transcriber once each, and tells what they cost, and calls nobody", () =>
    Effect.gen(function*() {
      const { ears, lineOf, model, provider, voices } = yield* doctor()
      assert.match(lineOf("line"), /^ok {3}line twilio-1 +twilio takes the credentials$/)
      assert.deepStrictEqual([provider.calls.length, provider.problems()], [0, []])
      assert.match(
        lineOf("voice"),
        /^ok {3}voice .*ElevenLabs eleven_flash_v2_5, \d+\.\d s of sound, .*USD 0\.05 for 1,000 characters/
      )
      assert.match(
        lineOf("transcriber"),
        /^ok {3}transcriber .*Deepgram nova-3, connected after \d+ ms; USD 0\.0048 a minute/
      )
      assert.match(lineOf("model"), /^ok {3}model .*127\.0\.0\.1:\d+, answered after/)
      assert.deepStrictEqual([voices.requests.length, ears.handshakes(), model.requests.length], [1, 1, 1])
      assert.deepStrictEqual(voices.problems, [])
    }))

  const findings: ReadonlyArray<readonly [what: string, change: Change, name: string, expected: RegExp]> = [
    [
      "a bad key",
      { voiceKey: "sk-bad" },
      "voice",
      /FAIL voice .*ElevenLabs.*refused our key: check that it is complete and was not revoked$/
    ],
    ["no credit", { voiceKey: doubleKeys.usedUp }, "voice", /FAIL voice .*is used up: add credit, or raise its limit$/],
    [
      "a voice that does not exist",
      { voice: unknownVoice },
      "voice",
      /FAIL voice .*does not have this voice: check its id, and that the account may use it$/
    ],
    [
      "a host that nobody answers at",
      { voiceUrl: "http://127.0.0.1:9" },
      "voice",
      /FAIL voice .*cannot be reached.*: check the address and the network/
    ],
    [
      "a rate limit",
      { voiceKey: doubleKeys.limited },
      "voice",
      /FAIL voice .*has had enough requests for now: wait, or raise the limit of the account$/
    ],
    [
      "an account of the transcriber without credit",
      { earRefusal: { status: 402, body: JSON.stringify({ err_code: "ASR_PAYMENT_REQUIRED" }) } },
      "transcriber",
      /FAIL transcriber .*Deepgram transcriber is used up: add credit, or raise its limit$/
    ],
    [
      "a bad token of a phone line",
      { lineToken: "bad-line-token" },
      "line",
      /FAIL line twilio-1 +twilio: the credentials were rejected: compare the options of the line with the account/
    ],
    ["a bad key of the model", { modelStatus: 401 }, "model", /FAIL model .*refused our key/]
  ]
  for (const [what, change, name, expected] of findings) {
    it.scopedLive(`says what is wrong and what to do: ${what}`, () =>
      Effect.gen(function*() {
        const { code, lineOf } = yield* doctor(change)
        assert.match(lineOf(name), expected)
        assert.strictEqual(code, 1)
      }))
  }

  it.scopedLive("says so when the configuration itself cannot be used, such as for a sample rate", () =>
    Effect.gen(function*() {
      const { code, lineOf } = yield* doctor({ nativeRate: 11_025 })
      assert.match(lineOf("configuration"), /FAIL configuration.*speech\.native_rate: must be one of 8000, 16000/)
      assert.strictEqual(code, 1)
    }))
})
