import { openai, streamingTranscriber } from "trunkline"
import { line, reminder } from "../Fixtures.js"
import { wrongPrices } from "./WrongPrices.js"

const voiceOf = (options: object) => ({ provider: "server", options: { baseUrl: "http://127.0.0.1:1", ...options } })

const streaming = (options: object) => ({ provider: "streaming", options })

/** Options that stop the start, with the option that the error names and a word of it. */
export const wrongOptions: ReadonlyArray<readonly [string, object, option: string, word: string]> = [
  ["no data folder", {}, "data", ":memory:"],
  ["an option that does not exist", { data: ":memory:", agent: [] }, "agent", "did you mean agents?"],
  ["an unknown provider", { data: ":memory:", lines: [{ ...line, provider: "sipp" }] }, "lines.0.provider", "sipp"],
  ["a missing secret", { data: ":memory:", model: openai({}) }, "model", "OPENAI_API_KEY"],
  [
    "a field that does not exist",
    { data: ":memory:", agents: [{ app_id: "a", first_mesage: "Hi" }] },
    "first_mesage",
    ""
  ],
  [
    "two carriers of one name",
    { data: ":memory:", lines: [{ ...line, carrier: { place: () => Promise.reject(new Error("no")) } }] },
    "lines.0.provider",
    "taken"
  ],
  ["a logger that lacks a level", { data: ":memory:", logger: { info: () => 0 } }, "logger", "needs the method debug"],
  [
    "an unknown level of messages",
    { data: ":memory:", logLevel: "loud" },
    "logLevel",
    "debug, info, warn, error, none"
  ],
  [
    "an unknown form of messages",
    { data: ":memory:", logFormat: "xml" },
    "logFormat",
    "must be one of json, logfmt, pretty"
  ],
  [
    "a collector that is no URL",
    { data: ":memory:", telemetry: { endpoint: "collector:4317" } },
    "telemetry.endpoint",
    "must be an http or https URL without user and password, such as http://127.0.0.1:4318"
  ],
  [
    "a share of traces above all",
    { data: ":memory:", telemetry: { sampling: 10 } },
    "telemetry.sampling",
    "must be a number from 0 to 1"
  ],
  [
    "an option of telemetry that does not exist",
    { data: ":memory:", telemetry: { samplig: 1 } },
    "telemetry.samplig",
    "did you mean sampling?"
  ],
  [
    "a reading of responses that does not exist",
    {
      data: ":memory:",
      responses: { textWithoutFormat: "maybe" }
    },
    "responses.textWithoutFormat",
    "plain"
  ],
  [
    "a detector that does not exist",
    { data: ":memory:", detector: { provider: "webrtc" } },
    "detector",
    "there is silero"
  ],
  [
    "an option of a detector that does not exist",
    { data: ":memory:", detector: { provider: "silero", options: { modell: "a" } } },
    "detector.modell",
    "did you mean model?"
  ],
  [
    "a model of a detector that is not there",
    { data: ":memory:", detector: { provider: "silero", options: { model: "/none/silero_vad.onnx" } } },
    "detector",
    "The model /none/silero_vad.onnx cannot be read: name silero_vad.onnx of version 5 or 6"
  ],
  [
    "a model of turns that does not exist",
    { data: ":memory:", turnModel: { provider: "turn-1", options: {} } },
    "turnModel",
    "there is smart-turn"
  ],
  [
    "a model of turns without its file",
    { data: ":memory:", turnModel: { provider: "smart-turn", options: {} } },
    "turnModel.model",
    "must be the path of smart-turn-v3.2-cpu.onnx"
  ],
  [
    "a model of turns that is not there",
    { data: ":memory:", turnModel: { provider: "smart-turn", options: { model: "/none/smart-turn.onnx" } } },
    "turnModel",
    "The model /none/smart-turn.onnx cannot be read: name smart-turn-v3.2-cpu.onnx"
  ],
  [
    "a realtime model without its key",
    { data: ":memory:", realtime: { provider: "openai", options: {} } },
    "realtime.apiKey",
    "OPENAI_API_KEY"
  ],
  [
    "a realtime model with a silence of its own at turns by meaning",
    {
      data: ":memory:",
      realtime: { provider: "openai", options: { apiKey: "k", turnDetection: "semantic_vad", silenceMillis: 300 } }
    },
    "realtime.silenceMillis",
    "goes with server_vad only"
  ],
  [
    "a realtime model at an address of another kind",
    { data: ":memory:", realtime: { provider: "openai", options: { url: "https://api.openai.com/v1/realtime" } } },
    "realtime.url",
    "must be a wss:// or ws:// URL"
  ],
  ["a model without methods", { data: ":memory:", model: {} }, "model", "generate or stream"],
  [
    "accelerated time on real lines",
    { data: ":memory:", lines: [{ ...line, provider: "http" }], simulator: { speed: 60 } },
    "simulator.speed",
    "simulated"
  ],
  [
    "files in a database that there is not",
    { data: "unused", files: "postgres" },
    "files",
    "needs a PostgreSQL database"
  ],
  ["files in an unknown place", { data: "unused", files: "ftp://host" }, "files", "s3://bucket/prefix"],
  ["files of an engine that keeps nothing", { data: ":memory:", files: "files" }, "files", ":memory:"],
  ["files that are no text", { data: ":memory:", files: 1 }, "files", "must be a folder or a URL"],
  ["a secret without a database", { data: "folder", secret: "x".repeat(32) }, "secret", "with a database"],
  [
    "a short secret",
    { data: "folder", database: "postgres://localhost/none", secret: "short" },
    "secret",
    "at least 32 characters"
  ],
  ["Redis without a database", { data: "folder", redis: "redis://localhost" }, "redis", "with a database"],
  [
    "a wrong URL of Redis",
    { data: "folder", database: "postgres://localhost/none", redis: "localhost:6379" },
    "redis",
    "redis:// or rediss://"
  ],
  ["fewer roles without a database", { data: "folder", roles: ["api", "dial"] }, "roles", "without a database"],
  ["no roles", { data: "folder", database: "postgres://localhost/none", roles: [] }, "roles", "one or more of api"],
  ["an unknown role", { data: "folder", database: "postgres://localhost/none", roles: ["web"] }, "roles", "\"web\""],
  [
    "a repeated role",
    { data: "folder", database: "postgres://localhost/none", roles: ["api", "dial", "api"] },
    "roles",
    "\"api\" once"
  ],
  ["roles that are no list", { data: "folder", database: "postgres://localhost/none", roles: "api" }, "roles", ""],
  [
    "files in a folder that other processes need",
    { data: "folder", database: "postgres://localhost/none", roles: ["api", "dial"], files: "files" },
    "files",
    "processes with the roles imports need the same files"
  ],
  ["options that are no object", [], "data", ""],
  ["agents that are no list", { data: ":memory:", agents: reminder }, "agents", ""],
  ["an agent without versions", { data: ":memory:", agents: [{ app_id: "a", versions: [] }] }, "agents.0.versions", ""],
  ["an agent that is listed twice", { data: ":memory:", agents: [reminder, reminder] }, "agents.1.app_id", "twice"],
  ["a line that is listed twice", { data: ":memory:", lines: [line, line] }, "lines.1.connection_id", "twice"],
  [
    "a wrong field of a tool, by the path as it was written",
    { data: ":memory:", agents: [{ app_id: "a", tools: [{ name: "a b", description: "", run: () => 1 }] }] },
    "agents.0.tools.0.name: Must match",
    ""
  ],
  [
    "a tool without a function",
    { data: ":memory:", agents: [{ app_id: "a", tools: [{ name: "a", description: "" }] }] },
    "agents.0.tools.0",
    "run"
  ],
  [
    "a wrong number of a line",
    { data: ":memory:", lines: [{ ...line, phone_numbers: ["12"] }] },
    "lines.0.phone_numbers.0",
    "E.164"
  ],
  [
    "a carrier that cannot place calls",
    { data: ":memory:", lines: [{ ...line, carrier: {} }] },
    "lines.0.carrier",
    "place"
  ],
  [
    "a line whose secret is not in the environment",
    {
      data: ":memory:",
      lines: [{
        ...line,
        provider: "http",
        options: { base_url: "https://phone.example", api_key_env: "NO_SUCH_SECRET", dedupe: { kind: "none" } }
      }]
    },
    "lines.0",
    "NO_SUCH_SECRET"
  ],
  ["a model that is a text", { data: ":memory:", model: "gpt" }, "model", "object"],
  ["an unknown provider of models", { data: ":memory:", model: { provider: "other" } }, "model", "other"],
  [
    "an option of a model that does not exist",
    { data: ":memory:", model: { provider: "openai", options: { apikey: "" } } },
    "model",
    "apikey"
  ],
  ["a wrong address of a model", { data: ":memory:", model: openai({ baseUrl: "here" }) }, "model", "http"],
  ["a voice that cannot speak", { data: ":memory:", voices: [{ name: "v" }] }, "voices.0", "speak"],
  ["a voice of an unknown dialect", { data: ":memory:", voices: [voiceOf({ dialect: "d" })] }, "voices.0", "\"d\""],
  ["a voice without an address", { data: ":memory:", voices: [voiceOf({ baseUrl: undefined })] }, "voices", "URL"],
  ["a transcriber without its method", { data: ":memory:", transcriber: {} }, "transcriber", "transcribe"],
  [
    "an unknown provider of transcripts",
    { data: ":memory:", transcriber: { provider: "x", options: {} } },
    "transcriber",
    "x"
  ],
  [
    "a streaming transcriber of an unknown dialect",
    { data: ":memory:", transcriber: streaming({ dialect: "kaldi" }) },
    "transcriber",
    "there is no dialect \"kaldi\"; there are deepgram, vosk"
  ],
  [
    "a streaming transcriber without options",
    { data: ":memory:", transcriber: { provider: "streaming" } },
    "transcriber",
    "there are deepgram, vosk"
  ],
  [
    "an option of a streaming transcriber that does not exist",
    { data: ":memory:", transcriber: streaming({ dialect: "vosk", uri: "ws://127.0.0.1:2700" }) },
    "transcriber",
    "uri: is not a known field; did you mean url?"
  ],
  [
    "Deepgram without a key",
    { data: ":memory:", transcriber: streamingTranscriber({ dialect: "deepgram" }) },
    "transcriber",
    "DEEPGRAM_API_KEY"
  ],
  [
    "Vosk without an address",
    { data: ":memory:", transcriber: streamingTranscriber({ dialect: "vosk" }) },
    "transcriber",
    "ws://127.0.0.1:2700"
  ],
  [
    "Vosk with a model",
    { data: ":memory:", transcriber: streaming({ dialect: "vosk", url: "ws://127.0.0.1:2700", model: "small" }) },
    "transcriber",
    "one model"
  ],
  [
    "an address of a streaming transcriber that is not one of a WebSocket",
    { data: ":memory:", transcriber: streamingTranscriber({ dialect: "vosk", url: "http://127.0.0.1:2700" }) },
    "transcriber",
    "ws:// URL"
  ],
  [
    "a rate of a streaming transcriber that is not a sample rate",
    { data: ":memory:", transcriber: streaming({ dialect: "vosk", url: "ws://127.0.0.1:2700", rate: 16 }) },
    "transcriber",
    "8,000 to 48,000"
  ],
  ["an unknown workspace", { data: ":memory:", workspace: "main/other" }, "workspace", "main/other"],
  ["a workspace without an organisation", { data: ":memory:", workspace: "main" }, "workspace", "org/workspace"],
  ["onCallEnded that is no function", { data: ":memory:", onCallEnded: "log" }, "onCallEnded", "function"],
  ["an unknown behaviour", { data: ":memory:", simulator: { default: "sleeps" } }, "simulator.default", ""],
  [
    "an unknown field of the simulator",
    { data: ":memory:", simulator: { sped: 3 } },
    "simulator.sped",
    "did you mean speed?"
  ],
  ...wrongPrices,
  ["a speed of zero", { data: ":memory:", simulator: { speed: 0 } }, "simulator.speed", "above 0"],
  ["a switch that is a text", { data: ":memory:", allowInsecureUrls: "false" }, "allowInsecureUrls", "true or false"],
  [
    "a key of an unknown account",
    { data: ":memory:", access: { accounts: [], workspaces: [], keys: [{ account_id: "me", key: "sk_dev_me_x" }] } },
    "access.keys.0.account_id",
    "me"
  ]
]
