import type {
  Access,
  BrowserCallOptions,
  CallEnded,
  CallLimitOptions,
  MailOptions,
  McpServer,
  ResponsesOptions,
  SimulatorOptions,
  TelemetryOptions
} from "../generated/Resources.js"
import type { AgentOptions, WorkspaceAgentOptions } from "./AgentOptions.js"
import type { TraceOption } from "./agents/TraceOption.js"
import type { Line } from "./LineOptions.js"
import type { LogFormatOption, LoggerOption, LogLevelOption } from "./LoggerOptions.js"
import type { Model } from "./ModelOptions.js"
import type { ProvidedRealtime } from "./speech/RealtimeOption.js"
import type { RecordingOption } from "./speech/RecordingOption.js"
import type { ProvidedTurnModel } from "./speech/TurnModelOption.js"
import type { ProvidedDetector, TranscriberOption, Voice } from "./speech/VoiceOptions.js"

/** Something that the engine could not do. Fields that do not apply are null. */
export interface EngineFault {
  /**
   * `call`: a call failed on our side or at its provider. `handler`: `onCallEnded` threw or took too long. `tool`: a tool of an
   * agent threw or took too long. `webhook` and `report`: a webhook or a scheduled report was given up.
   */
  readonly kind: "call" | "handler" | "tool" | "webhook" | "report"
  /** Description and reason, without secrets, phone numbers and personal data. */
  readonly message: string
  /** Workspace, as `org/workspace`. */
  readonly workspace: string | null
  readonly attempt_id: string | null
  readonly webhook_id: string | null
  /** Name of the tool or of the handler; the channel of a report. */
  readonly name: string | null
  /** Error that was thrown, as it is: it may hold secrets. */
  readonly cause: unknown
}

/** A part of the work of a database that several processes share. */
export type Role = "api" | "boards" | "dial" | "imports" | "webhooks"

/** Price of your contract with a provider: with `usd`, or with `amount` and `currency`. */
export interface PriceOption {
  readonly service: "voice" | "transcriber" | "model" | "carrier"
  /** Name of the provider, such as `elevenlabs`; of a carrier, the `provider` of its line. */
  readonly provider: string
  /** Name of the model; all of the provider's by default. */
  readonly model?: string
  /** `input_token` is one that was not cached. Minutes are those of sound, or those that a carrier bills. */
  readonly unit:
    | "character"
    | "minute"
    | "input_token"
    | "cached_input_token"
    | "output_token"
    | "audio_input_token"
    | "audio_output_token"
  /** US dollars for `per` units; null when unknown. */
  readonly usd?: number | null
  /** Amount of `currency` for `per` units, in place of `usd`; null when unknown. */
  readonly amount?: number | null
  /** ISO 4217 code of `amount`, such as `INR`. */
  readonly currency?: string
  /** Units that `usd` or `amount` is the price of; 1 by default. */
  readonly per?: number
  /** Of a carrier: the line that the price is of; all lines of the provider by default. */
  readonly connection_id?: string
  /** Of a carrier: beginning of the numbers that are called, such as `+91`; all numbers by default. */
  readonly prefix?: string
  /** Of a carrier: billing increments in seconds, such as `6/6`; `60/60` by default. */
  readonly increments?: string
  /** Of a carrier: charge for each answered call beside its minutes; none by default. */
  readonly setup?: number
}

/** Options of `createTrunkline`. Only `data` is required. */
export interface TrunklineOptions {
  /**
   * Folder of the database, files and warehouses, created if needed. `:memory:` keeps nothing after `close`. A folder can be
   * used by one process at a time.
   */
  readonly data: string
  /**
   * URL of a PostgreSQL database, such as `postgres://user:password@host/name?sslmode=verify-full`, in place of the SQLite
   * database of the folder. Many processes may share it.
   */
  readonly database?: string
  /**
   * Place of uploaded files and recordings: a folder; a bucket of S3, such as
   * `s3://bucket/prefix?endpoint=https://minio.internal:9000&region=us-east-1`; or `postgres`, chunks in the database, which is
   * the default with one. The default without is the data folder. S3 needs the package `@aws-sdk/client-s3`, and credentials
   * in the environment, such as `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.
   */
  readonly files?: string
  /**
   * Secret of at least 32 random characters for an engine with a `database`. The keys of contact hashes and of sealed chat
   * webhooks are derived from it, so that all machines have the same; by default the folder has keys of its own.
   */
  readonly secret?: string | undefined
  /**
   * URL of a Redis server, such as `redis://user:password@host:6379/0`, for the request limits and the hints of the engines
   * that share a `database`; by default both are in the database. Needs the package `redis`.
   */
  readonly redis?: string
  /**
   * Seconds without a heartbeat after which another process may take over the folder, or the calls of this one in a shared
   * `database`: 1 to 3,600, 30 by default. Calls that outlive their process need less than their provider waits (docs/providers.md).
   */
  readonly leaseSeconds?: number
  /**
   * Parts of the work of the `database` that this process does; all by default. `api` answers requests over HTTP, `dial` runs
   * campaigns and carries calls, `webhooks` delivers webhooks, calls `onCallEnded` and does what agents want after calls, `boards` answers
   * queries and sends reports, and `imports` imports cohorts. Several processes must have all roles between them.
   */
  readonly roles?: ReadonlyArray<Role>
  /** Agents that hold the conversations of calls. */
  readonly agents?: ReadonlyArray<AgentOptions>
  /**
   * MCP servers whose tools agents use, which name them in `mcp_servers`. They are connected at the start, where some agent uses
   * them, or those of workspaces may; one that is away is tried again in the background. Need the package `@modelcontextprotocol/client`.
   */
  readonly mcpServers?: ReadonlyArray<McpServer>
  /** Values of `{{secrets.name}}` in tools over HTTP and in MCP servers, by name. No model, record or page is told them. */
  readonly toolSecrets?: Readonly<Record<string, string | undefined>>
  /**
   * Functions, MCP servers and secrets that agents of workspaces, which are made over HTTP, may use by their names; nothing by
   * default, since whoever has a key of a workspace can make an agent.
   */
  readonly workspaceAgents?: WorkspaceAgentOptions
  /** Phone lines. */
  readonly lines?: ReadonlyArray<Line>
  /** Language model of conversations, chat and responses; `scripted()` by default, which only plays scripts. */
  readonly model?: Model
  /** Speech synthesizers, in order of preference; espeak-ng by default, where it is installed. */
  readonly voices?: ReadonlyArray<Voice>
  /**
   * Speech recognizer of callers on lines with sound, and of clips of voices; none by default. A streaming one hears callers
   * only.
   */
  readonly transcriber?: TranscriberOption
  /** Detector of speech on lines with sound: `silero()`; by default energy alone tells a voice from noise. */
  readonly detector?: ProvidedDetector
  /**
   * Model that hears whether a pausing caller has finished: `smartTurn({ model })`; by default words and silence alone decide
   * when a turn is over.
   */
  readonly turnModel?: ProvidedTurnModel
  /**
   * Model that hears and speaks, in place of `transcriber`, `model` and `voices` on lines with sound: `openaiRealtime({ apiKey })`;
   * or `openaiLive({ apiKey })`, a voice that talks by itself and asks the agent, whose `model` answers. None by default. Those
   * three take over a call in which it fails.
   */
  readonly realtime?: ProvidedRealtime
  /**
   * Accounts, workspaces and API keys. By default there is one account, `main`, with the workspace `main/main` and no key,
   * so that only this process can use the engine.
   */
  readonly access?: Access
  /** Workspace of methods whose options name none, as `org/workspace`; by default the first one of `access`. */
  readonly workspace?: string
  /**
   * Called for every call that has ended, in any workspace. It is as durable as a webhook: stored with the result of the
   * call, and called again until it resolves, also after a crash. It may be called twice for a call; tell by `attempt_id`. For
   * agents with `after_call` it waits for the results of that as webhooks do.
   */
  readonly onCallEnded?: (call: CallEnded) => Promise<void> | void
  /**
   * Hears what the engine could not do: faults of calls, handlers and tools that threw, webhooks and reports that were given
   * up. It is called with one fault after the other while the engine goes on, and has 15 seconds for each; 1,000 may wait,
   * and further ones are only logged as a number. What it throws is logged. It hears the faults of this process and is not
   * called again after a crash: use webhooks or `onCallEnded` for what must not be missed.
   */
  readonly onError?: (fault: EngineFault) => Promise<void> | void
  /** Behaviour of people on the simulated phone network; everybody answers and cooperates by default. */
  readonly simulator?: SimulatorOptions
  /**
   * Prices of your contracts with providers, in place of their public ones. Costs are computed from them; a price that nobody
   * knows makes a cost incomplete.
   */
  readonly prices?: ReadonlyArray<PriceOption>
  /** Currency in which costs are reported, by ISO 4217; `USD` by default. Budgets of campaigns are in it. */
  readonly currency?: string
  /**
   * Worth of one unit of other currencies of `prices` in `currency`, such as `{ INR: 0.0117 }`. None by default: costs in
   * a currency without a rate stay apart, and no rate is guessed.
   */
  readonly exchangeRates?: Readonly<Record<string, number>>
  /** Mail server of scheduled reports; none by default. */
  readonly mail?: MailOptions
  /** Reading of requests for responses. */
  readonly responses?: ResponsesOptions
  /**
   * Receiver of the engine's messages; by default they go to standard error, one line each. `console` and loggers of pino
   * and winston fit. Messages hold no keys, phone numbers or variables.
   */
  readonly logger?: LoggerOption
  /** Form of the messages on standard error; `logfmt` by default. A `logger` gets texts. */
  readonly logFormat?: LogFormatOption
  /** The lowest level of messages; `info` by default, and `none` for silence. */
  readonly logLevel?: LogLevelOption
  /** Export of traces over OTLP; none by default. */
  readonly telemetry?: TelemetryOptions
  /** Limits of calls: concurrent ones of a workspace, dials of a number, and the pause of a failing line. */
  readonly callLimits?: CallLimitOptions
  /**
   * Adds a caller who refuses all further calls, such as "Don't call me again", to the do-not-call list when the call ends; on by
   * default. Refusals are heard in English and eleven Indian languages.
   */
  readonly optOutBySpeech?: boolean
  /**
   * Keeps what the model was sent for each answer of a call, beside the transcript, for as long as that; on by default. Off, a
   * call tells no `model_inputs`.
   */
  readonly keepModelInputs?: boolean
  /**
   * Checks the rules of every call at its end (no tool twice, no loop, nothing said after the goodbye), logs one warning for a call that
   * broke some, and counts them in the metrics; on by default.
   */
  readonly checkCalls?: boolean
  /** Recording of calls that carry sound, both sides apart; none by default. */
  readonly recording?: RecordingOption
  /** Traces of calls, to replay them through changed agents; none by default. They are kept for as long as transcripts. */
  readonly traces?: TraceOption
  /** Calls with agents from browsers; on by default, where there are a transcriber and a voice. */
  readonly browserCalls?: BrowserCallOptions
  /** Page at `/docs` that shows the HTTP interface; on by default. */
  readonly docs?: boolean
  /** Rate limits of plans and load shedding for HTTP requests; on by default. */
  readonly limits?: boolean
  /** Allows webhooks and downloads over plain HTTP, for tests; not by default. */
  readonly allowInsecureUrls?: boolean
  /** Allows webhooks and downloads to private and loopback addresses, for tests; not by default. */
  readonly allowPrivateUrls?: boolean
}

/** Returns options as they are, checked by the compiler: for a configuration in a file of its own. */
export const defineConfig = (options: TrunklineOptions): TrunklineOptions => options
