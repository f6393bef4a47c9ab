// Written by docs/types.mjs from the schemas of the HTTP interface. Do not edit.

import type { ByteStream, CallOptions, ChatChunk, EventStream, PagePromise, ResponseEvent } from "../Results.js"

/** Configuration of access to an engine: accounts, their workspaces, and API keys that the operator has chosen. */
export interface Access {
  readonly accounts: ReadonlyArray<{
    readonly account_id: string
    readonly plan?: "starter" | "pro" | "business"
    /** Micro-credits granted once, when the account is created; null for unlimited. */
    readonly credits?: number | null
  }>
  readonly workspaces: ReadonlyArray<Workspace>
  readonly keys: ReadonlyArray<{
    readonly key: string
    readonly account_id: string
    /** Accessible workspaces of the account, in any organisation; `*` means all, including future ones. */
    readonly workspaces?: "*" | ReadonlyArray<string>
    readonly features?: ReadonlyArray<"beta">
    /** Usable model ids; null means all models. */
    readonly models?: ReadonlyArray<string> | null
    /** Budget within the credits of the account; null for unlimited. */
    readonly budget?: KeyBudget | null
    /** Label chosen by the owner. */
    readonly label?: string
  }>
}

export interface AccountGetQuery {
  /** First day of the usage; 30 days before `to` by default. */
  readonly from?: string
  /** Last day of the usage; today by default. */
  readonly to?: string
}

/** Author of a change; for requests over HTTP, the public id of the API key. */
export interface Actor {
  readonly type: "user" | "api_key"
  readonly id: string
}

/** Response to an upload. */
export interface AddedDocument {
  readonly document_id: string
  /** The collection by which agents find it. */
  readonly collection: string
  /** Title that callers could be told: as given, else that of the file, else its name. */
  readonly title: string
  /** Where it comes from, such as the name of its file or its URL. */
  readonly source: string
  readonly kind: "text" | "markdown" | "html" | "pdf"
  /** English name of its language; null when it was not given. */
  readonly language_name: string | null
  /** SHA-256 of the file in 64 hex digits. */
  readonly hash: string
  /** Size of the file in bytes. */
  readonly bytes: number
  /** Number of pages of a PDF; null for other kinds. */
  readonly pages: number | null
  /** Number of its passages. */
  readonly passages: number
  readonly created_at: string
  /** Time of the last replacement. */
  readonly updated_at: string
  readonly outcome: "added" | "replaced" | "unchanged"
}

/** Work of a model on a call after its end. */
export interface AfterCall {
  /** Writes a summary of the conversation; false by default. */
  readonly summary?: boolean | SummaryInstructions
  /** Finds the output variables that the call has not set; false by default. */
  readonly extract?: boolean
  /** The language model; by default that of the conversation. */
  readonly model?: string
  /** Seconds that the webhook of the call waits for the results, 0 to 300; 30 by default. Then it goes without them. */
  readonly webhook_wait_seconds?: number
  /** Sends a second webhook with the results when the first one went without them; false by default. */
  readonly webhook_again?: boolean
}

/** An agent: an id chosen by the host application, and its numbered versions. */
export interface Agent {
  /** Id chosen by the host application, by which calls, campaigns and deployments name the agent. */
  readonly app_id: string
  /** Display name, for instance on boards; absent: the id. */
  readonly name?: string
  /** Numbered versions, in any order. */
  readonly versions: readonly [AgentVersion, ...ReadonlyArray<AgentVersion>]
}

/** Differences of two versions. */
export interface AgentDifferences {
  readonly app_id: string
  /** Number of the version before. */
  readonly from: number
  /** Number of the version after. */
  readonly to: number
  /** Fields that differ, in the order of the definition; none for versions with the same definition. */
  readonly items: ReadonlyArray<VersionDifference>
  /** The same to read: the way to each field, and its lines with `-` before and `+` after. */
  readonly text: string
}

/** An agent with its versions, and its home. */
export interface AgentRecord {
  /** Id, by which calls, campaigns and deployments name the agent. */
  readonly app_id: string
  /** Display name, for instance on boards; absent: the id. */
  readonly name?: string
  /**
   * `code` for an agent of the server's code or configuration, which is read-only here; `workspace` for one that was
   * made over HTTP.
   */
  readonly source: "code" | "workspace"
  /**
   * Number of changes of the agent and of its versions, from 1, which a change of its name names; null for an agent of
   * the code.
   */
  readonly revision: number | null
  readonly created_at: string | null
  readonly updated_at: string | null
  /** Versions in ascending order for an agent of the workspace, in that of the definition for one of the code. */
  readonly versions: readonly [VersionRecord, ...ReadonlyArray<VersionRecord>]
}

export interface AgentsDifferencesQuery {
  /** Version whose definition the draft begins with; absent: the defaults. */
  readonly base_version: number
}

export interface AgentsTalkBody {
  /** Talk to go on with, from the answer before; without it a new one begins, and the agent greets. */
  readonly talk_id?: string | undefined
  /** Version of the agent, a draft too; the newest by default. Only for a new talk. */
  readonly app_version?: number | undefined
  /** Variables of the conversation. Only for a new talk. */
  readonly agent_variables?: { readonly [key: string]: string | number | boolean | null } | undefined
  /** English name of the language to begin in. Only for a new talk. */
  readonly initial_language_name?: string | undefined
  /** State, or step of a script, to begin in. Only for a new talk. */
  readonly initial_state_name?: string | undefined
  /** Words of the person; empty for a silence. */
  readonly text?: string | undefined
  /** True when the person hangs up. */
  readonly hang_up?: boolean | undefined
}

/** A stage of a conversation at which a call can start. */
export interface AgentState {
  /** Name of the state, which calls name to start in it. */
  readonly name: string
  /** Instructions that are added to the prompt of calls that start in this state. */
  readonly prompt?: string
}

/** A tool that the agent can use during a call: a request over HTTP, or a function of the host application. */
export interface AgentTool {
  /** Name by which the model uses the tool: up to 64 letters, digits, `_` and `-`. */
  readonly name: string
  /** Description for the model: what the tool does, and when to use it. */
  readonly description: string
  /** JSON Schema of the arguments, which are an object. Arguments that do not fit go back to the model. */
  readonly parameters?: { readonly [key: string]: unknown }
  /** Time after which a use is given up, in seconds from 0.1 to 600; absent: that of the conversation, 12. */
  readonly timeout_seconds?: number
  /**
   * Template of what the agent says once the tool has run for a second; absent: "One moment, please." after 6 seconds.
   * Words of the model before the tool count too: then it is also said after 6 seconds only.
   */
  readonly filler?: string | { readonly [key: string]: string }
  /**
   * True for a tool that runs at most once a call, such as a payment: each further request gets the first answer, also
   * when that was a failure or never came.
   */
  readonly once?: boolean
  /**
   * True for a tool that may run twice, such as one that only reads: it runs again when the process of a call stops
   * while it runs. Otherwise it does not, and the model is told that its outcome is not known.
   */
  readonly repeatable?: boolean
  /** Fate of a request when the caller interrupts the words before it: `drop` by default, or `run`. */
  readonly on_interruption?: "drop" | "run"
  /** The request of a tool over HTTP; absent: the host application supplies a function in code. */
  readonly http?: HttpRequest
}

/**
 * One version of an agent: its instructions or script, languages, variables and tools. Only `app_version` and
 * `committed` are required; the defaults make an agent that holds a short, polite conversation.
 */
export interface AgentVersion {
  /** Number of the version, from 1. */
  readonly app_version: number
  /** Only committed versions take calls. */
  readonly committed: boolean
  /** Name by which the agent introduces itself. */
  readonly name?: string
  /** Template of the instructions to the language model. Excludes `script`; without both, default instructions apply. */
  readonly prompt?: string
  /** A conversation without a language model. Excludes `prompt`. */
  readonly script?: readonly [ScriptStep, ...ReadonlyArray<ScriptStep>]
  /** The language model; absent: the default of the conversation. */
  readonly model?: string
  /** Template of the greeting; absent: a default, or the first step of the script. */
  readonly first_message?: string | { readonly [key: string]: string }
  /** Template of the last words. */
  readonly goodbye_message?: string | { readonly [key: string]: string }
  /** Template of the text after a silence of the caller. */
  readonly silence_prompt?: string | { readonly [key: string]: string }
  /** Languages by their English names or codes, such as `Hindi` or `hi-IN`; the call begins in the first. */
  readonly languages?: readonly [string, ...ReadonlyArray<string>]
  /** The variables that a call accepts; null: any. */
  readonly variables?: ReadonlyArray<string> | null
  /** The values that the agent finds out. */
  readonly output_variables?: ReadonlyArray<OutputVariable>
  /** Work of a model on each call after its end: a summary, and output variables. Absent: nothing. */
  readonly after_call?: AfterCall
  /** Stages of the conversation at which calls can start; null: none. */
  readonly states?: ReadonlyArray<AgentState> | null
  /** Tools that the agent can use during a call, beside the built-in ones. */
  readonly tools?: ReadonlyArray<AgentTool>
  /**
   * Collections of documents that the agent looks things up in, by the tool `search_knowledge`. One that has no
   * documents yet is no error.
   */
  readonly knowledge?: ReadonlyArray<string>
  /** Names of the MCP servers whose tools the agent can use as well, as the engine's options name them. */
  readonly mcp_servers?: ReadonlyArray<string>
  /** Agents to which a call may be handed over. */
  readonly hand_overs?: ReadonlyArray<HandOver>
  /** Digits for which the agent may ask, such as the number of a card. */
  readonly digit_entries?: ReadonlyArray<DigitEntry>
  /** Rules by which the agent may put the caller on hold; absent: it may not. */
  readonly hold?: Hold
  /** People and numbers to whom the agent can transfer calls, by the tool `transfer_call`. */
  readonly transfers?: ReadonlyArray<TransferTarget>
  /** True lets the agent press keys, such as in the menu of another system, by the tool `send_digits`. */
  readonly send_digits?: boolean
  /** Longest duration of a call, 1 to 3600 seconds; 600 by default. */
  readonly max_duration_seconds?: number
  /** Preferred voice. */
  readonly voice?: VoiceHints
  /** Recording of its calls; absent: as the engine says. */
  readonly recording?: RecordingRules
}

/** Hours in which a campaign dials: `[start, end)` on the allowed days. An end before the start means overnight. */
export interface AllowedSchedule {
  /** Beginning of the hours, as `HH:MM`. */
  readonly allowed_start_time: string
  /** End of the hours, as `HH:MM`; before the beginning: on the next day. `24:00` is the end of the day. */
  readonly allowed_end_time: string
  /** English names of the days on which the hours begin. */
  readonly allowed_days: ReadonlyArray<
    "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday"
  >
  /** Time zone of the hours, such as `Asia/Kolkata`, the default. */
  readonly timezone?: string | undefined
}

export interface AnalyticsAttemptsQuery {
  readonly start_datetime: string | Date
  readonly end_datetime: string | Date
  readonly limit?: number
  readonly offset?: number
  readonly sort_by?: string
  readonly sort_order?: "asc" | "desc"
  readonly filter_conditions?: string
}

export interface AnalyticsInteractionsQuery {
  readonly start_datetime: string | Date
  readonly end_datetime: string | Date
  readonly limit?: number
  readonly offset?: number
  readonly sort_by?: string
  readonly sort_order?: "asc" | "desc"
  readonly filter_conditions?: string
}

/**
 * Conduct of an outbound call when something other than a person answers. With it, the agent waits until it is known
 * who has answered, at most 6 seconds, before it says its first words. A fax or a tone of the network always ends the
 * call.
 */
export interface AnswerHandling {
  readonly machine?: {
    /** `report` by default: the agent goes on, and the verdict is in the record of the call. */
    readonly action?: "report" | "hang_up" | "leave_message" | undefined
    /** Message to leave, with variables, at most 1,000 characters; only with `leave_message`. */
    readonly message?: string
    /** Leaves a message once for each contact of a campaign, and hangs up on later machines; true by default. */
    readonly once?: boolean | undefined
  } | undefined
  readonly screening?: {
    /** `report` by default; `announce` says who calls and waits until somebody or nobody takes the call. */
    readonly action?: "report" | "hang_up" | "announce" | undefined
    /** Caller and reason, with variables, at most 1,000 characters; only with `announce`. */
    readonly text?: string
  } | undefined
  readonly ivr?: {
    /** `stop` calls all further contacts with the campaign's version, `promote` with the canary's. */
    readonly action?: "report" | "hang_up" | undefined
  } | undefined
}

/** Settings of the agent that a request overrides. A language is an English name or a code. */
export interface AppOverridesInput {
  readonly initial_bot_message?: string | undefined
  readonly initial_language_name?: string | undefined
  readonly initial_state_name?: string | undefined
  /** True to record the call, false not to; absent: as its agent and the engine say. */
  readonly record?: boolean | undefined
}

/**
 * An attempt by itself: its item in the list, the transcript of its conversation, null without one, its model inputs
 * and its costs.
 */
export interface AttemptDetail {
  readonly attempt_id: string
  readonly app_id: string
  readonly app_version: number
  readonly deployment_id: string | null
  readonly campaign_id: string | null
  readonly cohort_id: string | null
  readonly user_identifier: string
  /** HMAC-SHA256 of the number with the engine's salt: identifies a contact without revealing the number. */
  readonly user_contact_hashed: string
  readonly channel_direction: "inbound" | "outbound"
  /** `v2v` for voice. */
  readonly channel_type: string
  /** Key of the telephony provider. */
  readonly channel_provider: string
  /** Transport of the audio, such as `sip` or `websocket`. */
  readonly channel_protocol: string
  /** Number of earlier attempts for this contact in this campaign. */
  readonly retry_attempt: number
  readonly server_retry_attempt: number
  readonly is_debug_call: 0 | 1
  readonly has_log_issues: 0 | 1
  readonly job_id: string | null
  /** Null on success, busy and no answer. */
  readonly failure_reason: string | null
  readonly user_contact_masked: string
  readonly completion_status: "completed" | "partial" | "failed"
  /** Null if an internal fault hid it. */
  readonly connectivity_status: "connected" | "busy" | "no_answer" | "failed" | null
  /** Null if there is no next step. */
  readonly next_action_status: NextActionStatus | null
  readonly correlation_id: string | null
  readonly attempted_at: string
  /** Full number; null unless `exposeUserContact` is set. */
  readonly user_contact: string | null
  readonly interaction_id: string | null
  readonly start_datetime: string | null
  readonly end_datetime: string | null
  readonly duration_in_seconds: number | null
  readonly language_name: string | null
  readonly num_messages: number | null
  readonly average_agent_response_time_in_seconds: number | null
  readonly average_user_response_time_in_seconds: number | null
  /** Path of the recording below the URL of the server; null where no sound was kept. */
  readonly audio_url: string | null
  /** Fate of the recording; absent for a call that was not recorded. */
  readonly recording?: RecordingState
  readonly ended_by: "AGENT_ENDS" | "USER_ENDS" | "PROVIDER_ENDS" | "TIMEOUT" | "UNKNOWN" | null
  /** Values at the end of the call. */
  readonly agent_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Summary of the conversation; null without one, and until it is written. */
  readonly summary: string | null
  /** Values of the declared output variables in their types, null for unknown ones; null of agents without `after_call`. */
  readonly output_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Null of agents without `after_call`. */
  readonly extraction: Extraction | null
  readonly transcript: Transcript | null
  /** Requests to the model, in order; empty where there were none, or where they are not kept. */
  readonly model_inputs: ReadonlyArray<ModelInput>
  /** Costs of the call, by provider and unit; null where it is not known, as of calls of earlier versions. */
  readonly costs: CostLedger | null
}

/** An attempt in the attempts list; fields of the conversation are null without one. */
export interface AttemptItem {
  readonly attempt_id: string
  readonly app_id: string
  readonly app_version: number
  readonly deployment_id: string | null
  readonly campaign_id: string | null
  readonly cohort_id: string | null
  readonly user_identifier: string
  /** HMAC-SHA256 of the number with the engine's salt: identifies a contact without revealing the number. */
  readonly user_contact_hashed: string
  readonly channel_direction: "inbound" | "outbound"
  /** `v2v` for voice. */
  readonly channel_type: string
  /** Key of the telephony provider. */
  readonly channel_provider: string
  /** Transport of the audio, such as `sip` or `websocket`. */
  readonly channel_protocol: string
  /** Number of earlier attempts for this contact in this campaign. */
  readonly retry_attempt: number
  readonly server_retry_attempt: number
  readonly is_debug_call: 0 | 1
  readonly has_log_issues: 0 | 1
  readonly job_id: string | null
  /** Null on success, busy and no answer. */
  readonly failure_reason: string | null
  readonly user_contact_masked: string
  readonly completion_status: "completed" | "partial" | "failed"
  /** Null if an internal fault hid it. */
  readonly connectivity_status: "connected" | "busy" | "no_answer" | "failed" | null
  /** Null if there is no next step. */
  readonly next_action_status: NextActionStatus | null
  readonly correlation_id: string | null
  readonly attempted_at: string
  /** Full number; null unless `exposeUserContact` is set. */
  readonly user_contact: string | null
  readonly interaction_id: string | null
  readonly start_datetime: string | null
  readonly end_datetime: string | null
  readonly duration_in_seconds: number | null
  readonly language_name: string | null
  readonly num_messages: number | null
  readonly average_agent_response_time_in_seconds: number | null
  readonly average_user_response_time_in_seconds: number | null
  /** Path of the recording below the URL of the server; null where no sound was kept. */
  readonly audio_url: string | null
  /** Fate of the recording; absent for a call that was not recorded. */
  readonly recording?: RecordingState
  readonly ended_by: "AGENT_ENDS" | "USER_ENDS" | "PROVIDER_ENDS" | "TIMEOUT" | "UNKNOWN" | null
  /** Values at the end of the call. */
  readonly agent_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Summary of the conversation; null without one, and until it is written. */
  readonly summary: string | null
  /** Values of the declared output variables in their types, null for unknown ones; null of agents without `after_call`. */
  readonly output_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Null of agents without `after_call`. */
  readonly extraction: Extraction | null
}

/** A phone number that a workspace never calls. */
export interface BlockedNumber {
  readonly phone_number: string
  readonly reason: string | null
  readonly created_at: string
  readonly created_by: string
}

export interface BlockedNumbersAddBody {
  readonly phone_numbers: ReadonlyArray<string>
  readonly reason?: string | null | undefined
}

export interface BlockedNumbersListQuery {
  readonly limit?: number
  readonly offset?: number
}

/** A board as clients see it, with all of its content. */
export interface BoardRecord {
  readonly id: string
  readonly name: string
  readonly tag: string | null
  readonly created_by: Actor
  readonly created_at: string
  readonly updated_by: Actor
  readonly updated_at: string
  readonly tabs: ReadonlyArray<TabRecord>
  readonly filters: ReadonlyArray<Filter>
}

export interface BoardsChartPngQuery {
  readonly filter_values?: string
  readonly max_age?: number
  readonly width?: number
  readonly height?: number
}

export interface BoardsChartSvgQuery {
  readonly filter_values?: string
  readonly max_age?: number
  readonly width?: number
  readonly height?: number
}

export interface BoardsCreateBody {
  readonly name: string
  readonly tag?: string | null | undefined
}

export interface BoardsCreateTabBody {
  readonly name: string
}

export interface BoardsCreateWidgetBody {
  readonly name: string
  readonly sql: string
  readonly viz_type?: "number" | "table" | "bar" | "line" | undefined
  readonly viz_config?: { readonly [key: string]: unknown } | undefined
  readonly filters?: ReadonlyArray<FilterDecl> | undefined
  readonly tab_id?: string | null | undefined
}

export type BoardsFailureCode =
  | "TIMEOUT"
  | "FORBIDDEN_TABLE"
  | "TENANT_ISOLATION_BREACH"
  | "INVALID_SQL"
  | "NOT_READ_ONLY"
  | "MULTIPLE_STATEMENTS"
  | "FORBIDDEN_FUNCTION"
  | "UNKNOWN_FILTER"
  | "MISSING_FILTER_VALUE"
  | "INVALID_FILTER_VALUE"
  | "INVALID_CRON"
  | "CRON_TOO_FREQUENT"
  | "NO_DELIVERY_CHANNEL"
  | "WIDGET_NOT_ON_BOARD"
  | "DUPLICATE_NAME"
  | "LAST_TAB"
  | "RESOURCE_LIMIT"
  | "INVALID_REQUEST"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "RATE_LIMITED"
  | "INTERNAL"

export interface BoardsListQuery {
  readonly limit?: number
  readonly offset?: number
}

export interface BoardsPreviewBody {
  readonly sql: string
  readonly filter_values?: FilterValues | undefined
  readonly row_limit?: number | undefined
}

export interface BoardsRunTabBody {
  readonly filter_values?: FilterValues | undefined
  readonly max_age?: number | undefined
}

export interface BoardsRunWidgetBody {
  readonly filter_values?: FilterValues | undefined
  readonly row_limit?: number | undefined
  readonly max_age?: number | undefined
}

/** A board without its content, for lists. */
export interface BoardSummary {
  readonly id: string
  readonly name: string
  readonly tag: string | null
  readonly created_by: Actor
  readonly created_at: string
  readonly updated_by: Actor
  readonly updated_at: string
}

export interface BoardsUpdateBody {
  readonly name?: string | null | undefined
  readonly tag?: string | null | undefined
  readonly id?: unknown | undefined
  readonly created_by?: unknown | undefined
  readonly created_at?: unknown | undefined
  readonly updated_by?: unknown | undefined
  readonly updated_at?: unknown | undefined
  readonly tabs?: unknown | undefined
  readonly filters?: unknown | undefined
}

export interface BoardsUpdateFilterBody {
  readonly display_label?: string | null | undefined
  readonly filter_type?:
    | "number"
    | "string"
    | "date"
    | "dropdown"
    | "date_range"
    | "boolean"
    | "list"
    | null
    | undefined
  /** Text that parses as the filter's type; dates may be relative, such as `today-7d`. */
  readonly default_value?: string | null | undefined
  /** Allowed values of a `dropdown`; empty for other types. */
  readonly options?: ReadonlyArray<string> | null | undefined
  readonly id?: unknown | undefined
  readonly internal_name?: unknown | undefined
  /** True when some widget needs a value and there is no default. */
  readonly is_required?: unknown | undefined
}

export interface BoardsUpdateTabBody {
  readonly name?: string | null | undefined
  /** Position on the board, from 0. */
  readonly position?: number | null | undefined
  readonly id?: unknown | undefined
  /** Sorted by position. */
  readonly widgets?: unknown | undefined
}

export interface BoardsUpdateWidgetBody {
  readonly name?: string | null | undefined
  /** SQL as written, including filter tokens. */
  readonly sql?: string | null | undefined
  readonly viz_type?: "number" | "table" | "bar" | "line" | null | undefined
  readonly viz_config?: { readonly [key: string]: unknown } | null | undefined
  /** Names of the filters that the SQL uses, in order of first use. */
  readonly filters?: ReadonlyArray<FilterDecl> | null | undefined
  readonly tab_id?: string | null | undefined
  /** Position in its tab, from 0. */
  readonly position?: number | null | undefined
  readonly id?: unknown | undefined
  readonly board_id?: unknown | undefined
  readonly created_by?: unknown | undefined
  readonly created_at?: unknown | undefined
  readonly updated_by?: unknown | undefined
  readonly updated_at?: unknown | undefined
}

/** Options of calls from browsers in a configuration. */
export interface BrowserCallOptions {
  /** False refuses calls from browsers; on when absent. */
  readonly enabled?: boolean | undefined
  /**
   * Origins of the pages that may open a call, such as `https://www.example.com`. When absent, any page that has a
   * token, and programs, which have no origin.
   */
  readonly origins?: ReadonlyArray<string> | undefined
  /** Calls from browsers that a workspace may have at once; 50 when absent. */
  readonly max_concurrent?: number | undefined
  /** Longest call in seconds; 1,800 when absent. */
  readonly max_duration_seconds?: number | undefined
  /**
   * Address of this server for browsers with its prefix, such as `https://voice.example.com`; when absent, tokens come
   * with a path.
   */
  readonly public_url?: string | undefined
}

export interface BrowserCallsCreateBody {
  readonly app_id: string
  /** Version of the agent, a draft too; the newest committed one by default. */
  readonly app_version?: number | undefined
  /** Variables of the conversation. */
  readonly agent_variables?: { readonly [key: string]: string | number | boolean | null } | undefined
  /** Settings of the agent for this call. */
  readonly app_overrides?: AppOverridesInput | null | undefined
  /** Your own id of the person; the id of the attempt by default. */
  readonly user_identifier?: string | undefined
  /** Number of the person, for the record of the call; nobody is called. By default `+99900000001`, which nobody has. */
  readonly user_phone_number?: string | undefined
  /** Longest call in seconds; 1,800 by default, or less where the agent or the server says so. */
  readonly max_duration_seconds?: number | undefined
  /** Webhook that receives the result, as that of a single call does. */
  readonly webhook_config?: WebhookConfigInput | null | undefined
}

/** A token for one call from a browser. */
export interface BrowserCallToken {
  /** Id of the attempt that the call will be. There is no record of it unless the token is used. */
  readonly attempt_id: string
  /** Good for one call. */
  readonly token: string
  /**
   * Address of the WebSocket with the token: `wss://…` where the server knows its public address, otherwise a path below
   * the prefix of the API.
   */
  readonly url: string
  /** Time after which the token opens no call any more. */
  readonly expires_at: string
}

/** The verdict on the answer of a call, and what was done. */
export interface CallAnswer {
  readonly answered_by: "person" | "machine" | "screening" | "ivr" | "fax" | "network" | "silence"
  readonly evidence: "carrier" | "words" | "rhythm" | "tone" | "silence"
  /** Milliseconds from the answer to the verdict. */
  readonly decided_ms: number
  /** Words that had been heard until then, at most 200 characters; null without any. */
  readonly words: string | null
  readonly action: "none" | "hung_up" | "message_left" | "announced"
}

/**
 * Model of how contacts take calls, as plain data. Every part is optional. Shares are from 0 to 1, durations are
 * seconds unless stated otherwise, and hours are in the campaign's time zone. Unknown keys are rejected, so that a
 * misspelled part does not silently get its default. The defaults are estimates for consumer calls from an unknown
 * number in India, not measurements; replace them by the figures of your own calls.
 */
export interface CalleeModel {
  readonly hours?: ReadonlyArray<HoursOfDay> | undefined
  readonly people?: {
    /** Share of contacts whose number is not in service: every call fails. */
    readonly invalid_number?: number | undefined
    /** Share of contacts that never answer. */
    readonly never_answer?: number | undefined
    /**
     * Consistency of a contact at a part of the day: at 0 every call is drawn independently; at 1 a contact that did not
     * answer one morning never answers in the morning, but may in the evening. The parts of the day begin at 6, 12, 17 and
     * 22.
     */
    readonly habit?: number | undefined
  } | undefined
  readonly ring_seconds?: {
    /** Seconds until the callee picks up; longer than the phone rings is no answer. */
    readonly answer?: Distribution | undefined
    /** Seconds until a voicemail picks up. */
    readonly voicemail?: Distribution | undefined
    /** Seconds until the network reports a busy line. */
    readonly busy?: Distribution | undefined
    /** Seconds until the network reports a failure. */
    readonly failed?: Distribution | undefined
    /** Seconds until the network gives up without an answer; at most the engine's ringing time of 40 s. */
    readonly no_answer?: Distribution | undefined
  } | undefined
  readonly talk?: {
    /** Length of a conversation in seconds. */
    readonly seconds?: Distribution | undefined
    /** Share of answered calls that end early. */
    readonly short?: number | undefined
    /** Length of those in seconds. */
    readonly short_seconds?: Distribution | undefined
    /** Length of a call to a voicemail in seconds. */
    readonly voicemail_seconds?: Distribution | undefined
    /** Share of conversations after which the agent asks for another try (`business_retry`). */
    readonly business_retry?: number | undefined
    /** Share of calls to a voicemail after which it asks for another try. */
    readonly voicemail_retry?: number | undefined
    /** Share of conversations in which a callback is promised (`reschedule`). */
    readonly reschedule?: number | undefined
    /** Hours until the callback. */
    readonly reschedule_hours?: Distribution | undefined
  } | undefined
}

/** A call that has ended: its outcome, variables and transcript. Fields of the conversation are null without one. */
export interface CallEnded {
  readonly attempt_id: string
  readonly org_id: string
  readonly workspace_id: string
  readonly kind: "campaign" | "outbound" | "inbound"
  readonly app_id: string
  readonly app_version: number
  readonly campaign_id: string | null
  readonly cohort_id: string | null
  readonly deployment_id: string | null
  /** Your own id of the contact; the phone number when none was given. */
  readonly user_identifier: string
  readonly user_phone_number: string
  readonly agent_phone_number: string
  /** Number of earlier attempts for this contact in this campaign. */
  readonly retry_attempt: number
  readonly completion_status: "completed" | "partial" | "failed"
  /** Outcome of dialling; null when the number was not dialled. */
  readonly connectivity_status: "connected" | "busy" | "no_answer" | "failed" | null
  /** Next step for this contact; null if there is none. */
  readonly next_action_status: NextActionStatus | null
  readonly failure_reason: string | null
  /** The words by which the caller refused all further calls; null without any. */
  readonly opt_out: string | null
  /** Party that answered, and what was done; null where nobody was to find out, and unless the call connected. */
  readonly answer: CallAnswer | null
  /** Time at which the call was dialled or arrived. */
  readonly executed_at: string
  readonly start_datetime: string | null
  readonly end_datetime: string | null
  /** Seconds of conversation. */
  readonly duration: number | null
  /** Key of the transcript and recording. */
  readonly interaction_id: string | null
  /** Path of the recording below the URL of the server; null where no sound was kept. */
  readonly audio_url: string | null
  /** Variables that the call began with. */
  readonly initial_agent_variables: { readonly [key: string]: string | number | boolean | null }
  /** Variables at the end of the call. */
  readonly final_agent_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Variables that the agent collected during the call. */
  readonly output_agent_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Summary of the conversation; null without one, and until it is written. */
  readonly summary: string | null
  /** Values of the declared output variables in their types, null for unknown ones; null of agents without `after_call`. */
  readonly output_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Null of agents without `after_call`. */
  readonly extraction: Extraction | null
  readonly transcript: ReadonlyArray<CallTurn> | null
  /** Costs of the call; null where the engine has no prices. */
  readonly costs: CostLedger | null
  /** `metadata` of the webhook configuration. */
  readonly metadata: { readonly [key: string]: unknown } | null
}

/** Limits of calls in a configuration: those of `EngineOptions`, in the names and units of configuration files. */
export interface CallLimitOptions {
  /** Concurrent calls of each workspace without a limit of its own; absent means as many as its lines have channels. */
  readonly max_concurrent_calls?: number | undefined
  /** Share of these calls that outbound calls never use, from 0 to 1; 0.1 when absent. */
  readonly inbound_share?: number | undefined
  /** Dials per phone number and day, over all campaigns of a workspace; unlimited when absent. */
  readonly max_dials_per_number_per_day?: number | undefined
  /** Longest ringing of a call out, and longest wait for the answer of a call in; 40 when absent. */
  readonly ring_timeout_seconds?: number | undefined
  /** Longest conversation; 3,600 when absent. */
  readonly max_duration_seconds?: number | undefined
  /** Longest time of a conversation in which nothing is said, heard or reported; 120 when absent. */
  readonly idle_timeout_seconds?: number | undefined
  /** Ended calls that a process works on at a time, for agents with `after_call`; 4 when absent. */
  readonly after_call_concurrency?: number | undefined
  /** Circuit breaker that pauses dialling on a line whose dials fail. */
  readonly line_health?: {
    /** Length of the sliding window; 120 when absent. */
    readonly window_seconds?: number | undefined
    /** Dials that the window must hold before a line can be paused; 20 when absent. */
    readonly least_dials?: number | undefined
    /** Share of them that must have failed, above 0; 0.5 when absent. */
    readonly failed_share?: number | undefined
    /** First pause, doubled by each failed probe; 30 when absent. */
    readonly first_pause_seconds?: number | undefined
    /** Longest pause; 600 when absent. */
    readonly longest_pause_seconds?: number | undefined
  } | undefined
}

/** A turn of the transcript of an ended call. */
export interface CallTurn {
  /** `tool` for the result of a tool. */
  readonly role: "agent" | "user" | "tool"
  /** Text in English. */
  readonly en_text: string
  /** Text in the language that was spoken; absent for English. */
  readonly indic_text?: string | null | undefined
  /** Name of the tool; only of tools, as its arguments, its outcome and the seconds that it took. */
  readonly tool_name?: string | undefined
  readonly tool_arguments?: string | undefined
  readonly tool_outcome?: "done" | "failed" | "timed_out" | "wrong_arguments" | "refused" | undefined
  readonly tool_seconds?: number | undefined
  /** Hand-over of the call to another agent; only of the tool `hand_over`. */
  readonly handed_over?: HandedOver | undefined
  /** The agent that spoke; only of agents to which the call was handed over. */
  readonly app_id?: string | undefined
  /** Transfer that the tool has tried; its moments are epoch milliseconds. */
  readonly transfer?: TransferRecord | undefined
  readonly at: string
}

/**
 * Payload of a campaign's webhook for a finished call attempt, connected or not. All keys are always present; null if
 * not applicable.
 */
export interface CampaignAttemptPayload {
  readonly app_id: string
  readonly app_version: number
  readonly attempt_id: string
  readonly campaign_id: string
  readonly cohort_id: string
  readonly completion_status: "completed" | "partial" | "failed"
  readonly connectivity_status: "connected" | "busy" | "no_answer" | "failed" | null
  /** Next step for this contact; null if there is none. */
  readonly next_action_status: NextActionStatus | null
  readonly failure_reason: string | null
  /** The words by which the caller refused all further calls; null without any. */
  readonly opt_out: string | null
  /** Party that answered, and what was done; null where nobody was to find out, and unless the call connected. */
  readonly answer: CallAnswer | null
  readonly user_identifier: string
  readonly user_phone_number: string
  readonly agent_phone_number: string | null
  /** Seconds; null if not connected, as are all fields below except `retry_attempt`, `executed_at` and the last three. */
  readonly duration: number | null
  /** Key of the transcript and recording. */
  readonly interaction_id: string | null
  /** 0 for the first attempt, 1 for the first retry. */
  readonly retry_attempt: number
  /** Time of dialling. */
  readonly executed_at: string | null
  readonly start_datetime: string | null
  readonly end_datetime: string | null
  /** Variables from the cohort. */
  readonly initial_agent_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Variables at the end of the call. */
  readonly final_agent_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Variables that the agent collected during the call. */
  readonly output_agent_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Summary of the conversation; null without one, and until it is written. */
  readonly summary: string | null
  /** Values of the declared output variables in their types, null for unknown ones; null of agents without `after_call`. */
  readonly output_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Null of agents without `after_call`. */
  readonly extraction: Extraction | null
  readonly interaction_transcript: ReadonlyArray<TranscriptTurn> | null
  /** `metadata` of the webhook configuration. */
  readonly metadata: { readonly [key: string]: unknown } | null
  /** Costs of the call; null where the engine has no prices. */
  readonly costs: CostLedger | null
}

/** Money that a campaign may spend on its calls. When it is used up, the campaign is paused. */
export interface CampaignBudget {
  /** Amount of the currency; counted to a millionth. */
  readonly amount: number
  /** ISO 4217 code; must be the reporting currency of the engine. */
  readonly currency: string
  /**
   * Amount that is set aside for each call that runs; by default the cost of the campaign's most expensive call so far.
   * Give it so that the first calls do not run without one.
   */
  readonly reserve_per_call?: number
}

export interface CampaignConfig {
  /** Agent that holds the conversations. */
  readonly app_id: string
  readonly app_type?: "agent" | undefined
  /** Version of the agent, which must be committed. */
  readonly app_version: number
  /** Highest rate of dialling, 0.1 to 500 attempts per second; 2 by default. */
  readonly attempts_per_second?: number | undefined
  /** Lines to call from. */
  readonly connection_configs: ReadonlyArray<DialLine>
  /** Retry policy; the defaults apply when absent. */
  readonly retry_config?: RetryConfig | null | undefined
  /** Conduct when something other than a person answers; nobody finds out by default. */
  readonly answer_handling?: AnswerHandling | null | undefined
  /** True to record its calls, false not to; null, the default: as its agent and the engine say. */
  readonly record?: boolean | null
  /** Money that the campaign may spend on its calls, after which it is paused; without limit by default. */
  readonly budget?: CampaignBudget | null
  /** Webhook that receives the result of every attempt; none by default. */
  readonly webhook_config?: WebhookConfigInput | null | undefined
  readonly phone_rotation?: { readonly agent?: boolean | undefined } | null | undefined
}

/** A campaign as readers see it: like the stored one, but without the secret of its webhook. */
export interface CampaignDetail {
  readonly campaign_id: string
  readonly name: string
  readonly description: string | null
  readonly status: "scheduled" | "active" | "paused" | "ended" | "cancelled"
  readonly app_id: string
  readonly app_type: "agent"
  readonly app_version: number | null
  readonly app_config: {
    /** Agent that holds the conversations. */
    readonly app_id: string
    readonly app_type?: "agent" | undefined
    /** Version of the agent, which must be committed. */
    readonly app_version: number
    /** Highest rate of dialling, 0.1 to 500 attempts per second; 2 by default. */
    readonly attempts_per_second?: number | undefined
    /** Lines to call from. */
    readonly connection_configs: ReadonlyArray<DialLine>
    /** Retry policy; the defaults apply when absent. */
    readonly retry_config?: RetryConfig | null | undefined
    /** Conduct when something other than a person answers; nobody finds out by default. */
    readonly answer_handling?: AnswerHandling | null | undefined
    /** True to record its calls, false not to; null, the default: as its agent and the engine say. */
    readonly record?: boolean | null
    /** Money that the campaign may spend on its calls, after which it is paused; without limit by default. */
    readonly budget?: CampaignBudget | null
    /** Webhook that receives the result of every attempt; none by default. */
    readonly webhook_config: PublicWebhookConfig | null
    readonly phone_rotation?: { readonly agent?: boolean | undefined } | null | undefined
  }
  readonly start_timestamp: string
  readonly end_timestamp: string
  readonly allowed_schedule: AllowedSchedule
  /** The newest canary; null without one, and absent from campaigns of earlier versions. */
  readonly canary?: Canary | null
  readonly created_by: string
  readonly created_at: string
  readonly updated_by: string | null
  readonly updated_at: string
}

/** A campaign without its configuration, as lists and writes return it. */
export interface CampaignMetadata {
  readonly campaign_id: string
  readonly name: string
  readonly description: string | null
  readonly status: "scheduled" | "active" | "paused" | "ended" | "cancelled"
  readonly app_id: string
  readonly app_type: "agent"
  readonly app_version: number | null
  readonly created_by: string
  readonly created_at: string
  readonly updated_by: string | null
  readonly updated_at: string
}

export interface CampaignsContactsQuery {
  readonly state?: string
  readonly reason?: string
  readonly search?: string
  readonly limit?: number
  readonly after?: number
  readonly before?: number
}

export interface CampaignsCreateBody {
  readonly name: string
  readonly description?: string | null | null | undefined
  readonly app_config: CampaignConfig
  readonly start_timestamp: string | Date
  readonly end_timestamp: string | Date
  readonly allowed_schedule: AllowedSchedule
  /** Version of the agent to try on a part of the contacts; none by default. */
  readonly canary?: CanarySettings | null
}

export interface CampaignsListQuery {
  readonly offset?: number
  readonly limit?: number
  readonly sort_by?: "created_at" | "updated_at" | "name" | "status" | "start_timestamp" | "end_timestamp"
  readonly sort_order?: "asc" | "desc"
  readonly search?: string
  readonly campaign_status?: string
}

export interface CampaignsRehearseBody {
  /** Model of the callees; absent parts have defaults. */
  readonly callees?: CalleeModel | undefined
  /** Number of contacts; that of the campaign when absent. */
  readonly contacts?: number | undefined
  /** Seed of all random numbers; default 1. */
  readonly seed?: number | string | undefined
  /** Start of the rehearsal; now when absent. */
  readonly now?: string | Date | undefined
  /** Concurrent calls of the workspace; the engine's setting when absent. */
  readonly max_concurrent_calls?: number | undefined
  readonly prices?: Prices | undefined
  /** False to skip the search for the lowest rate that finishes; default true. */
  readonly lowest_rate?: boolean | undefined
}

export interface CampaignsUpdateBody {
  readonly name?: string | null | undefined
  readonly description?: string | null | null | undefined
  readonly app_config?: CampaignConfig | null | undefined
  readonly end_timestamp?: string | Date | null | undefined
  readonly allowed_schedule?: AllowedSchedule | null | undefined
  readonly status?: "scheduled" | "active" | "paused" | "ended" | "cancelled" | null | undefined
  readonly campaign_id?: unknown | undefined
  readonly app_id?: unknown | undefined
  readonly app_type?: unknown | undefined
  readonly app_version?: unknown | undefined
  readonly start_timestamp?: unknown | undefined
  /** The newest canary; null without one, and absent from campaigns of earlier versions. */
  readonly canary?: unknown | undefined
  readonly created_by?: unknown | undefined
  readonly created_at?: unknown | undefined
  readonly updated_by?: unknown | undefined
  readonly updated_at?: unknown | undefined
}

export interface CampaignsUpdateStatusBody {
  readonly action: "pause" | "resume" | "cancel"
  /** Stops the calls that ring, with pause and cancel; false by default. Answered calls go on. */
  readonly cancel_ringing?: boolean | undefined
}

export interface CanariesStartBody {
  /** Version of the campaign's agent to try; committed, and other than the campaign's. */
  readonly app_version: number
  /** Percentage of the contacts whom it calls, above 0 and at most 99; 10 by default, which limits the harm of a fault. */
  readonly percent?: number | undefined
  /** Aim whose share is compared; `completed` by default. */
  readonly metric?: Metric | undefined
  /**
   * Highest probability, 0.0001 to 0.2, that the canary stops although it is not worse; 0.01 by default, since a false
   * alarm costs a release.
   */
  readonly alpha?: number | undefined
  /**
   * Lead of the control's share, 0 to 1, below which the canary goes on even when it is certain; 0.02 by default, since
   * in a long campaign the smallest difference becomes certain.
   */
  readonly smallest_difference?: number | undefined
  /**
   * Conversations of each arm before which the canary goes on; 30 by default, since the calls that end first are the
   * short ones, which fail more often.
   */
  readonly min_conversations?: number | undefined
}

export interface CanariesUpdateStatusBody {
  /** `stop` calls all further contacts with the campaign's version, `promote` with the canary's. */
  readonly action: "stop" | "promote"
}

/** The canary of a campaign, as it is stored with it. */
export interface Canary {
  /** Canaries of the campaign so far, with this one. */
  readonly number: number
  /** Version of the campaign's agent to try; committed, and other than the campaign's. */
  readonly app_version: number
  /** Percentage of the contacts whom it calls, above 0 and at most 99; 10 by default, which limits the harm of a fault. */
  readonly percent: number
  /** Aim whose share is compared; `completed` by default. */
  readonly metric: Metric
  /**
   * Highest probability, 0.0001 to 0.2, that the canary stops although it is not worse; 0.01 by default, since a false
   * alarm costs a release.
   */
  readonly alpha: number
  /**
   * Lead of the control's share, 0 to 1, below which the canary goes on even when it is certain; 0.02 by default, since
   * in a long campaign the smallest difference becomes certain.
   */
  readonly smallest_difference: number
  /**
   * Conversations of each arm before which the canary goes on; 30 by default, since the calls that end first are the
   * short ones, which fail more often.
   */
  readonly min_conversations: number
  readonly status: "running" | "stopped" | "promoted" | "ended"
  /** Version that it was compared with. */
  readonly control_version: number
  readonly started_at: string
  readonly started_by: string
  /** Null while it runs, as the next three. */
  readonly ended_at: string | null
  /** The label of an API key; null of a canary that stopped itself, or whose campaign ended by itself. */
  readonly ended_by: string | null
  /** `worse`: stopped by its outcomes. `request`: stopped or promoted by a request. `campaign`: its campaign is over. */
  readonly end_reason: "worse" | "request" | "campaign" | null
  /** Counts of both arms at the end. */
  readonly end_figures: {
    readonly control: CanaryFigures
    readonly canary: CanaryFigures
  } | null
}

export interface CanaryArm {
  readonly app_version: number
  /** Conversations that count: the first one of each contact in the arm that was not answered by a machine. */
  readonly conversations: number
  /** Those that reached the aim. */
  readonly successes: number
  /** Share of successes, 0 to 1; null without conversations. */
  readonly share: number | null
  /** Bounds of the true share, which hold at all looks together with a probability of 95 %. */
  readonly low: number
  readonly high: number
}

/**
 * Payload of a campaign's webhook for a canary that has ended: stopped by its outcomes or by a request, promoted, or
 * ended with its campaign. All keys are always present; `type` tells it from those of calls.
 */
export interface CanaryEndedPayload {
  readonly type: "canary.ended"
  readonly at: string
  readonly campaign_id: string
  /** Number of the canary in its campaign. */
  readonly number: number
  readonly app_version: number
  readonly control_version: number
  readonly status: "stopped" | "promoted" | "ended"
  readonly end_reason: "worse" | "request" | "campaign"
  /** Counts of the arms at the end. */
  readonly control: CanaryFigures | null
  readonly canary: CanaryFigures | null
  readonly metadata: { readonly [key: string]: unknown } | null
}

export interface CanaryFigures {
  /** Conversations that count: the first one of each contact in the arm that was not answered by a machine. */
  readonly conversations: number
  /** Those that reached the aim. */
  readonly successes: number
}

/** Both arms of a canary as they are now, in the progress of its campaign. */
export interface CanaryRecord {
  readonly number: number
  readonly status: "running" | "stopped" | "promoted" | "ended"
  readonly percent: number
  readonly metric: Metric
  readonly control: CanaryArm
  readonly canary: CanaryArm
  /** Evidence that the canary is worse; it stops at `stops_at`, once the difference and the conversations suffice. */
  readonly evidence: number
  /** `1 / alpha`. */
  readonly stops_at: number
  readonly end_reason: "worse" | "request" | "campaign" | null
  readonly ended_at: string | null
}

/**
 * Settings of a canary: a version that takes a part of a campaign's contacts and stops itself when its outcomes are
 * worse.
 */
export type CanarySettings = CanariesStartBody

export interface ChatAssistantMessage {
  readonly role: "assistant"
  readonly content?:
    | string
    | ReadonlyArray<
      ChatTextPart | {
        readonly type: "refusal"
        readonly refusal: string
      }
    >
    | null
    | undefined
  readonly refusal?: string | null | undefined
  readonly reasoning_content?: string | null | undefined
  readonly tool_calls?: ReadonlyArray<ToolCall> | null | undefined
  readonly name?: string | null | undefined
}

export interface ChatBodyV1 {
  readonly messages: readonly [
    | ChatSystemMessage
    | ChatDeveloperMessage
    | ChatAssistantMessage
    | ChatToolMessage
    | ChatUserMessageV1
    | ChatOtherMessageV1,
    ...ReadonlyArray<
      | ChatSystemMessage
      | ChatDeveloperMessage
      | ChatAssistantMessage
      | ChatToolMessage
      | ChatUserMessageV1
      | ChatOtherMessageV1
    >
  ]
  readonly model: string
  readonly temperature?: number | null | undefined
  readonly top_p?: number | null | undefined
  readonly reasoning_effort?: "low" | "medium" | "high" | "max" | null | undefined
  readonly max_tokens?: number | null | undefined
  readonly max_completion_tokens?: number | null | undefined
  readonly stream?: boolean | null | undefined
  readonly stream_options?: { readonly include_usage?: boolean | null | undefined } | null | undefined
  readonly stop?: string | ReadonlyArray<string> | null | undefined
  readonly n?: number | null | undefined
  readonly seed?: number | null | undefined
  readonly frequency_penalty?: number | null | undefined
  readonly presence_penalty?: number | null | undefined
  readonly tools?: ReadonlyArray<ChatTool> | null | undefined
  readonly tool_choice?:
    | "none"
    | "auto"
    | "required"
    | {
      readonly type: "function"
      readonly function: { readonly name: string }
    }
    | null
    | undefined
  readonly parallel_tool_calls?: boolean | null | undefined
  readonly response_format?: ResponseFormat | null | undefined
  readonly logprobs?: boolean | null | undefined
  readonly top_logprobs?: number | null | undefined
}

export interface ChatBodyV2 {
  readonly messages: readonly [
    | ChatSystemMessage
    | ChatDeveloperMessage
    | ChatAssistantMessage
    | ChatToolMessage
    | ChatUserMessageV2
    | ChatOtherMessageV2,
    ...ReadonlyArray<
      | ChatSystemMessage
      | ChatDeveloperMessage
      | ChatAssistantMessage
      | ChatToolMessage
      | ChatUserMessageV2
      | ChatOtherMessageV2
    >
  ]
  readonly model: string
  readonly temperature?: number | null | undefined
  readonly top_p?: number | null | undefined
  readonly reasoning_effort?: "low" | "medium" | "high" | "max" | null | undefined
  readonly max_tokens?: number | null | undefined
  readonly max_completion_tokens?: number | null | undefined
  readonly stream?: boolean | null | undefined
  readonly stream_options?: { readonly include_usage?: boolean | null | undefined } | null | undefined
  readonly stop?: string | ReadonlyArray<string> | null | undefined
  readonly n?: number | null | undefined
  readonly seed?: number | null | undefined
  readonly frequency_penalty?: number | null | undefined
  readonly presence_penalty?: number | null | undefined
  readonly tools?: ReadonlyArray<ChatTool> | null | undefined
  readonly tool_choice?:
    | "none"
    | "auto"
    | "required"
    | {
      readonly type: "function"
      readonly function: { readonly name: string }
    }
    | null
    | undefined
  readonly parallel_tool_calls?: boolean | null | undefined
  readonly response_format?: ResponseFormat | null | undefined
  readonly logprobs?: boolean | null | undefined
  readonly top_logprobs?: number | null | undefined
  readonly extra_body?: object | null | undefined
}

/** The response body of a chat completion that is not streamed. */
export interface ChatCompletion {
  readonly id: string
  readonly object: "chat.completion"
  readonly created: number
  readonly model: string
  readonly choices: ReadonlyArray<{
    readonly index: number
    readonly message: {
      readonly role: "assistant"
      readonly content: string | null
      readonly refusal: string | null
      readonly reasoning_content?: string
      readonly tool_calls?: ReadonlyArray<ToolCall>
    }
    readonly logprobs: ChatLogprobs | null
    readonly finish_reason: "stop" | "length" | "tool_calls" | "content_filter" | "function_call"
  }>
  readonly usage: ChatUsage
  readonly service_tier: null
  readonly system_fingerprint: null
}

export interface ChatDeveloperMessage {
  readonly role: "developer"
  readonly content: string | ReadonlyArray<ChatTextPart>
}

/** Log probabilities of the tokens of the content, each with the likeliest alternatives. */
export interface ChatLogprobs {
  readonly content: ReadonlyArray<{
    readonly token: string
    readonly logprob: number
    readonly bytes: ReadonlyArray<number> | null
    readonly top_logprobs: ReadonlyArray<{
      readonly token: string
      readonly logprob: number
      readonly bytes: ReadonlyArray<number> | null
    }>
  }>
  readonly refusal: null
}

export interface ChatOtherMessageV1 {
  readonly role: string
  readonly content: string | ReadonlyArray<ChatTextPart>
  readonly name?: string | null | undefined
}

export interface ChatOtherMessageV2 {
  readonly role: string
  readonly content: Content
  readonly name?: string | null | undefined
}

export interface ChatSystemMessage {
  readonly role: "system"
  readonly content: string | ReadonlyArray<ChatTextPart>
}

export interface ChatTextPart {
  readonly type: "text"
  readonly text: string
}

/** A function that the model may call. `strict` is accepted because SDKs send it. */
export interface ChatTool {
  readonly type: "function"
  readonly function: {
    readonly name: string
    readonly description?: string | null | undefined
    readonly parameters?: object | null | undefined
    readonly strict?: boolean | null | undefined
  }
}

export interface ChatToolMessage {
  readonly role: "tool"
  readonly content: string | ReadonlyArray<ChatTextPart>
  readonly tool_call_id: string
}

/** Tokens used by all choices together. */
export interface ChatUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly completion_tokens_details: { readonly reasoning_tokens: number }
  readonly prompt_tokens_details: { readonly cached_tokens: number } | null
}

export interface ChatUserMessageV1 {
  readonly role: "user"
  readonly content: string | ReadonlyArray<ChatTextPart>
  readonly name?: string | null | undefined
}

export interface ChatUserMessageV2 {
  readonly role: "user"
  readonly content: Content
  readonly name?: string | null | undefined
}

/** A list of users to call, as the API returns it. */
export interface Cohort {
  readonly name: string
  readonly cohort_id: string
  readonly cohort_category: "cohort" | "stop_file"
  readonly status: "processing" | "completed" | "failed"
  readonly source_type: "file_upload" | "pre_signed_url" | "stream"
  /**
   * Separator of its file, found from the header or a first line `sep=`; null until a file from a URL has been read, and
   * for users that came in a request.
   */
  readonly separator: "comma" | "semicolon" | "tab" | null
  /** Time zone of the days of `date` transforms: that of its campaign when the cohort was added, or Asia/Kolkata. */
  readonly timezone: string
  readonly created_by: string
  readonly created_at: string
  readonly updated_at: string
  /** Null unless the cohort is processing. */
  readonly progress: ImportProgress | null
  /** Null until the cohort is completed. */
  readonly result: CohortResult | null
  readonly updated_by: string | null
  /** Explanation of a failure; null unless the cohort failed. */
  readonly failure_reason: string | null
}

/** Result that an upload of the same rows would have. */
export interface CohortPreview {
  readonly separator: "comma" | "semicolon" | "tab"
  readonly columns: ReadonlyArray<string>
  /** The first 20 users. */
  readonly accepted: ReadonlyArray<{
    /** In any format that a cell of a CSV may have. */
    readonly user_phone_number: string
    readonly user_identifier: string
    readonly app_variables: { readonly [key: string]: string }
    readonly app_overrides: {
      readonly initial_language_name?: string | undefined
      readonly initial_state_name?: string | undefined
      readonly initial_bot_message?: string | undefined
    }
  }>
  /** The first 20 rejected rows, with the codes of their reasons. */
  readonly rejected: ReadonlyArray<{
    readonly values: ReadonlyArray<string>
    readonly reasons: ReadonlyArray<string>
  }>
  readonly total_records: number
  readonly valid_records: number
  readonly rejected_records: number
}

/** Row counts of a cohort's file: `total_records` is the sum of the other two. */
export interface CohortResult {
  readonly total_records: number
  readonly valid_records: number
  readonly rejected_records: number
}

export interface CohortsAddToCampaignBody {
  readonly name: string
  readonly users: ReadonlyArray<CohortUser>
  readonly cohort_category?: "cohort" | "stop_file" | undefined
}

export interface CohortsAddToDeploymentBody {
  readonly name: string
  readonly users: ReadonlyArray<CohortUser>
  readonly cohort_category?: "cohort" | "stop_file" | undefined
}

export interface CohortsFetchToCampaignBody {
  readonly name: string
  readonly source: PreSignedUrl
  /** JSON of a `Transformation`, stored as received. */
  readonly cohort_transformation: CohortTransformation
  readonly cohort_category?: "cohort" | "stop_file" | undefined
}

export interface CohortsFetchToDeploymentBody {
  readonly name: string
  readonly source: PreSignedUrl
  /** JSON of a `Transformation`, stored as received. */
  readonly cohort_transformation: CohortTransformation
  readonly cohort_category?: "cohort" | "stop_file" | undefined
}

export interface CohortsFileOfCampaignQuery {
  readonly file_type: "cohort" | "rejected_records" | "cohort_transformation"
}

export interface CohortsFileOfDeploymentQuery {
  readonly file_type: "cohort" | "rejected_records" | "cohort_transformation"
}

export interface CohortsListOfCampaignQuery {
  readonly offset?: number
  readonly limit?: number
  readonly sort_by?: "created_at" | "updated_at" | "name" | "status"
  readonly sort_order?: "asc" | "desc"
  readonly search?: string
}

export interface CohortsListOfDeploymentQuery {
  readonly offset?: number
  readonly limit?: number
  readonly sort_by?: "created_at" | "updated_at" | "name" | "status"
  readonly sort_order?: "asc" | "desc"
  readonly search?: string
}

export interface CohortsPreviewBody {
  readonly csv: string
  /** JSON of a `Transformation`; without it, only the columns are returned. */
  readonly cohort_transformation?: unknown | undefined
  /** Time zone of the days of `date` transforms; Asia/Kolkata by default. */
  readonly timezone?: string | undefined
}

export interface CohortsUploadToCampaignBody {
  readonly name: string
  readonly cohort_file: Blob | Uint8Array | string
  readonly cohort_transformation_file: Blob | Uint8Array | string
  readonly cohort_category?: "cohort" | "stop_file" | undefined
}

export interface CohortsUploadToDeploymentBody {
  readonly name: string
  readonly cohort_file: Blob | Uint8Array | string
  readonly cohort_transformation_file: Blob | Uint8Array | string
  readonly cohort_category?: "cohort" | "stop_file" | undefined
}

export interface CohortTransformation {
  readonly phone_number: {
    /** a string at most 1000 character(s) long */
    readonly column_name: string
    /** Rejects rows whose value is empty. */
    readonly required?: boolean
    /** a string at most 65536 character(s) long */
    readonly default?: string
    /** Applied from left to right; an empty cell stays empty. */
    readonly transforms?: ReadonlyArray<Transform>
    /** Country of numbers without a country code, in ISO 3166-1 alpha-2. */
    readonly country_code?: string
  }
  /** The phone number is the identifier if this is absent. */
  readonly user_identifier?: ColumnRule
  readonly app_variables?: { readonly [key: string]: ColumnRule }
  readonly app_overrides?: {
    readonly initial_language_name?: ColumnRule
    readonly initial_state_name?: ColumnRule
    readonly initial_bot_message?: ColumnRule
  }
}

export interface CohortUser {
  /** a string at most 65536 character(s) long */
  readonly user_phone_number: string
  /** a string at most 65536 character(s) long */
  readonly user_identifier?: string
  readonly app_variables?: { readonly [key: string]: string }
  readonly app_overrides?: {
    /** a string at most 65536 character(s) long */
    readonly initial_language_name?: string
    /** a string at most 65536 character(s) long */
    readonly initial_state_name?: string
    /** a string at most 65536 character(s) long */
    readonly initial_bot_message?: string
  }
}

export interface ColumnRule {
  /** a string at most 1000 character(s) long */
  readonly column_name: string
  /** Rejects rows whose value is empty. */
  readonly required?: boolean
  /** a string at most 65536 character(s) long */
  readonly default?: string
  /** Applied from left to right; an empty cell stays empty. */
  readonly transforms?: ReadonlyArray<Transform>
}

/** Body that commits a draft. */
export interface CommitVersion {
  /** Revision that was read: with another one nothing changes. */
  readonly revision: number
}

/** Agents, connections, and access to them, as they are written in a configuration. */
export interface Configuration {
  /** Agents that every workspace can use. */
  readonly agents: ReadonlyArray<Agent>
  /** Phone lines that every workspace can use. */
  readonly connections: ReadonlyArray<Connection>
  /** Accounts, workspaces and API keys; none by default, so that only code can use the engine. */
  readonly access?: Access
}

/** A phone line: a provider account or trunk and its numbers. */
export interface Connection {
  /** Id chosen by the host application, by which calls and campaigns name the line. */
  readonly connection_id: string
  /** Name of the carrier that serves it, such as `simulator`. */
  readonly provider: string
  /** Numbers of the line in E.164, such as `+911140000001`. */
  readonly phone_numbers: ReadonlyArray<string>
  /** Maximum concurrent calls; absent means unlimited. */
  readonly max_channels?: number | undefined
  /** Settings of the carrier adapter. */
  readonly options?: { readonly [key: string]: unknown } | undefined
}

/**
 * A page of contacts in the order of enrolment, with the cursors of the next and the previous page, or null at the
 * ends.
 */
export interface ContactPage {
  readonly items: ReadonlyArray<ContactRecord>
  readonly limit: number
  /** Value of `after` for the next page and of `before` for the previous one; null if there is none. */
  readonly cursors: {
    readonly after: string | null
    readonly before: string | null
  }
}

/** A contact as `GET W/campaigns/{id}/contacts` returns it; an extension of the API. */
export interface ContactRecord {
  readonly user_identifier: string
  readonly user_phone_number: string
  readonly cohort_id: string
  readonly state: "waiting" | "calling" | "finished"
  /** Attempts made so far. */
  readonly attempts: number
  /** Due time of the next attempt; null unless the contact is waiting. */
  readonly due_at: string | null
  /** The attempt in progress. */
  readonly attempt_id: string | null
  readonly decision: DecisionRecord
  readonly last_outcome: LastOutcome | null
}

export type Content =
  | string
  | ReadonlyArray<
    ChatTextPart | {
      readonly type: "image_url"
      readonly image_url: {
        readonly url: string
        readonly detail?: "auto" | "low" | "high" | null | undefined
      }
    }
  >

/** Costs of a call: every quantity with its price, and the sum. */
export interface CostLedger {
  readonly lines: ReadonlyArray<CostLine>
  /** Sums of the known amounts in their own currencies. */
  readonly totals: ReadonlyArray<{
    readonly currency: string
    readonly amount_micros: number
  }>
  /** Reporting currency of the engine, an ISO 4217 code. */
  readonly currency: string
  /**
   * Sum of what is known, in millionths of the reporting currency: the least that the call costs when it is not
   * complete. Null when there are lines and none is known.
   */
  readonly amount_micros: number | null
  /** True when every line has a price, in the reporting currency or one with a rate. */
  readonly complete: boolean
}

/** A quantity of a provider's service that a call used, and what it costs. */
export interface CostLine {
  readonly service: "voice" | "transcriber" | "model" | "carrier"
  /** Name of the provider, such as `elevenlabs`. */
  readonly provider: string
  /** Name of its model; of a carrier, the line. */
  readonly model: string
  readonly unit:
    | "character"
    | "second"
    | "input_token"
    | "cached_input_token"
    | "output_token"
    | "audio_input_token"
    | "audio_output_token"
    | "call"
  readonly quantity: number
  /** The provider did not tell the quantity, so that it was estimated. Absent: false. */
  readonly estimated?: boolean
  /** Price of `per` units in the currency; null when it is unknown. */
  readonly unit_price: number | null
  /** Units that `unit_price` is the price of. */
  readonly per: number
  /** ISO 4217 code; null when the price is unknown. */
  readonly currency: string | null
  /** Millionths of the currency; null when the price is unknown. */
  readonly amount_micros: number | null
}

/** Body that makes an agent with its first version, a draft. */
export interface CreateAgent {
  /**
   * Id of your choice, 1 to 128 characters without `/` and control characters, which no other agent of the workspace and
   * of the server has.
   */
  readonly app_id: string
  /** Display name, up to 200 characters; absent: the id. */
  readonly name?: string
  /** Definition of version 1. */
  readonly version: VersionDefinition
}

/** Saved voice. `data` repeats two of its fields for clients that expect them there. */
export interface CreatedVoice {
  readonly voice_id: string
  readonly name: string
  /** The language of the clip. */
  readonly language: VoiceLanguage
  readonly style: "conversational" | "audiobooks" | "entertainment" | "sales"
  readonly gender: "male" | "female" | null
  /** The transcript of the clip; empty when unknown. */
  readonly reference_text: string
  /** Length of the clip in seconds. */
  readonly reference_duration: number
  readonly created_at: string
  readonly request_id: string | null
  readonly data: {
    readonly voice_id: string
    readonly reference_text: string
  }
}

/** Body that makes a draft: a definition, or what differs from another version. */
export interface CreateVersion {
  readonly base_version?: number
  /** Name by which the agent introduces itself; `Assistant` by default. */
  readonly name?: string | null
  /** Template of the instructions to the language model. Excludes `script`; without both, default instructions apply. */
  readonly prompt?: string | null
  /** A conversation without a language model. Excludes `prompt`. */
  readonly script?: readonly [ScriptStep, ...ReadonlyArray<ScriptStep>] | null
  /** The language model; by default that of the conversation. */
  readonly model?: string | null
  /** Template of the greeting; by default one of the engine, or the first step of the script. */
  readonly first_message?: string | { readonly [key: string]: string } | null
  /** Template of the last words. */
  readonly goodbye_message?: string | { readonly [key: string]: string } | null
  /** Template of the text after a silence of the caller. */
  readonly silence_prompt?: string | { readonly [key: string]: string } | null
  /**
   * Languages by their English names or codes, such as `Hindi` or `hi-IN`; the call begins in the first. English by
   * default.
   */
  readonly languages?: readonly [string, ...ReadonlyArray<string>] | null
  /** The variables that a call accepts; null, the default: any. */
  readonly variables?: ReadonlyArray<string> | null
  /** The values that the agent finds out; none by default. */
  readonly output_variables?: ReadonlyArray<OutputVariable> | null
  /** Work of a model on each call after its end: a summary, and output variables; nothing by default. */
  readonly after_call?: AfterCall | null
  /**
   * Stages of the conversation at which calls can start, or steps of a script that only such calls reach; null, the
   * default: none.
   */
  readonly states?: ReadonlyArray<AgentState> | null
  /** Tools that the agent can use during a call, beside the built-in ones; none by default. */
  readonly tools?: ReadonlyArray<WorkspaceTool> | null
  /** Collections of documents that the agent looks things up in; none by default. */
  readonly knowledge?: ReadonlyArray<string> | null
  /** Names of the MCP servers whose tools the agent can use as well, among those that the server offers; none by default. */
  readonly mcp_servers?: ReadonlyArray<string> | null
  /** Agents to which a call may be handed over, 50 at most; none by default. */
  readonly hand_overs?: ReadonlyArray<HandOver> | null
  /** Digits for which the agent may ask, such as the number of a card; none by default. */
  readonly digit_entries?: ReadonlyArray<DigitEntry> | null
  /** Rules by which the agent may put the caller on hold; by default it may not. */
  readonly hold?: Hold | null
  /** People and numbers to whom the agent can transfer calls; none by default. */
  readonly transfers?: ReadonlyArray<TransferTarget> | null
  /** True lets the agent press keys, such as in the menu of another system; false by default. */
  readonly send_digits?: boolean | null
  /** Longest duration of a call, 1 to 3600 seconds; 600 by default. */
  readonly max_duration_seconds?: number | null
  /** Preferred voice. */
  readonly voice?: VoiceHints | null
  /** Recording of its calls; by default as the engine says. */
  readonly recording?: RecordingRules | null
}

export type DecisionReason =
  | "allowed"
  | "new"
  | "campaign_scheduled"
  | "campaign_paused"
  | "budget_reached"
  | "outside_window"
  | "retry_interval"
  | "rate"
  | "no_capacity"
  | "line_paused"
  | "line_missing"
  | "daily_cap"
  | "on_the_phone"
  | "agent_version"
  | "stopped"
  | "blocked_number"
  | "done"
  | "retries_exhausted"
  | "outcome_unknown"
  | "past_end"
  | "campaign_ended"
  | "campaign_cancelled"

/** The gate's decision about a contact, with an explanation in one plain English sentence. */
export interface DecisionRecord {
  readonly verdict: "allow" | "not_before" | "never"
  readonly reason: DecisionReason
  readonly at: string
  readonly not_before: string | null
  readonly explanation: string
}

/** A page of deliveries, newest attempt first. */
export interface DeliveriesPage {
  readonly items: ReadonlyArray<DeliveryRecord>
  readonly limit: number
  /** Value of `after` for the next page and of `before` for the previous one; null if there is none. */
  readonly cursors: {
    readonly after: string | null
    readonly before: string | null
  }
}

/** An entry of the delivery history, without addresses and content. Times are UTC; `scheduled_for` is business time. */
export interface DeliveryItem {
  readonly delivery_id: string
  readonly run_id: string
  readonly rule_id: string
  /** Occurrence of the cron schedule. */
  readonly scheduled_for: string
  readonly channel: "email" | "slack"
  readonly status: "pending" | "running" | "delivered" | "failed" | "cancelled" | "skipped_missed"
  readonly tries: number
  /** Error of the latest attempt. */
  readonly last_error: string | null
  /** Error code of a report about a failed widget, such as `TIMEOUT`. */
  readonly error_code: string | null
  readonly started_at: string | null
  readonly finished_at: string | null
  /** Null unless the delivery waits for an attempt. */
  readonly next_try_at: string | null
  readonly rows: number | null
  readonly truncated: boolean | null
}

/** A delivery in a list. All its times are real time. */
export interface DeliveryRecord {
  readonly attempt_id: string
  /** `ending`: the call is being ended. `ended`: it was over before. */
  readonly status: "pending" | "running" | "delivered" | "failed"
  readonly url: string
  /** Status of the latest response; null if there was none. */
  readonly response_status: number | null
  /** Number of tries. */
  readonly tries: number
  /** Reason for the failure of the latest try, and for a pause or end of deliveries to the receiver. */
  readonly last_error: string | null
  /** Start of the latest try. */
  readonly started_at: string | null
  /** Time of delivery or of giving up. */
  readonly finished_at: string | null
  /** Null unless pending. */
  readonly next_try_at: string | null
}

/** A deployment in API responses. The webhook's secret is write-only and not included. */
export interface DeploymentDetail {
  readonly deployment_id: string
  readonly name: string
  readonly description: string | null
  readonly app_id: string
  readonly app_version: number
  readonly connection_configs: ReadonlyArray<{
    readonly connection_id: string
    readonly phone_numbers: ReadonlyArray<string>
  }>
  readonly channel_direction: "inbound" | "outbound" | "both"
  readonly inbound_config: InboundConfig | null
  /** Webhook that receives each conversation, with its secret; null for none. */
  readonly webhook_config: PublicWebhookConfig | null
  /** True to record its calls, false not to; null or absent: as its agent and the engine say. */
  readonly record?: boolean | null
  readonly status: "active" | "paused"
  readonly created_by: string
  readonly created_at: string
  readonly updated_by: string | null
  readonly updated_at: string
}

export interface DeploymentsCreateBody {
  readonly name: string
  readonly description?: string | null | null | undefined
  readonly app_id: string
  readonly app_version: number
  readonly connection_configs: ReadonlyArray<{
    readonly connection_id: string
    readonly phone_numbers: ReadonlyArray<string>
  }>
  readonly inbound_config?: InboundConfig | null | undefined
  readonly webhook_config?: WebhookConfigInput | null | undefined
  /** True to record its calls, false not to; by default as its agent and the engine say. */
  readonly record?: boolean | null
}

export interface DeploymentsListQuery {
  readonly offset?: number
  readonly limit?: number
  readonly sort_by?: "created_at" | "updated_at" | "name" | "status"
  readonly sort_order?: "asc" | "desc"
  readonly search?: string
}

/** A deployment in lists: its numbers are one flat list. A struct, since lists make many of them. */
export interface DeploymentSummary {
  readonly deployment_id: string
  readonly name: string
  readonly description: string | null
  readonly app_id: string
  readonly app_version: number
  readonly channel_direction: "inbound" | "outbound" | "both"
  readonly inbound_config: InboundConfig | null
  readonly webhook_config: PublicWebhookConfig | null
  readonly record?: boolean | null
  readonly status: "active" | "paused"
  readonly created_by: string
  readonly created_at: string
  readonly updated_by: string | null
  readonly updated_at: string
  readonly phone_numbers: ReadonlyArray<string>
}

export interface DeploymentsUpdateBody {
  readonly name?: string | null | undefined
  readonly description?: string | null | null | undefined
  readonly app_id?: string | null | undefined
  readonly app_version?: number | null | undefined
  readonly connection_configs?:
    | ReadonlyArray<{
      readonly connection_id: string
      readonly phone_numbers: ReadonlyArray<string>
    }>
    | null
    | undefined
  readonly inbound_config?: InboundConfig | null | undefined
  /** Webhook that receives each conversation, with its secret; null for none. */
  readonly webhook_config?: WebhookConfigInput | null | undefined
  /** True to record its calls, false not to; null or absent: as its agent and the engine say. */
  readonly record?: boolean | null | undefined
  readonly status?: "active" | "paused" | null | undefined
  readonly deployment_id?: unknown | undefined
  readonly channel_direction?: unknown | undefined
  readonly created_by?: unknown | undefined
  readonly created_at?: unknown | undefined
  readonly updated_by?: unknown | undefined
  readonly updated_at?: unknown | undefined
}

export interface DeploymentsUpdateStatusBody {
  /** `stop` calls all further contacts with the campaign's version, `promote` with the canary's. */
  readonly action: "pause" | "resume"
}

/**
 * A connection that a campaign dials from: its caller numbers, and its share of the dials as a relative weight
 * (default 1).
 */
export interface DialLine {
  /** Line to call from. */
  readonly connection_id: string
  /** Numbers of the line to call from. */
  readonly phone_numbers: ReadonlyArray<string>
  /** Share of the dials relative to the other lines; 1 by default. */
  readonly weight?: number | undefined
}

/** Digits that the caller enters with the keys of the telephone: the model gets the tool `collect_digits` for it. */
export interface DigitEntry {
  /** Name by which the model asks for the entry, and by which tools get its digits. */
  readonly name: string
  /** Description for the model, such as "The 16 digits of the payment card". */
  readonly description: string
  /** Fewest digits, 1 to 32; 1 by default. */
  readonly min?: number
  /** Most digits, 1 to 32, after which the entry is over; 32 by default. */
  readonly max?: number
  /** Key that ends the entry; `#` by default. */
  readonly terminator?: "#" | "*" | "none"
  /** Pause after a key that ends the entry, in seconds from 1 to 30; 5 by default. */
  readonly digit_seconds?: number
  /** Longest time of a try, in seconds from 5 to 300, counted from the end of the words that ask for it; 30 by default. */
  readonly seconds?: number
  /** Number of times that the caller is asked again when digits are missing, 0 to 5; 1 by default. */
  readonly retries?: number
  /** Fate of words meanwhile: `ignore` them by default, or take the `digits` that are spoken. */
  readonly speech?: "ignore" | "digits"
  /** Receivers of the digits: the `tools` of the agent alone, by default, or its `model` as well. */
  readonly reveal?: "tools" | "model"
  /** Template of the words that ask for the digits; absent: "Please enter it with the keys of your phone." */
  readonly say?: string | { readonly [key: string]: string }
}

export type Distribution = number | {
  /** The median. */
  readonly median: number
  /** The 90th percentile. */
  readonly p90: number
  /** The maximum; default 10 times `p90`. */
  readonly at_most?: number | undefined
} | {
  /** Pairs of a percentile and its value, with linear interpolation. */
  readonly percentiles: ReadonlyArray<readonly [number, number]>
}

/** Response to the removal of a document. */
export interface DocumentRemoved {
  readonly document_id: string
  readonly deleted: true
}

/** An expected reply and its consequences. */
export interface Expectation {
  /** Phrases of whole words of which the reply must contain one, by language or for all; absent: any reply. */
  readonly match?: readonly [string, ...ReadonlyArray<string>] | {
    readonly [key: string]: readonly [string, ...ReadonlyArray<string>]
  }
  /**
   * Variables to set: to a value, to the reply with `$reply`, or to its digits with `$digits` (then a reply needs digits
   * to match).
   */
  readonly set?: { readonly [key: string]: string | number | boolean | null }
  /** Id of a step or an exit; absent: the next step. */
  readonly go?: string
}

/** Account of the work on a call after its end. */
export interface Extraction {
  /** `skipped`: there was nothing to ask a model about, as without words of the caller. */
  readonly status: "pending" | "done" | "failed" | "skipped"
  /** Why it failed or was skipped; null otherwise. */
  readonly reason: string | null
  /** The model that was asked last; null when none was. */
  readonly model: string | null
  /** Requests to the model. */
  readonly tries: number
  /**
   * Seconds of real time from the end of the call to the result; null while it is pending, and where it was skipped at
   * once.
   */
  readonly duration_seconds: number | null
  /** Tokens of all tries that the model reported; null where it reported none. */
  readonly usage: {
    readonly input_tokens: number
    readonly output_tokens: number
  } | null
  /** The declared output variables in order: their types, and what has set each: the call, the model, or nothing. */
  readonly variables: ReadonlyArray<{
    readonly name: string
    readonly type: "string" | "number" | "integer" | "boolean" | "date" | "enum"
    readonly source: "call" | "model" | null
  }>
}

/** A filter of a board, shared by all widgets whose SQL uses its name. */
export interface Filter {
  readonly id: string
  readonly internal_name: string
  readonly display_label: string
  readonly filter_type: "number" | "string" | "date" | "dropdown" | "date_range" | "boolean" | "list"
  /** Text that parses as the filter's type; dates may be relative, such as `today-7d`. */
  readonly default_value: string | null
  /** Allowed values of a `dropdown`; empty for other types. */
  readonly options: ReadonlyArray<string>
  /** True when some widget needs a value and there is no default. */
  readonly is_required: boolean
}

/** Declaration of a filter by a widget. The label defaults to the name; the default value is optional. */
export interface FilterDecl {
  readonly internal_name: string
  readonly filter_type: "number" | "string" | "date" | "dropdown" | "date_range" | "boolean" | "list"
  readonly display_label?: string | null | undefined
  /** Text that parses as the filter's type; dates may be relative, such as `today-7d`. */
  readonly default_value?: string | null | undefined
  /** Allowed values of a `dropdown`; empty for other types. */
  readonly options?: ReadonlyArray<string> | null | undefined
  readonly id?: unknown | undefined
  /** True when some widget needs a value and there is no default. */
  readonly is_required?: unknown | undefined
}

export interface FilterValues {
  readonly [key: string]: {
    readonly filter_type: "number" | "string" | "date" | "dropdown" | "date_range" | "boolean" | "list"
    readonly value: string | number | boolean | ReadonlyArray<string | number | boolean> | {
      readonly start: string
      readonly end: string
    } | null
  }
}

/** A passage that answers a question, with its source. */
export interface FoundPassage {
  readonly document_id: string
  readonly collection: string
  readonly title: string
  readonly source: string
  /** Place of the passage in its document, from 0. */
  readonly position: number
  /** Headings above it, from the outermost on, joined by ` > `; empty without any. */
  readonly heading: string
  /** Page on which it begins, from 1; null for documents without pages. */
  readonly page: number | null
  readonly text: string
  /** Relevance by BM25; only comparable within one answer. */
  readonly score: number
}

export interface FunctionCallInput {
  readonly type: "function_call"
  readonly call_id: string
  readonly name: string
  readonly arguments: string
}

export interface FunctionCallOutputInput {
  readonly type: "function_call_output"
  readonly call_id: string
  readonly output: InputContent
}

/** A call that one agent has handed over to another. */
export interface HandedOver {
  readonly from_app_id: string
  readonly from_app_version: number
  readonly to_app_id: string
  readonly to_app_version: number
  /** `keep`: all of the conversation. `last_turns`: its last turns. `summary`: a summary by the model. */
  readonly history: "keep" | "last_turns" | "summary"
  /** Reason in the words of the model. */
  readonly reason: string
}

/** An agent to which a call may be handed over, in the same call: the model gets the tool `hand_over` for it. */
export interface HandOver {
  /** The agent that goes on with the call. */
  readonly app_id: string
  /** Its version; absent: the newest that is committed. */
  readonly app_version?: number
  /** Situation in which the model hands over, such as "The caller asks about an invoice". */
  readonly when: string
  /** Part of the conversation that the next agent is told; `keep`, all of it, by default. */
  readonly history?: "keep" | "last_turns" | "summary"
  /** Number of turns of the caller with which a history of `last_turns` begins, 1 to 50; 6 by default. */
  readonly last_turns?: number
  /** Template of the first words of the next agent; absent: its model, or its script, goes on by itself. */
  readonly first_words?: string | { readonly [key: string]: string }
  /** State, or step of a script, in which the next agent begins. */
  readonly initial_state_name?: string
}

/** Answer to a request to hang up. */
export interface HangUp {
  readonly attempt_id: string
  /** `ending`: the call is being ended. `ended`: it was over before. */
  readonly status: "ending" | "ended"
}

/** The caller is put on hold: the model gets the tool `hold_caller` for it. */
export interface Hold {
  /** Template of what the caller is told when the hold begins, and again and again; absent: nothing. */
  readonly message?: string | { readonly [key: string]: string }
  /** Time between two messages, in seconds from 5 to 120; 20 by default. */
  readonly every_seconds?: number
  /** Longest hold, in seconds from 5 to 600; 120 by default. */
  readonly max_seconds?: number
}

/** Outcomes of calls at some hours of the day. The rest of the shares is no answer. */
export interface HoursOfDay {
  /** First hour, 0 to 23, in the campaign's time zone. */
  readonly from: number
  /** End hour, exclusive, 1 to 24. */
  readonly to: number
  /** Share of calls that the callee answers. */
  readonly answer: number
  /** Share that a voicemail answers. */
  readonly voicemail?: number | undefined
  /** Share that is busy or declined. */
  readonly busy?: number | undefined
  /** Share that the network cannot connect, for instance to a phone that is off. */
  readonly failed?: number | undefined
  /** Share of all dials that the provider rejects. */
  readonly provider_error?: number | undefined
}

/**
 * The request of a tool over HTTP. Texts may refer to `{{args.name}}` (arguments of the model), `{{variables.name}}`
 * (those of the call), `{{secrets.name}}`, `{{digits.name}}` (an entry of the caller) and `{{call.name}}`, such as
 * `{{call.user_phone_number}}`.
 */
export interface HttpRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** References in the path and the query are encoded. */
  readonly url: string
  /** Parameters that are added to the query; those without a value are left out. */
  readonly query?: { readonly [key: string]: string }
  readonly headers?: { readonly [key: string]: string }
  /**
   * Body in JSON. A text that is nothing but a reference becomes its value with its type, and a field without a value is
   * left out. Absent: the arguments, for methods other than GET and DELETE.
   */
  readonly body?: unknown
  /** Longest answer in bytes, up to 1 MiB; 65,536 by default. */
  readonly max_bytes?: number
  /** Form of the answer, and the part of it that the model is told. */
  readonly answer?: {
    /** JSON Schema of the answer: another one counts as a failure of the tool. */
    readonly schema?: { readonly [key: string]: unknown }
    /** Fields that the model is told, each by a name of yours with its path, such as `slots.0.time`; absent: all of it. */
    readonly pick?: { readonly [key: string]: string }
    /** Variables that the answer sets, each with the path of its value, which is a text, a number, true, false or null. */
    readonly set?: { readonly [key: string]: string }
  }
}

/** Progress of an import: the rows so far, and the share of the file read. */
export interface ImportProgress {
  readonly total_records: number
  readonly valid_records: number
  readonly rejected_records: number
  readonly percent: number
}

/** Payload of a deployment's webhook for a finished inbound call. All keys are always present. */
export interface InboundCallPayload {
  readonly app_id: string
  readonly app_version: number
  readonly deployment_id: string
  readonly interaction_id: string
  readonly user_phone_number: string
  readonly agent_phone_number: string
  /** Seconds. */
  readonly duration: number
  /** The words by which the caller refused all further calls; null without any. */
  readonly opt_out: string | null
  /** Variables at the end of the call. */
  readonly final_agent_variables: { readonly [key: string]: string | number | boolean | null }
  /** Variables that the agent collected during the call. */
  readonly output_agent_variables: { readonly [key: string]: string | number | boolean | null }
  readonly start_datetime: string
  readonly end_datetime: string
  /** Summary of the conversation; null without one, and until it is written. */
  readonly summary: string | null
  /** Values of the declared output variables in their types, null for unknown ones; null of agents without `after_call`. */
  readonly output_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Null of agents without `after_call`. */
  readonly extraction: Extraction | null
  readonly interaction_transcript: ReadonlyArray<TranscriptTurn> | null
  /** `metadata` of the webhook configuration. */
  readonly metadata: { readonly [key: string]: unknown } | null
  /** Costs of the call; null where the engine has no prices. */
  readonly costs: CostLedger | null
}

export interface InboundConfig {
  readonly start_time: string
  readonly end_time: string
  readonly allowed_days: ReadonlyArray<
    "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday"
  >
  readonly timezone?: string | undefined
}

export interface Input {
  readonly type?: null | undefined
  readonly role: "user" | "assistant" | "system" | "developer"
  readonly content: InputContent
}

export type InputContent =
  | string
  | ReadonlyArray<
    {
      readonly type: "input_text"
      readonly text: string
    } | {
      readonly type: "output_text"
      readonly text: string
    } | {
      readonly type: "refusal"
      readonly refusal: string
    } | {
      readonly type: "input_image"
      readonly image_url: string
      /** The resolution at which the model sees the image */
      readonly detail?: "auto" | "low" | "high" | null | undefined
    }
  >

/** A conversation in the interactions list. */
export interface InteractionItem {
  readonly attempt_id: string
  readonly app_id: string
  readonly app_version: number
  readonly deployment_id: string | null
  readonly campaign_id: string | null
  readonly cohort_id: string | null
  readonly user_identifier: string
  /** HMAC-SHA256 of the number with the engine's salt: identifies a contact without revealing the number. */
  readonly user_contact_hashed: string
  readonly channel_direction: "inbound" | "outbound"
  /** `v2v` for voice. */
  readonly channel_type: string
  /** Key of the telephony provider. */
  readonly channel_provider: string
  /** Transport of the audio, such as `sip` or `websocket`. */
  readonly channel_protocol: string
  /** Number of earlier attempts for this contact in this campaign. */
  readonly retry_attempt: number
  readonly server_retry_attempt: number
  readonly is_debug_call: 0 | 1
  readonly has_log_issues: 0 | 1
  readonly job_id: string | null
  /** Null on success, busy and no answer. */
  readonly failure_reason: string | null
  readonly user_contact_masked: string
  readonly interaction_id: string
  readonly start_datetime: string
  readonly end_datetime: string
  readonly duration_in_seconds: number
  readonly language_name: string | null
  readonly num_messages: number
  readonly average_agent_response_time_in_seconds: number | null
  readonly average_user_response_time_in_seconds: number | null
  /** Path of the recording below the URL of the server; null where no sound was kept. */
  readonly audio_url: string | null
  /** Fate of the recording; absent for a call that was not recorded. */
  readonly recording?: RecordingState
  readonly ended_by: "AGENT_ENDS" | "USER_ENDS" | "PROVIDER_ENDS" | "TIMEOUT" | "UNKNOWN" | null
  /** Values at the end of the call. */
  readonly agent_variables: { readonly [key: string]: string | number | boolean | null }
  /** Summary of the conversation; null without one, and until it is written. */
  readonly summary: string | null
  /** Values of the declared output variables in their types, null for unknown ones; null of agents without `after_call`. */
  readonly output_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Null of agents without `after_call`. */
  readonly extraction: Extraction | null
}

/** A validation issue of a request. */
export interface Issue {
  readonly loc: ReadonlyArray<string | number>
  readonly msg: string
  readonly type:
    | "missing"
    | "json_invalid"
    | "string_type"
    | "string_too_short"
    | "string_too_long"
    | "string_pattern_mismatch"
    | "int_type"
    | "int_parsing"
    | "float_type"
    | "bool_type"
    | "list_type"
    | "object_type"
    | "too_short"
    | "too_long"
    | "greater_than_equal"
    | "less_than_equal"
    | "enum"
    | "datetime_parsing"
    | "url_parsing"
    | "value_error"
    | "rule_violation"
}

/** Spending limit of a key within the credits of its account (docs/decisions.md, 32). */
export interface KeyBudget {
  /** Limit in whole micro-credits, according to the price table. */
  readonly micro_credits: number
  /** Reset interval: every day or month in the time zone of `Credits`, or never. */
  readonly period: "day" | "month" | "total"
}

export interface KnowledgeAddBody {
  /** Collection by which agents find it; `main` by default. */
  readonly collection?: string
  /** Title that callers could be told; by default that of the file, else its source. */
  readonly title?: string
  /** Where it comes from, such as a URL; by default the name of the file. The same source again replaces the document. */
  readonly source?: string
  /** Language by its English name or its code, such as `Hindi` or `hi-IN`. */
  readonly language?: string
  readonly file: Blob | Uint8Array | string
}

/** A document of a workspace. Its source is unique in its collection: adding the source again replaces the document. */
export interface KnowledgeDocument {
  readonly document_id: string
  /** The collection by which agents find it. */
  readonly collection: string
  /** Title that callers could be told: as given, else that of the file, else its name. */
  readonly title: string
  /** Where it comes from, such as the name of its file or its URL. */
  readonly source: string
  readonly kind: "text" | "markdown" | "html" | "pdf"
  /** English name of its language; null when it was not given. */
  readonly language_name: string | null
  /** SHA-256 of the file in 64 hex digits. */
  readonly hash: string
  /** Size of the file in bytes. */
  readonly bytes: number
  /** Number of pages of a PDF; null for other kinds. */
  readonly pages: number | null
  /** Number of its passages. */
  readonly passages: number
  readonly created_at: string
  /** Time of the last replacement. */
  readonly updated_at: string
}

export interface KnowledgeListQuery {
  readonly offset?: number
  readonly limit?: number
  readonly sort_by?: "created_at" | "updated_at" | "title"
  readonly sort_order?: "asc" | "desc"
  readonly search?: string
  readonly collection?: string
}

/** Body of a search. */
export interface KnowledgeSearch {
  /** A person's sentence; `"in quotes"` is a phrase, `refund*` the beginning of a word. */
  readonly question: string
  /** Collections to look in; all by default. */
  readonly collections?: ReadonlyArray<string>
  /** Most passages of the answer, 1 to 20; 5 by default. */
  readonly limit?: number
}

/** Outcome of a contact's last attempt, with the values of the API's attempt records. */
export interface LastOutcome {
  readonly completion_status: "completed" | "partial" | "failed"
  readonly connectivity_status: "connected" | "busy" | "no_answer" | "failed" | null
  readonly next_action_status: NextActionStatus | null
}

/** Limits of a plan, with what is left of them. */
export interface LimitLevels {
  readonly requests: ReadonlyArray<{
    /** Family of requests, such as `campaigns`. */
    readonly api: string
    /** Sharers of the allowance: all keys of the account, the organisation, or this key. */
    readonly per: "account" | "organisation" | "key"
    /** Requests that come back in a minute. */
    readonly per_minute: number
    /** Most requests at once. */
    readonly burst: number
    readonly remaining: number
    /** Seconds until all of them are back. */
    readonly reset_after: number
  }>
  readonly connections: ReadonlyArray<{
    /** Family of connections, such as `calls_live`. */
    readonly api: string
    /** Most connections at once. */
    readonly limit: number
    readonly open: number
  }>
}

/** A phone line and its state, as far as this process knows it. Times are business time. */
export interface LineDetail {
  readonly connection_id: string
  readonly provider: string
  readonly phone_numbers: ReadonlyArray<string>
  /** Most calls at once; null for no limit. */
  readonly max_channels: number | null
  /** `paused`: nothing is dialled before `paused_until`. `probing`: one call finds out whether the line works again. */
  readonly health: "ok" | "paused" | "probing"
  readonly paused_until: string | null
  /** Why it is not `ok`, in words. */
  readonly reason: string | null
  /** Calls in progress, of all workspaces and processes. */
  readonly calls: number
  /** Registration at the provider; null for lines that do not register. */
  readonly registration: {
    readonly status: "registering" | "registered" | "failed"
    readonly registered_until: string | null
  } | null
  /** True when the provider answered the last time that it was asked, false when it did not; null where it is not asked. */
  readonly reachable: boolean | null
  /** The last time that the provider could not be reached or refused the registration; null for never. */
  readonly last_failure: {
    readonly at: string
    readonly reason: string
  } | null
  /** Milliseconds by which sound leaves too late (99th percentile of the last seconds); null without sound here. */
  readonly lateness_milliseconds: number | null
}

/** State of one line of a campaign. */
export interface LineRecord {
  readonly connection_id: string
  /** Calls in progress on the connection, of all campaigns and workspaces. */
  readonly in_use: number
  /** Null when the connection has no own limit. */
  readonly max_channels: number | null
  /**
   * `paused` while its circuit breaker is open, `startProbe` while one dial tests it, `missing` when it is not
   * configured.
   */
  readonly health: "ok" | "probing" | "paused" | "missing"
  readonly paused_until: string | null
  /** The reason while it is paused; null otherwise. */
  readonly reason: string | null
}

/** Mail server of scheduled reports. Needs the package `nodemailer`. */
export interface MailOptions {
  /** Host name of the mail server. */
  readonly host: string
  /** 587 by default, or 465 for `implicit` TLS. */
  readonly port?: number | undefined
  readonly tls?: "starttls" | "implicit" | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
  readonly from: {
    readonly address: string
    readonly name?: string | undefined
  }
}

export interface McpServer {
  readonly name: string
  readonly tools?: ReadonlyArray<
    string | {
      readonly name: string
      readonly timeout_seconds?: number
      readonly filler?: string | { readonly [key: string]: string }
      readonly once?: boolean
      readonly on_interruption?: "drop" | "run"
    }
  >
  readonly max_content?: number
  readonly connect_seconds?: number
  readonly url?: string
  readonly headers?: { readonly [key: string]: string }
  readonly command?: string
  readonly args?: ReadonlyArray<string>
  readonly env?: { readonly [key: string]: string }
  readonly cwd?: string
}

export interface MessageInput {
  readonly type: "message"
  readonly role: "user" | "assistant" | "system" | "developer"
  readonly content: InputContent
}

export type Metric = "completed" | "not_refused" | {
  /** Name of the output variable. */
  readonly variable: string
  /** Values that count, compared as they are: `5` and `"5"` differ. By default any value but null and empty text. */
  readonly values?: ReadonlyArray<string | number | boolean>
  /** `more`, the default, when conversations with these values are the aim; `less` when they are to be avoided. */
  readonly better?: "more" | "less" | undefined
}

export interface Model {
  readonly id: string
  readonly object: "model"
  /** Unix seconds. */
  readonly created: number
  readonly owned_by: string
}

/** Request to a model for one answer, as the difference to the request before it in the same call. */
export interface ModelInput {
  readonly at: string
  /** Number of turns of the transcript before it. Its answer, if one was heard, is the turn at this index. */
  readonly turn: number
  readonly model: string
  /** Instructions; absent where they are those of the request before. */
  readonly system?: string
  /** Names of the tools that the model could call; absent where they are those of the request before. */
  readonly tools?: ReadonlyArray<string>
  /** Reasoning effort, sampling and limits that were set, by name; absent where they are those of the request before. */
  readonly options?: { readonly [key: string]: string | number | null }
  /** Number of messages, from the first one, that are those of the request before. */
  readonly kept_messages: number
  /** Messages after the kept ones. */
  readonly messages: ReadonlyArray<{
    /** `user`, `assistant`, `tool`, or a role that only the model knows. */
    readonly role: string
    /** Text, without images; null of an assistant that only calls tools. */
    readonly content: string | null
    /** Name of the tool whose result it is; only of tools. */
    readonly tool_name?: string
    /** Tools that the assistant called, with their arguments as the model wrote them. */
    readonly tool_calls?: ReadonlyArray<{
      readonly name: string
      readonly arguments: string
    }>
  }>
  /** Number of UTF-16 units that were left out of its texts, since they were too long; mostly 0. */
  readonly omitted: number
  /** `answered`, `failed`, or `given_up` since the caller went on or the call ended. */
  readonly outcome: "answered" | "failed" | "given_up"
  /** Why the model failed, without secrets and personal data; null unless it did. */
  readonly failure: string | null
  /** Tokens that the model reports to have read and written; null where it reports none. */
  readonly input_tokens: number | null
  readonly output_tokens: number | null
}

/** Models that a version serves. With a key, only those that it may use. */
export interface ModelList {
  readonly object: "list"
  readonly data: ReadonlyArray<Model>
}

export type NextActionStatus =
  | "retry"
  | "reschedule"
  | "business_retry"
  | "short_duration_retry"
  | "provider_error_retry"
  | "internal_error_retry"

export interface NotificationsCreateBody {
  readonly widget_id: string
  readonly cron: string
  readonly name?: string | null | undefined
  readonly email_recipients?: ReadonlyArray<string> | null | undefined
  readonly slack_webhook_url?: string | null | undefined
  readonly slack_channel_name?: string | null | undefined
}

export interface NotificationsDeliveriesQuery {
  readonly limit?: number
  readonly offset?: number
}

export interface NotificationsListQuery {
  readonly limit?: number
  readonly offset?: number
}

export interface NotificationsUpdateBody {
  readonly name?: string | null | undefined
  readonly cron?: string | null | undefined
  readonly enabled?: boolean | null | undefined
  /** Null without mail recipients. */
  readonly email_recipients?: ReadonlyArray<string> | null | undefined
  readonly slack_webhook_url?: string | null | undefined
  readonly slack_channel_name?: string | null | undefined
  readonly rule_id?: unknown | undefined
  readonly widget_id?: unknown | undefined
  readonly created_at?: unknown | undefined
  readonly updated_at?: unknown | undefined
  /** UTC; null when disabled. */
  readonly next_run_at?: unknown | undefined
  /** True when a chat webhook is set. */
  readonly slack_configured?: unknown | undefined
}

/** A secret of the server's tools that agents of workspaces may use, and the services that may receive it. */
export interface OfferedSecret {
  /** Name of the secret, as the values of secrets name it. */
  readonly name: string
  /** Origins of the services, such as `https://crm.example.com`: requests to any other host cannot carry the secret. */
  readonly origins: readonly [string, ...ReadonlyArray<string>]
  /** Workspaces that may use it, as `org/workspace`; absent: all. */
  readonly workspaces?: ReadonlyArray<string>
}

/** An MCP server whose tools agents of workspaces may use. */
export interface OfferedServer {
  /** Name of the server, as the options of MCP servers name it. */
  readonly name: string
  /** Workspaces that may use it, as `org/workspace`; absent: all. */
  readonly workspaces?: ReadonlyArray<string>
}

/** Payload of a webhook for a finished single outbound call. All keys are always present. */
export interface OutboundCallPayload {
  readonly attempt_id: string
  /** `ending`: the call is being ended. `ended`: it was over before. */
  readonly status: "connected" | "busy" | "no_answer" | "failed"
  readonly channel_info: {
    readonly channel_type: "v2v" | "whatsapp"
    /** Provider of the connection. */
    readonly channel_provider: string
    readonly agent_phone_number: string
  }
  /** Seconds; null if not connected. */
  readonly duration: number | null
  readonly interaction_id: string | null
  readonly failure_reason: string | null
  /** The words by which the caller refused all further calls; null without any. */
  readonly opt_out: string | null
  /** Party that answered, and what was done; null where nobody was to find out, and unless the call connected. */
  readonly answer: CallAnswer | null
  /** Variables at the end of the call. */
  readonly final_agent_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Webhook configuration of the request, without its secret. */
  readonly webhook_config: {
    readonly url: string
    readonly metadata: { readonly [key: string]: unknown } | null
  } | null
  /** Summary of the conversation; null without one, and until it is written. */
  readonly summary: string | null
  /** Values of the declared output variables in their types, null for unknown ones; null of agents without `after_call`. */
  readonly output_variables: { readonly [key: string]: string | number | boolean | null } | null
  /** Null of agents without `after_call`. */
  readonly extraction: Extraction | null
  readonly interaction_transcript: ReadonlyArray<TranscriptTurn> | null
  /** Costs of the call; null where the engine has no prices. */
  readonly costs: CostLedger | null
}

export interface OutboundsStartBody {
  readonly app_config: {
    readonly app_id: string
    readonly app_version: number
    readonly app_type?: "agent" | undefined
    readonly connection_config: {
      readonly connection_id: string
      readonly agent_phone_number: string
    }
    readonly agent_variables?: { readonly [key: string]: string | number | boolean | null } | undefined
    readonly app_overrides?: AppOverridesInput | null | undefined
    /** Conduct when something other than a person answers; nobody finds out by default. */
    readonly answer_handling?: AnswerHandling | null | undefined
  }
  readonly user_config: {
    readonly user_phone_number: string
    readonly user_identifier?: string | undefined
  }
  readonly webhook_config?: WebhookConfigInput | null | undefined
}

/** Response to starting a call. */
export interface OutboundStarted {
  readonly attempt_id: string
}

export type OutcomeOfAttempt =
  | "answered"
  | "voicemail"
  | "busy"
  | "no_answer"
  | "failed"
  | "invalid_number"
  | "provider_error"
  | "not_dialled"

/** A value that the agent finds out. */
export interface OutputVariable {
  readonly name: string
  /** Description that fits into a question, such as "the date you can pay". */
  readonly description?: string
  /** A call only counts as done once all required outputs have a value, which may be null. */
  readonly required?: boolean
  /**
   * Type of the value: `string`, `number`, `integer`, `boolean`, `date` (a text such as `2026-11-30`), or `enum` (one of
   * `values`). Without one, the call may set any text, number or boolean, and what is found out after the call is a
   * text.
   */
  readonly type?: "string" | "number" | "integer" | "boolean" | "date" | "enum"
  /** The values of an `enum`, up to 100. */
  readonly values?: readonly [string, ...ReadonlyArray<string>]
}

/** Body that changes an agent. */
export interface PatchAgent {
  /** Revision that was read: with another one nothing changes. */
  readonly revision: number
  /** Display name, up to 200 characters; null for the id. */
  readonly name?: string | null
}

/** Body that changes a draft. */
export interface PatchVersion {
  /** Revision that was read: with another one nothing changes. */
  readonly revision: number
  /** Name by which the agent introduces itself; `Assistant` by default. */
  readonly name?: string | null
  /** Template of the instructions to the language model. Excludes `script`; without both, default instructions apply. */
  readonly prompt?: string | null
  /** A conversation without a language model. Excludes `prompt`. */
  readonly script?: readonly [ScriptStep, ...ReadonlyArray<ScriptStep>] | null
  /** The language model; by default that of the conversation. */
  readonly model?: string | null
  /** Template of the greeting; by default one of the engine, or the first step of the script. */
  readonly first_message?: string | { readonly [key: string]: string } | null
  /** Template of the last words. */
  readonly goodbye_message?: string | { readonly [key: string]: string } | null
  /** Template of the text after a silence of the caller. */
  readonly silence_prompt?: string | { readonly [key: string]: string } | null
  /**
   * Languages by their English names or codes, such as `Hindi` or `hi-IN`; the call begins in the first. English by
   * default.
   */
  readonly languages?: readonly [string, ...ReadonlyArray<string>] | null
  /** The variables that a call accepts; null, the default: any. */
  readonly variables?: ReadonlyArray<string> | null
  /** The values that the agent finds out; none by default. */
  readonly output_variables?: ReadonlyArray<OutputVariable> | null
  /** Work of a model on each call after its end: a summary, and output variables; nothing by default. */
  readonly after_call?: AfterCall | null
  /**
   * Stages of the conversation at which calls can start, or steps of a script that only such calls reach; null, the
   * default: none.
   */
  readonly states?: ReadonlyArray<AgentState> | null
  /** Tools that the agent can use during a call, beside the built-in ones; none by default. */
  readonly tools?: ReadonlyArray<WorkspaceTool> | null
  /** Collections of documents that the agent looks things up in; none by default. */
  readonly knowledge?: ReadonlyArray<string> | null
  /** Names of the MCP servers whose tools the agent can use as well, among those that the server offers; none by default. */
  readonly mcp_servers?: ReadonlyArray<string> | null
  /** Agents to which a call may be handed over, 50 at most; none by default. */
  readonly hand_overs?: ReadonlyArray<HandOver> | null
  /** Digits for which the agent may ask, such as the number of a card; none by default. */
  readonly digit_entries?: ReadonlyArray<DigitEntry> | null
  /** Rules by which the agent may put the caller on hold; by default it may not. */
  readonly hold?: Hold | null
  /** People and numbers to whom the agent can transfer calls; none by default. */
  readonly transfers?: ReadonlyArray<TransferTarget> | null
  /** True lets the agent press keys, such as in the menu of another system; false by default. */
  readonly send_digits?: boolean | null
  /** Longest duration of a call, 1 to 3600 seconds; 600 by default. */
  readonly max_duration_seconds?: number | null
  /** Preferred voice. */
  readonly voice?: VoiceHints | null
  /** Recording of its calls; by default as the engine says. */
  readonly recording?: RecordingRules | null
}

/** A file to download from a pre-signed URL. */
export interface PreSignedUrl {
  readonly type?: "pre_signed_url" | undefined
  /** An absolute https URL. It may hold a signature, so it is never shown, and removed once the file is stored. */
  readonly url: string
}

/** Prices of connected calls; without them a report has no cost. Unknown keys are rejected. */
export interface Prices {
  /** Currency code, such as `INR`; only repeated in the report. */
  readonly currency: string
  /** Price per minute, or the lowest and the highest price. */
  readonly per_minute: number | readonly [number, number]
  /** Billing increment in seconds; default 60. */
  readonly pulse_seconds?: number | undefined
}

/** Progress of a campaign, as `GET W/campaigns/{id}/progress` returns it; an extension of the API. */
export interface ProgressRecord {
  readonly campaign_id: string
  readonly status: "scheduled" | "active" | "paused" | "ended" | "cancelled"
  readonly contacts: {
    readonly waiting: number
    readonly calling: number
    readonly finished: number
    /** Sum of the three. */
    readonly total_enrolled: number
    /** Rows of completed cohorts that are still to be enrolled; some may list numbers that already are. */
    readonly not_enrolled: number
  }
  /** Ended attempts, each counted once. */
  readonly outcomes: {
    readonly completed: number
    readonly partial: number
    readonly busy: number
    readonly no_answer: number
    readonly failed: number
    readonly provider_error: number
    readonly internal_error: number
    readonly unknown: number
    readonly blocked: number
  }
  /** Number of ended attempts. */
  readonly attempts: number
  /** The minutes of the last hour with dials, in order. */
  readonly dials_per_minute: ReadonlyArray<{
    readonly minute: string
    readonly dials: number
  }>
  /** Costs of the ended calls, as far as prices are known. */
  readonly spend: {
    /** Reporting currency of the engine, an ISO 4217 code. */
    readonly currency: string
    /** Millionths of the currency. */
    readonly amount_micros: number
    /** Ended calls of which a part of the cost is unknown, and is not counted. */
    readonly incomplete_calls: number
  }
  /** The budget; null without one. Amounts are millionths of its currency, which is that of `spend`. */
  readonly budget: {
    readonly amount_micros: number
    /** Amount that is set aside for the calls that run. */
    readonly reserved_micros: number
    /** Amount that is left for further calls. */
    readonly remaining_micros: number
  } | null
  /** The newest canary, with both arms as they are now; null without one. */
  readonly canary: CanaryRecord | null
  /** The reason why the whole campaign does not dial now; null when only its rate limits it. */
  readonly hold: DecisionReason | null
  /** The end of the hold; null when it is not known. */
  readonly hold_until: string | null
  /** The hold in one plain English sentence; null without a hold. */
  readonly explanation: string | null
  /** Estimated moment at which all contacts are finished, at the pace of the last hour; null when it cannot be estimated. */
  readonly expected_finish: string | null
  readonly lines: ReadonlyArray<LineRecord>
}

/** Webhook configuration in a response, without its secret. */
export interface PublicWebhookConfig {
  readonly url: string
  readonly metadata: { readonly [key: string]: unknown } | null
}

/** Schema for analysts: every table with its columns, in `select *` order. */
export interface QuerySchema {
  readonly tables: ReadonlyArray<{
    readonly name: string
    readonly description: string
    readonly columns: ReadonlyArray<{
      readonly name: string
      /** Such as `String` or `Nullable Float`. */
      readonly type: string
      /** One sentence. */
      readonly description: string
    }>
  }>
  /** SQL dialect, such as `sqlite`. */
  readonly dialect: string
}

export interface ReasoningInput {
  readonly type: "reasoning"
  readonly summary: ReadonlyArray<{
    readonly type: "summary_text"
    readonly text: string
  }>
}

export interface RecordingRules {
  /** True, the default, to record its calls, false not to; a call can say otherwise. */
  readonly enabled?: boolean
  /** Text that the agent says first on a call that is recorded, in the language that the call begins in. */
  readonly notice?: string
  /**
   * `ask`: nothing is kept until the caller agrees, which the model tells by the tool `record_call`, or a tool of the
   * host by `recording.consent`. Absent: the call is recorded from its beginning.
   */
  readonly consent?: "ask"
}

export interface RecordingState {
  /** Why the call did not connect; null when it connected or when the provider does not report a reason. */
  readonly status: "kept" | "partial" | "failed" | "refused"
  /** Why it is not whole; null for `kept`. */
  readonly reason: string | null
  /** Seconds of sound that are kept. */
  readonly seconds: number
}

/**
 * Report of a rehearsal. Moments are in simulated time; minutes are rounded to tenths. It has no phone numbers:
 * contacts are named by their position in the list.
 */
export interface RehearsalReport {
  readonly seed: string | number
  readonly timezone: string
  readonly attempts_per_second: number
  readonly max_concurrent_calls: number
  /** Start of the rehearsal: `now`. */
  readonly began_at: string
  readonly start_timestamp: string
  readonly end_timestamp: string
  /** True when all contacts were finished before the end of the campaign. */
  readonly finished: boolean
  /** End of the last call; null without calls. */
  readonly last_call_over_at: string | null
  /** Number of different contacts in the list. */
  readonly people: number
  /** Number of repeated phone numbers in the list. */
  readonly duplicates: number
  /** Number of contacts that still waited or were not enrolled when the campaign ended. */
  readonly people_left: number
  readonly dials: number
  readonly outcomes: ReadonlyArray<{
    readonly outcome: OutcomeOfAttempt
    readonly calls: number
  }>
  readonly talk_minutes: number
  /** Minutes from the dial to the end of each call. */
  readonly line_minutes: number
  readonly peak_calls: number
  readonly peak_at: string | null
  /** Contacts with whom the agent talked. */
  readonly reached: {
    readonly people: number
    /** Number of contacts reached by their first call, their second call, and so on. */
    readonly by_call: ReadonlyArray<number>
  }
  readonly never_reached: {
    readonly people: number
    readonly causes: ReadonlyArray<{
      readonly reason: DecisionReason
      /** Null for contacts that were never called. */
      readonly last_outcome: OutcomeOfAttempt | null
      readonly people: number
    }>
    readonly examples: ReadonlyArray<{
      /** Position in the list, from 1. */
      readonly person: number
      readonly calls: number
      readonly reason: DecisionReason
      readonly last_outcome: OutcomeOfAttempt | null
    }>
  }
  readonly calls_per_hour: ReadonlyArray<{
    /** The local hour in the campaign's zone: `2026-01-31 09:00`. */
    readonly hour: string
    readonly dials: number
    /** Number of its dials that the callee answered. */
    readonly answers: number
    /** Minutes of those calls and of voicemails. */
    readonly talk_minutes: number
    /** Peak of concurrent calls in this hour. */
    readonly peak_calls: number
  }>
  /** Number of later hours with calls that are not listed. */
  readonly hours_left_out: number
  readonly hours_of_day: ReadonlyArray<{
    readonly hour: number
    readonly dials: number
    readonly answers: number
  }>
  readonly windows: ReadonlyArray<{
    readonly first_dial_at: string
    readonly last_dial_at: string
    readonly closes_at: string
    readonly dials: number
    readonly answers: number
  }>
  readonly windows_left_out: number
  readonly cost: {
    readonly currency: string
    /** First day of the usage; 30 days before `to` by default. */
    readonly from: number
    /** Last day of the usage; today by default. */
    readonly to: number
    /** Minutes of connected calls, each rounded up to whole billing increments. */
    readonly billed_minutes: number
  } | null
  /** Null when it was not searched for. */
  readonly lowest_rate_that_finishes: {
    /** Null when no rate up to 500 is high enough. */
    readonly attempts_per_second: number | null
    /**
     * The goal: with `every_call` all contacts are finished before the end, and at most one in a thousand unreached
     * contacts loses a call to it. If no rate reaches that, `nobody_waiting`: all contacts are called and none waits.
     */
    readonly goal: "every_call" | "nobody_waiting"
    /** Number of contacts of the trial runs. When it is smaller, rate and lines were scaled down alike. */
    readonly people_tried: number
    /** Number of lines, scaled back up; null when the trial runs had no limit. */
    readonly lines: number | null
    /** Number of trial runs. */
    readonly runs: number
  } | null
  readonly lines_needed: {
    /** Lines that sustain the rate nearly always: the mean plus two standard deviations of a Poisson distribution. */
    readonly for_the_rate: number
    /** Fewest lines with enough call time until the end; null when the window does not open again. */
    readonly to_finish: number | null
    /** Minutes during which a contact was due and all lines were busy. */
    readonly waited_minutes: number
  }
  /** Number of lines of the log, and its SHA-256 in hex. */
  readonly log: {
    readonly lines: number
    readonly sha256: string
  }
}

/** Body posted to a chat's incoming webhook for a report. */
export interface ReportMessage {
  /** The complete report as text. */
  readonly text: string
  /** The same in Slack's blocks; absent when the receiver has rejected them with 400. */
  readonly blocks?:
    | ReadonlyArray<
      {
        readonly type: "header"
        readonly text: {
          readonly type: "plain_text"
          readonly text: string
        }
      } | {
        readonly type: "section"
        readonly text: {
          readonly type: "mrkdwn"
          readonly text: string
          readonly verbatim: true
        }
      } | {
        readonly type: "context"
        readonly elements: ReadonlyArray<{
          readonly type: "mrkdwn"
          readonly text: string
          readonly verbatim: true
        }>
      }
    >
    | undefined
}

/**
 * The body of a request for a response. Null means the same as leaving an optional field out, and unknown fields are
 * ignored. Rules that depend on the model or on several fields are checked by `Responses.read`.
 */
export interface ResponseBody {
  readonly model: string
  readonly input:
    | string
    | Input
    | MessageInput
    | FunctionCallInput
    | FunctionCallOutputInput
    | ReasoningInput
    | ReadonlyArray<Input | MessageInput | FunctionCallInput | FunctionCallOutputInput | ReasoningInput>
  /** Instructions for the model, placed before the conversation; echoed */
  readonly instructions?: string | null | undefined
  /** Streams the response as server-sent events; defaults to false */
  readonly stream?: boolean | null | undefined
  /** Maximum tokens of the response, reasoning included; defaults to the rest of the model's context */
  readonly max_output_tokens?: number | null | undefined
  /** Defaults to the model's own */
  readonly temperature?: number | null | undefined
  /** Defaults to the model's own */
  readonly top_p?: number | null | undefined
  /** From 1; -1, the default, means all tokens */
  readonly top_k?: number | null | undefined
  /** Defaults to 0 */
  readonly frequency_penalty?: number | null | undefined
  /** Defaults to 0 */
  readonly presence_penalty?: number | null | undefined
  /** Functions that the model may call; names are unique */
  readonly tools?: ReadonlyArray<ResponseTool> | null | undefined
  /** Allows, requires or forbids calls; defaults to auto */
  readonly tool_choice?:
    | "none"
    | "auto"
    | "required"
    | {
      readonly type: "function"
      /** Send name beside type; only chat completions nest them */
      readonly function?: null | undefined
      readonly name: string
    }
    | null
    | undefined
  /** Echoed, not enforced; defaults to true */
  readonly parallel_tool_calls?: boolean | null | undefined
  /** Reasoning effort; only for models that support it */
  readonly reasoning?:
    | {
      /** low or high on model-g; low, high or max on model-d */
      readonly effort?: "low" | "medium" | "high" | "max" | null | undefined
      /** Echoed; the model decides which reasoning it shows */
      readonly summary?: "auto" | "detailed" | null | undefined
    }
    | null
    | undefined
  /** Format of the text; defaults to plain text */
  readonly text?:
    | {
      readonly format: { readonly type: "text" } | { readonly type: "json_object" } | {
        /** Such as `String` or `Nullable Float`. */
        readonly type: "json_schema"
        /** Send name, schema and strict beside type; only chat completions nest them */
        readonly json_schema?: null | undefined
        readonly name: string
        /** One sentence. */
        readonly description?: string | null | undefined
        readonly schema: object
        /** Requires the text to match the schema exactly; defaults to false */
        readonly strict?: boolean | null | undefined
      }
    }
    | null
    | undefined
  /** Echoed */
  readonly metadata?: { readonly [key: string]: string } | null | undefined
  /** Echoed; log probabilities are not returned */
  readonly top_logprobs?: number | null | undefined
  /** Echoed; the input is never truncated */
  readonly truncation?: "auto" | "disabled" | null | undefined
  /** Echoed */
  readonly prompt_cache_key?: string | null | undefined
  /** Echoed */
  readonly prompt_cache_retention?: string | null | undefined
  /** Echoed */
  readonly safety_identifier?: string | null | undefined
  /** Echoed */
  readonly user?: string | null | undefined
  /** Ignored: there is always one response */
  readonly n?: number | null | undefined
  /** Ignored */
  readonly seed?: number | null | undefined
  /** Additional fields for the model's provider; none that this body has */
  readonly extra_body?: object | null | undefined
  /** Responses are not kept: leave store out or send false */
  readonly store?: false | null | undefined
  /** Responses are made while the client waits: leave background out or send false */
  readonly background?: false | null | undefined
  /** Responses are not kept: send the whole conversation in input */
  readonly previous_response_id?: null | undefined
  /** Responses are not kept: send the whole conversation in input */
  readonly conversation?: null | undefined
  /** Tools are carried out by the client, which knows how many it wants */
  readonly max_tool_calls?: null | undefined
  /** No prompts are kept: send them in instructions or input */
  readonly prompt?: null | undefined
}

/** The error of a failed response. */
export interface ResponseError {
  /** Advice for the analyst. Contains only names and keywords of the statement, no values. */
  readonly message: string
  readonly code: string
  readonly request_id: string | null
  readonly type:
    | "invalid_request_error"
    | "authentication_error"
    | "permission_error"
    | "insufficient_quota"
    | "rate_limit_error"
    | "server_error"
  readonly param: string
  readonly spend_limits?: ReadonlyArray<SpendLimit>
}

export type ResponseFormat = { readonly type: "text" } | { readonly type: "json_object" } | {
  readonly type: "json_schema"
  readonly json_schema: {
    readonly name: string
    readonly description?: string | null | undefined
    readonly schema: object
    readonly strict?: boolean | null | undefined
  }
}

/** A response: the body of a successful HTTP response, and the payload of the first and the last stream events. */
export interface ResponseResource {
  readonly id: string
  readonly object: "response"
  readonly created_at: number
  readonly completed_at: number | null
  readonly status: "in_progress" | "completed" | "incomplete" | "failed"
  readonly incomplete_details: {
    /** Safe for logs: contains no phone number, key or address. */
    readonly reason: "max_output_tokens" | "content_filter"
  } | null
  readonly error: ResponseError | null
  readonly output: ReadonlyArray<
    {
      readonly type: "reasoning"
      readonly id: string
      readonly status: "in_progress" | "completed" | "incomplete"
      readonly summary: ReadonlyArray<{
        readonly type: "summary_text"
        readonly text: string
      }>
    } | {
      readonly type: "message"
      readonly id: string
      readonly status: "in_progress" | "completed" | "incomplete"
      readonly role: "assistant"
      readonly content: ReadonlyArray<
        {
          readonly type: "output_text"
          readonly text: string
          readonly annotations: readonly []
          readonly logprobs: readonly []
        } | {
          readonly type: "refusal"
          readonly refusal: string
        }
      >
    } | {
      readonly type: "function_call"
      readonly id: string
      readonly status: "in_progress" | "completed" | "incomplete"
      readonly call_id: string
      readonly name: string
      readonly arguments: string
    }
  >
  readonly usage: ResponseUsage | null
  readonly model: string
  readonly instructions: string | null
  readonly tools: ReadonlyArray<{
    /** Such as `String` or `Nullable Float`. */
    readonly type: "function"
    readonly name: string
    /** One sentence. */
    readonly description: string | null
    readonly parameters: object | null
    readonly strict: boolean | null
  }>
  readonly tool_choice: "none" | "auto" | "required" | {
    readonly type: "function"
    readonly name: string
  }
  readonly parallel_tool_calls: boolean
  readonly text: {
    readonly format: { readonly type: "text" | "json_object" } | {
      /** Such as `String` or `Nullable Float`. */
      readonly type: "json_schema"
      readonly name: string
      /** One sentence. */
      readonly description?: string
      readonly schema: object
      readonly strict: boolean
    }
  }
  readonly reasoning: {
    readonly effort: "low" | "medium" | "high" | "max" | null
    readonly summary: "auto" | "detailed" | null
  }
  readonly temperature: number
  readonly top_p: number
  readonly presence_penalty: number
  readonly frequency_penalty: number
  readonly top_logprobs: number
  readonly max_output_tokens: number | null
  readonly truncation: "auto" | "disabled"
  readonly metadata: { readonly [key: string]: string }
  readonly prompt_cache_key: string | null
  readonly prompt_cache_retention: string | null
  readonly safety_identifier: string | null
  readonly user: string | null
  readonly store: false
  readonly background: false
  readonly previous_response_id: null
  readonly conversation: null
  readonly prompt: null
  readonly max_tool_calls: null
  readonly service_tier: "auto"
  readonly billing: null
}

/** Reading of requests for responses. */
export interface ResponsesOptions {
  /**
   * Meaning of `text` without `format`: an invalid body, or plain text for clients such as LangChain that send `text:
   * {}` with every request. `refused` by default.
   */
  readonly textWithoutFormat?: "refused" | "plain" | undefined
}

export interface ResponseTool {
  /** Such as `String` or `Nullable Float`. */
  readonly type: "function"
  /** Send name, description, parameters and strict beside type; only chat completions nest them */
  readonly function?: null | undefined
  readonly name: string
  /** One sentence. */
  readonly description?: string | null | undefined
  /** JSON Schema of the arguments object; no arguments when left out */
  readonly parameters?: object | null | undefined
  /** Requires the arguments to match the schema exactly */
  readonly strict?: boolean | null | undefined
}

/** Tokens used. Cached tokens are part of the input, reasoning tokens are part of the output. */
export interface ResponseUsage {
  readonly input_tokens: number
  readonly input_tokens_details: { readonly cached_tokens: number }
  readonly output_tokens: number
  readonly output_tokens_details: { readonly reasoning_tokens: number }
  readonly total_tokens: number
}

/**
 * Retry policy of a campaign. Intervals are minutes, 1 to 10,080; item k of a list is the wait before retry k + 1, and
 * the last item repeats. Provider and internal errors have their own counters, limits and intervals.
 */
export interface RetryConfig {
  /** Highest number of retries of a contact; 3 by default. */
  readonly max_retries?: number | undefined
  /** Minutes before each retry: one number for all, or one for each; 30 by default. */
  readonly retry_interval_minutes?: number | ReadonlyArray<number> | undefined
  /** Outcomes that are retried. */
  readonly retry_on?: {
    readonly busy?: { readonly enabled?: boolean | undefined } | undefined
    readonly no_answer?: { readonly enabled?: boolean | undefined } | undefined
    readonly failed?: { readonly enabled?: boolean | undefined } | undefined
    /** Something other than a person answered, and the agent did not go on. */
    readonly machine?: { readonly enabled?: boolean | undefined } | undefined
    readonly short_duration?: {
      readonly enabled?: boolean | undefined
      readonly threshold_seconds?: number | undefined
    } | undefined
    readonly provider_error?: RetryRule | undefined
    readonly internal_error?: RetryRule | undefined
  } | undefined
}

export interface RetryRule {
  readonly enabled?: boolean | undefined
  readonly max_retries?: number | undefined
  readonly retry_interval_minutes?: number | undefined
}

/** Response to a rotation. The secret is shown only here. */
export interface RotatedSecret {
  readonly secret: string
  /** End of the use of the previous secret; null if it is void. */
  readonly previous_secret_until: string | null
}

/** A rule as clients see it, without the address of its chat webhook. */
export interface Rule {
  readonly rule_id: string
  readonly widget_id: string
  readonly cron: string
  readonly enabled: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly name: string | null
  /** UTC; null when disabled. */
  readonly next_run_at: string | null
  /** Null without mail recipients. */
  readonly email_recipients: ReadonlyArray<string> | null
  readonly slack_channel_name: string | null
  /** True when a chat webhook is set. */
  readonly slack_configured: boolean
}

/** Result of a statement. */
export interface RunResult {
  /** In SELECT order; `type` is set where a column comes unchanged from the table. */
  readonly columns: ReadonlyArray<{
    readonly name: string
    readonly type?: string
  }>
  /** Cells in the order of the columns. */
  readonly rows: ReadonlyArray<ReadonlyArray<string | number | boolean | null>>
  /** True when the statement as written would return more rows. */
  readonly truncated: boolean
}

/** A step of a script: a text to say and the expected replies. */
export interface ScriptStep {
  readonly id: string
  readonly say: string | { readonly [key: string]: string }
  /** False to continue at once. */
  readonly listen?: boolean
  /** Tried in order. Without expectations any reply matches. */
  readonly expect?: ReadonlyArray<Expectation>
  /**
   * Target when no reply matches after the retries; absent: `goodbye`. A step without expectations or that does not
   * listen always goes there; absent: the next step.
   */
  readonly otherwise?: string
  /** Number of repetitions of the step when no reply matches. */
  readonly retries?: number
}

/** Behaviour of people on the simulated phone network. */
export interface SimulatorOptions {
  /** Callees by the end of their number; the first match wins. */
  readonly rules?: ReadonlyArray<SimulatorRule> | undefined
  /** Callee of every other number. */
  readonly default?: Callee | undefined
  /** Business seconds per real second, 1 by default. Only for engines whose lines are all simulated. */
  readonly speed?: number | undefined
}

/** Assigns a callee to numbers by suffix. */
export interface SimulatorRule {
  readonly suffix: string
  readonly callee: Callee
}

/** Speaks texts with cloned voices, as a stream or in one piece. Interrupting the caller stops the engine. */
export interface Speech {
  /** Base64 of the audio in the requested codec. */
  readonly audio_b64: string
  readonly request_id: string | null
  readonly audio: string
  /** Duration in seconds. */
  readonly audio_duration: number | null
}

/** A budget that a request would exceed. Amounts are whole micro-credits. */
export interface SpendLimit {
  /** Owner of the budget: `key` for the API key of the request. */
  readonly scope: string
  readonly limit: number
  /** Amount spent, including what is reserved for requests in progress. */
  readonly used: number
  /** Time of the next reset; null if it never resets. */
  readonly resets_at: string | null
}

/** Instructions for a summary. */
export interface SummaryInstructions {
  /**
   * Topics of the summary text, up to 4,000 characters; by default why the call took place, what was agreed and what is
   * next.
   */
  readonly prompt?: string
  /** Longest summary, 40 to 10,000 characters; 600 by default. A longer one is cut. */
  readonly max_characters?: number
}

/** A tab as clients see it. */
export interface TabRecord {
  readonly id: string
  readonly name: string
  /** Position on the board, from 0. */
  readonly position: number
  /** Sorted by position. */
  readonly widgets: ReadonlyArray<WidgetRecord>
}

/** Results of the widgets of a tab in order, and the effective filter values as text. */
export interface TabRunResult {
  readonly results: ReadonlyArray<
    {
      readonly widget_id: string
      readonly status: "ok"
      /** In SELECT order; `type` is set where a column comes unchanged from the table. */
      readonly columns: ReadonlyArray<{
        readonly name: string
        readonly type?: string
      }>
      /** Cells in the order of the columns. */
      readonly rows: ReadonlyArray<ReadonlyArray<string | number | boolean | null>>
      /** True when the statement as written would return more rows. */
      readonly truncated: boolean
    } | {
      readonly widget_id: string
      readonly status: "error"
      readonly error: {
        readonly code: BoardsFailureCode
        /** Advice for the analyst. Contains only names and keywords of the statement, no values. */
        readonly message: string
      }
    }
  >
  readonly filter_values_used: { readonly [key: string]: string | null }
}

/** Answer of an agent, up to where it listens again or the talk is over. */
export interface TalkAnswer {
  readonly talk_id: string
  readonly app_id: string
  readonly app_version: number
  /** `listening`: the agent waits for words. `ended`: the talk is over, and its id no more. */
  readonly status: "listening" | "ended"
  /** Events since the answer before, in order. */
  readonly events: ReadonlyArray<
    {
      readonly type: "said"
      readonly text: string
      /** English name of the language. */
      readonly language_name: string
    } | {
      readonly type: "tool"
      readonly name: string
      /** Arguments as the model wrote them, normally JSON. */
      readonly arguments: string
      readonly result: string
    }
  >
  /** Variables of the conversation, given and set. */
  readonly agent_variables: { readonly [key: string]: string | number | boolean | null }
  /** Values that the agent has found out. */
  readonly output_agent_variables: { readonly [key: string]: string | number | boolean | null }
  /** Step of the script that waits for a reply; null without one. */
  readonly step: string | null
  /** Requests to the model since the answer before, as in the record of a call: the first repeats nothing of it. */
  readonly model_inputs: ReadonlyArray<ModelInput>
  /** Tokens of the model in this answer. */
  readonly tokens: {
    readonly input: number
    readonly output: number
  }
  /** Milliseconds that the answer took. */
  readonly took: number
  /** Outcome of a talk that is over; null before. */
  readonly outcome: {
    readonly agent_done: boolean
    readonly ended_by: "agent" | "user" | "provider" | "timeout"
    /** Fault of the agent or its model; null without one. */
    readonly fault: string | null
  } | null
}

/**
 * Export of traces over OTLP. Needs the package `@effect/opentelemetry`. One trace holds a whole call, turn by turn,
 * with its model calls, tools, voices and transcripts; another one, a request to the HTTP interface.
 */
export interface TelemetryOptions {
  /** Base URL of the collector, to which `/v1/traces` is added; `http://127.0.0.1:4318` by default. */
  readonly endpoint?: string | undefined
  /** Headers of the requests to the collector, such as keys; none by default. */
  readonly headers?: { readonly [key: string]: string } | undefined
  /** Encoding of the requests; `http/json` by default. */
  readonly protocol?: "http/json" | "http/protobuf" | undefined
  /** Milliseconds that the collector has to answer a request; 10,000 by default. */
  readonly timeout?: number | undefined
  /** `service.name` of the resource; `trunkline` by default. */
  readonly serviceName?: string | undefined
  /** Further attributes of the resource, such as `deployment.environment.name`; none by default. */
  readonly resource?: { readonly [key: string]: string } | undefined
  /**
   * Share of the traces that are exported, from 0 to 1; 1 by default. Traces in which something failed are always
   * exported, and those that another service has begun, if that service exports them.
   */
  readonly sampling?: number | undefined
  /** Exports the texts of prompts, answers and tools, which are personal data; false by default. */
  readonly texts?: boolean | undefined
  /**
   * Names the spans of voices and transcripts as the open proposal for OpenTelemetry does, which may change; false by
   * default.
   */
  readonly voiceConventions?: boolean | undefined
}

export interface ToolCall {
  readonly id: string
  readonly type: "function"
  readonly function: {
    readonly name: string
    readonly arguments: string
  }
}

/** Messages of a conversation in order. Stored apart from the record, so that lists do not load them. */
export interface Transcript {
  readonly interaction_id: string
  readonly messages: ReadonlyArray<TranscriptMessage>
  /** Party that answered, and what was done; absent where nobody was to find out. */
  readonly answer?: CallAnswer
}

/** Message of a speaker or result of a tool. */
export interface TranscriptMessage {
  readonly role: "agent" | "user" | "tool"
  /** Text in English. */
  readonly en_text: string
  /** Text in the spoken language, if that is not English. */
  readonly indic_text: string | null
  readonly language_name: string | null
  readonly timestamp: string | null
  /** Name of the tool whose result the text is; only of tools. */
  readonly tool_name?: string
  /** Arguments of the tool as the model wrote them, normally JSON; only of tools. */
  readonly tool_arguments?: string
  /**
   * Outcome of the use; only of tools. `done`: with an answer. `timed_out`: without one in time. `refused`: it did not
   * run, since a rule of the conversation forbade it.
   */
  readonly tool_outcome?: "done" | "failed" | "timed_out" | "wrong_arguments" | "refused"
  /** Seconds that the use of the tool took; only of tools. */
  readonly tool_seconds?: number
  /** A hand-over of the call to another agent; only of the tool `hand_over`. */
  readonly handed_over?: HandedOver
  /** The agent that spoke; only of agents to which the call was handed over. */
  readonly app_id?: string
  /** Transfer that the tool has tried; only of `transfer_call`. */
  readonly transfer?: {
    /** Name of the target in the agent's definition. */
    readonly target: string
    /** Number in E.164 or SIP URI that was called. */
    readonly to: string
    /** `warm` where the person was told first what it is about. */
    readonly kind: "blind" | "warm"
    /**
     * Outcome; `cancelled` when the caller hung up first. After any other than `transferred`, the caller was back with the
     * agent.
     */
    readonly outcome: "transferred" | "no_answer" | "busy" | "declined" | "failed" | "cancelled"
    /** Why it came to nothing; null where the outcome says all. */
    readonly reason: string | null
    /**
     * `provider` where it connected both sides, `bridge` where their sound went through the engine; null unless
     * transferred.
     */
    readonly by: "provider" | "bridge" | null
    readonly started_at: string
    /** Moment at which the target answered the engine's call; null where it did not, or where the provider called it. */
    readonly answered_at: string | null
    /** Moment at which both sides were connected, or at which it came to nothing. */
    readonly ended_at: string
    /** Keys that were sent after the answer, each as `*` where the agent hides them; null for none. */
    readonly digits: string | null
  }
  /** Moments of the answer; only of the agent, on calls with sound. */
  readonly timings?: {
    /** Last voice of the person. */
    readonly ended_at: string | null
    /** Words of the person, with which the model was asked. */
    readonly words_at: string | null
    /** First token of the model. */
    readonly first_token_at: string | null
    /** First clause that could be spoken. */
    readonly first_clause_at: string | null
    /** First sound of the agent. */
    readonly first_sound_at: string | null
  }
  /** Why the turn ended; only of the person, on calls with sound. */
  readonly turn_end?: TurnEnd
  /**
   * Moment at which another process went on with the call, since its own had stopped: before this message. Absent: none
   * did.
   */
  readonly resumed_at?: string
}

/** A turn of a conversation in a webhook. */
export interface TranscriptTurn {
  readonly role: "agent" | "user"
  /** Text in English. */
  readonly en_text: string
  /** Text in the language that was spoken. */
  readonly indic_text?: string | null | undefined
}

/** A transfer in the record of its call. Times are epoch milliseconds of business time. */
export interface TransferRecord {
  /** Name of the target in the agent's definition. */
  readonly target: string
  /** Number in E.164 or SIP URI that was called. */
  readonly to: string
  /** `warm` where the person was told first what it is about. */
  readonly kind: "blind" | "warm"
  /**
   * Outcome; `cancelled` when the caller hung up first. After any other than `transferred`, the caller was back with the
   * agent.
   */
  readonly outcome: "transferred" | "no_answer" | "busy" | "declined" | "failed" | "cancelled"
  /** Why it came to nothing; null where the outcome says all. */
  readonly reason: string | null
  /**
   * `provider` where it connected both sides, `bridge` where their sound went through the engine; null unless
   * transferred.
   */
  readonly by: "provider" | "bridge" | null
  readonly started_at: number
  /** Moment at which the target answered the engine's call; null where it did not, or where the provider called it. */
  readonly answered_at: number | null
  /** Moment at which both sides were connected, or at which it came to nothing. */
  readonly ended_at: number
  /** Keys that were sent after the answer, each as `*` where the agent hides them; null for none. */
  readonly digits: string | null
}

/** A person or a number to whom an agent can transfer calls. */
export interface TransferTarget {
  /** Name by which the model chooses it. */
  readonly name: string
  /** Number in E.164, or SIP URI. */
  readonly to: string
  /** Description for the model: when calls are transferred there. */
  readonly description: string
  /** `blind` connects the caller at once; `warm` tells the person first what it is about. Default `blind`. */
  readonly kind?: "blind" | "warm"
  /** Line over which the target is called, by its `connection_id`; absent: that of the call. */
  readonly connection_id?: string
  /** Keys to press after the answer, such as `ww204#` for an extension, where `w` waits half a second. */
  readonly extension?: string
  /** True hides the keys of `extension` in the record of the call; default false. */
  readonly mask_extension?: boolean
  /** Key with which the person takes the call, such as `1`; absent: whoever answers has it. Only for `warm`. */
  readonly accept_key?: string
  /** Seconds for which the target rings, 5 to 120; default 30. */
  readonly ring_seconds?: number
  /** Template of what the caller hears meanwhile; absent: "Please hold, I am connecting you." */
  readonly hold_message?: string | { readonly [key: string]: string }
  /** Template of what the person is told first; absent: what the model writes. Only for `warm`. */
  readonly briefing?: string | { readonly [key: string]: string }
}

export type Transform = {
  readonly type: "indian_currency"
} | {
  readonly type: "date"
  /** a string at most 64 character(s) long */
  readonly input_format?: string
  /** a string at most 64 character(s) long */
  readonly output_format?: string
} | {
  readonly type: "string_replace"
  /** a string at least 1 character(s) long */
  readonly find: string
  /** a string at most 1000 character(s) long */
  readonly replace: string
} | {
  readonly type: "string_strip"
} | {
  readonly type: "string_capitalize"
} | {
  readonly type: "state_language_map"
} | {
  readonly type: "format_language_name"
}

/** Decision that a turn of the caller is over, with what it was made of. All times are milliseconds of line time. */
export interface TurnEnd {
  readonly rule: "silence" | "words" | "longest_turn" | "key_pause" | "key_terminator" | "key_limit" | "call_ended"
  /** Time without a voice, or since the last key, at the decision. */
  readonly waited_ms: number
  /** Time that the rule asks for: of silence, or of the whole turn for `longest_turn`; null if it asks for none. */
  readonly required_ms: number | null
  /**
   * Judgement of the policy about the words: `finished`, `unfinished`, `number` or `none` of the default policy, or the
   * text of another one; null where there was none.
   */
  readonly completeness: string | null
  /** Probability, from 0 to 1, that a model of turns gave for the end of the turn; absent where none answered in time. */
  readonly completion?: number
  /** Time from the first to the last voice of the turn; null for keys. */
  readonly spoken_ms: number | null
  /** The agent had been given the words before the turn was over, so that it could prepare its answer. */
  readonly prepared: boolean
}

/** Definition of a version without its number: every field has a default. */
export interface VersionDefinition {
  /** Name by which the agent introduces itself; `Assistant` by default. */
  readonly name?: string | null
  /** Template of the instructions to the language model. Excludes `script`; without both, default instructions apply. */
  readonly prompt?: string | null
  /** A conversation without a language model. Excludes `prompt`. */
  readonly script?: readonly [ScriptStep, ...ReadonlyArray<ScriptStep>] | null
  /** The language model; by default that of the conversation. */
  readonly model?: string | null
  /** Template of the greeting; by default one of the engine, or the first step of the script. */
  readonly first_message?: string | { readonly [key: string]: string } | null
  /** Template of the last words. */
  readonly goodbye_message?: string | { readonly [key: string]: string } | null
  /** Template of the text after a silence of the caller. */
  readonly silence_prompt?: string | { readonly [key: string]: string } | null
  /**
   * Languages by their English names or codes, such as `Hindi` or `hi-IN`; the call begins in the first. English by
   * default.
   */
  readonly languages?: readonly [string, ...ReadonlyArray<string>] | null
  /** The variables that a call accepts; null, the default: any. */
  readonly variables?: ReadonlyArray<string> | null
  /** The values that the agent finds out; none by default. */
  readonly output_variables?: ReadonlyArray<OutputVariable> | null
  /** Work of a model on each call after its end: a summary, and output variables; nothing by default. */
  readonly after_call?: AfterCall | null
  /**
   * Stages of the conversation at which calls can start, or steps of a script that only such calls reach; null, the
   * default: none.
   */
  readonly states?: ReadonlyArray<AgentState> | null
  /** Tools that the agent can use during a call, beside the built-in ones; none by default. */
  readonly tools?: ReadonlyArray<WorkspaceTool> | null
  /** Collections of documents that the agent looks things up in; none by default. */
  readonly knowledge?: ReadonlyArray<string> | null
  /** Names of the MCP servers whose tools the agent can use as well, among those that the server offers; none by default. */
  readonly mcp_servers?: ReadonlyArray<string> | null
  /** Agents to which a call may be handed over, 50 at most; none by default. */
  readonly hand_overs?: ReadonlyArray<HandOver> | null
  /** Digits for which the agent may ask, such as the number of a card; none by default. */
  readonly digit_entries?: ReadonlyArray<DigitEntry> | null
  /** Rules by which the agent may put the caller on hold; by default it may not. */
  readonly hold?: Hold | null
  /** People and numbers to whom the agent can transfer calls; none by default. */
  readonly transfers?: ReadonlyArray<TransferTarget> | null
  /** True lets the agent press keys, such as in the menu of another system; false by default. */
  readonly send_digits?: boolean | null
  /** Longest duration of a call, 1 to 3600 seconds; 600 by default. */
  readonly max_duration_seconds?: number | null
  /** Preferred voice. */
  readonly voice?: VoiceHints | null
  /** Recording of its calls; by default as the engine says. */
  readonly recording?: RecordingRules | null
}

/** A field in which two versions differ. */
export interface VersionDifference {
  /**
   * Way to the field: names, and for an item of a list its `id`, `name` or `app_id` where all items have one of their
   * own, else its position, such as `["script", "greeting", "say", "Hindi"]`.
   */
  readonly path: ReadonlyArray<string | number>
  /** `moved` for a list with the same items in another order: `before` and `after` are their names. */
  readonly kind: "added" | "removed" | "changed" | "moved"
  /** Value in the one version; null for one that is added. */
  readonly before: unknown
  /** Value in the other version; null for one that is removed. */
  readonly after: unknown
}

/** A version of an agent, with its history. The history of an agent of the code is null. */
export interface VersionRecord {
  /** Number of the version, from 1. */
  readonly app_version: number
  /** Only committed versions take calls. */
  readonly committed: boolean
  /** Name by which the agent introduces itself. */
  readonly name?: string
  /** Template of the instructions to the language model. Excludes `script`; without both, default instructions apply. */
  readonly prompt?: string
  /** A conversation without a language model. Excludes `prompt`. */
  readonly script?: readonly [ScriptStep, ...ReadonlyArray<ScriptStep>]
  /** The language model; absent: the default of the conversation. */
  readonly model?: string
  /** Template of the greeting; absent: a default, or the first step of the script. */
  readonly first_message?: string | { readonly [key: string]: string }
  /** Template of the last words. */
  readonly goodbye_message?: string | { readonly [key: string]: string }
  /** Template of the text after a silence of the caller. */
  readonly silence_prompt?: string | { readonly [key: string]: string }
  /** Languages by their English names or codes, such as `Hindi` or `hi-IN`; the call begins in the first. */
  readonly languages?: readonly [string, ...ReadonlyArray<string>]
  /** The variables that a call accepts; null: any. */
  readonly variables?: ReadonlyArray<string> | null
  /** The values that the agent finds out. */
  readonly output_variables?: ReadonlyArray<OutputVariable>
  /** Work of a model on each call after its end: a summary, and output variables. Absent: nothing. */
  readonly after_call?: AfterCall
  /** Stages of the conversation at which calls can start; null: none. */
  readonly states?: ReadonlyArray<AgentState> | null
  /** Tools that the agent can use during a call, beside the built-in ones. */
  readonly tools?: ReadonlyArray<AgentTool>
  /**
   * Collections of documents that the agent looks things up in, by the tool `search_knowledge`. One that has no
   * documents yet is no error.
   */
  readonly knowledge?: ReadonlyArray<string>
  /** Names of the MCP servers whose tools the agent can use as well, as the engine's options name them. */
  readonly mcp_servers?: ReadonlyArray<string>
  /** Agents to which a call may be handed over. */
  readonly hand_overs?: ReadonlyArray<HandOver>
  /** Digits for which the agent may ask, such as the number of a card. */
  readonly digit_entries?: ReadonlyArray<DigitEntry>
  /** Rules by which the agent may put the caller on hold; absent: it may not. */
  readonly hold?: Hold
  /** People and numbers to whom the agent can transfer calls, by the tool `transfer_call`. */
  readonly transfers?: ReadonlyArray<TransferTarget>
  /** True lets the agent press keys, such as in the menu of another system, by the tool `send_digits`. */
  readonly send_digits?: boolean
  /** Longest duration of a call, 1 to 3600 seconds; 600 by default. */
  readonly max_duration_seconds?: number
  /** Preferred voice. */
  readonly voice?: VoiceHints
  /** Recording of its calls; absent: as the engine says. */
  readonly recording?: RecordingRules
  /** Number of changes of the definition, from 1, which a change of the draft names. */
  readonly revision: number | null
  readonly created_at: string | null
  readonly updated_at: string | null
  /** Time since which it takes calls and cannot change; null for a draft. */
  readonly committed_at: string | null
  /** Label of the key that made the last change. */
  readonly updated_by: string | null
}

/** A saved voice. It belongs to an account, and every key of the account may use it. */
export interface Voice {
  readonly voice_id: string
  readonly name: string
  /** The language of the clip. */
  readonly language: VoiceLanguage
  readonly style: "conversational" | "audiobooks" | "entertainment" | "sales"
  readonly gender: "male" | "female" | null
  /** The transcript of the clip; empty when unknown. */
  readonly reference_text: string
  /** Length of the clip in seconds. */
  readonly reference_duration: number
  readonly created_at: string
}

/** Response to the deletion of a voice. */
export interface VoiceDeleted {
  readonly voice_id: string
  readonly deleted: true
}

/** Preferred voice. Carriers and engines that cannot choose a voice, or its rate, ignore it. */
export interface VoiceHints {
  /** Name of a voice of the carrier. */
  readonly voice?: string
  /** Id of a saved voice of the account, with which the engine speaks on lines with sound; its own voice by default. */
  readonly voice_id?: string
  /** Speaking rate, 0.5 to 2, where 1 is natural. */
  readonly pace?: number
}

export type VoiceLanguage =
  | "as-IN"
  | "bn-IN"
  | "en-IN"
  | "gu-IN"
  | "hi-IN"
  | "kn-IN"
  | "ml-IN"
  | "mr-IN"
  | "od-IN"
  | "pa-IN"
  | "ta-IN"
  | "te-IN"

export interface VoicesCreateBody {
  readonly name: string
  readonly language: VoiceLanguage
  readonly style?: "conversational" | "audiobooks" | "entertainment" | "sales" | undefined
  readonly gender?: "male" | "female" | undefined
  /** The transcript of the clip, for installations without a transcriber and clients that know it exactly. */
  readonly ref_text?: string | undefined
  readonly file: Blob | Uint8Array | string
}

export interface VoicesGenerateBody {
  readonly voice_id?: string | undefined
  readonly ref_text?: string | undefined
  readonly text: string
  readonly language_code: VoiceLanguage
  readonly pace?: string | undefined
  readonly output_audio_codec?: "mp3" | "wav" | "linear16" | "mulaw" | "alaw" | "flac" | "opus" | "aac" | undefined
  readonly speech_sample_rate?: "8000" | "16000" | "22050" | "24000" | "32000" | "44100" | "48000" | undefined
  readonly enable_qc?: string | undefined
  readonly enable_cached_responses?: string | undefined
  readonly enable_vad?: string | undefined
  readonly enable_text_normalization?: string | undefined
  readonly min_audio_duration?: string | undefined
  readonly max_audio_duration?: string | undefined
  readonly ref_audio_duration?: string | undefined
  readonly ref_audio?: Blob | Uint8Array | string | undefined
}

export interface VoicesListQuery {
  readonly offset?: number
  readonly limit?: number
  readonly sort_by?: "created_at" | "name"
  readonly sort_order?: "asc" | "desc"
  readonly search?: string
}

export interface VoicesSpeakBody {
  readonly voice_id?: string | undefined
  readonly text: string
  readonly language_code: VoiceLanguage
  readonly pace?: string | undefined
  readonly output_audio_codec?: "mp3" | "wav" | "linear16" | "mulaw" | "alaw" | "flac" | "opus" | "aac" | undefined
  readonly output_audio_bitrate?: "32k" | "64k" | "96k" | "128k" | "192k" | undefined
  readonly speech_sample_rate?: "8000" | "16000" | "22050" | "24000" | "32000" | "44100" | "48000" | undefined
  readonly enable_text_normalization?: string | undefined
}

/** Webhook configuration in a request; receivers can verify signatures made with its secret. */
export interface WebhookConfigInput {
  readonly url: string
  readonly metadata?: { readonly [key: string]: unknown } | null | undefined
  /** Signs the deliveries. Write-only. */
  readonly secret?: string | undefined
}

export interface WebhooksListQuery {
  readonly limit?: number
  readonly after?: string
  readonly before?: string
  readonly start_datetime?: string | Date
  readonly end_datetime?: string | Date
  /** `ending`: the call is being ended. `ended`: it was over before. */
  readonly status?: string
  readonly attempt_id?: string
}

export interface WebhooksResendBody {
  readonly attempt_ids: ReadonlyArray<string>
}

export interface WebhooksRotateSecretBody {
  /** New secret; generated if absent. */
  readonly secret?: string | undefined
  /** Hours during which the previous secret signs too, 0 to 168. 0 voids all earlier secrets at once. */
  readonly overlap_hours?: number | undefined
}

/** A widget as clients see it, with the filters that its SQL uses in order of first use. */
export interface WidgetRecord {
  readonly id: string
  readonly board_id: string
  readonly tab_id: string
  /** Position in its tab, from 0. */
  readonly position: number
  readonly name: string
  /** SQL as written, including filter tokens. */
  readonly sql: string
  readonly viz_type: "number" | "table" | "bar" | "line"
  readonly viz_config: { readonly [key: string]: unknown }
  /** Names of the filters that the SQL uses, in order of first use. */
  readonly filters: ReadonlyArray<Filter>
  readonly created_by: Actor
  readonly created_at: string
  readonly updated_by: Actor
  readonly updated_at: string
}

/** A workspace and the account that owns it. An account can own workspaces of several organisations. */
export interface Workspace {
  readonly org_id: string
  readonly workspace_id: string
  readonly account_id: string
  /** Concurrent calls, from 1 to 100,000; absent means the limit of the engine, by default the channels of its lines. */
  readonly max_concurrent_calls?: number
}

/**
 * A tool of a version over HTTP: a request, which needs a description and a schema, or a function that the server
 * offers by this name, which has its own.
 */
export interface WorkspaceTool {
  /** Name by which the model uses the tool: up to 64 letters, digits, `_` and `-`. */
  readonly name: string
  /** Description for the model: what the tool does, and when to use it. */
  readonly description?: string
  /** JSON Schema of the arguments, which are an object. Arguments that do not fit go back to the model. */
  readonly parameters?: { readonly [key: string]: unknown }
  /** Time after which a use is given up, in seconds from 0.1 to 600; absent: that of the conversation, 12. */
  readonly timeout_seconds?: number
  /**
   * Template of what the agent says once the tool has run for a second; absent: "One moment, please." after 6 seconds.
   * Words of the model before the tool count too: then it is also said after 6 seconds only.
   */
  readonly filler?: string | { readonly [key: string]: string }
  /**
   * True for a tool that runs at most once a call, such as a payment: each further request gets the first answer, also
   * when that was a failure or never came.
   */
  readonly once?: boolean
  /**
   * True for a tool that may run twice, such as one that only reads: it runs again when the process of a call stops
   * while it runs. Otherwise it does not, and the model is told that its outcome is not known.
   */
  readonly repeatable?: boolean
  /** Fate of a request when the caller interrupts the words before it: `drop` by default, or `run`. */
  readonly on_interruption?: "drop" | "run"
  /** The request of a tool over HTTP; absent: the host application supplies a function in code. */
  readonly http?: HttpRequest
}

/** A live event of a workspace's calls. Times are business time. */
export type LiveEvent = {
  readonly type: "attempt.started"
  readonly at: string
  readonly attempt_id: string
  readonly campaign_id: string | null
  readonly kind: "campaign" | "outbound" | "inbound"
  readonly app_id: string
  readonly app_version: number
  readonly cohort_id: string | null
  readonly deployment_id: string | null
  /** All but the last four digits hidden: `******3210`. */
  readonly user_contact_masked: string
  readonly agent_phone_number: string
  readonly retry_attempt: number
} | {
  readonly type: "attempt.answered"
  readonly at: string
  readonly attempt_id: string
  readonly campaign_id: string | null
  readonly interaction_id: string
} | {
  readonly type: "turn"
  readonly at: string
  readonly attempt_id: string
  readonly campaign_id: string | null
  readonly interaction_id: string
  readonly role: "agent" | "user"
  readonly text: string
  /** English translation, when another language was spoken and the line provides one. */
  readonly en_text: string | null
  /** English name of the language. */
  readonly language_name: string | null
} | {
  readonly type: "attempt.ended"
  readonly at: string
  readonly attempt_id: string
  readonly campaign_id: string | null
  readonly interaction_id: string | null
  readonly completion_status: "completed" | "partial" | "failed"
  readonly connectivity_status: "connected" | "busy" | "no_answer" | "failed" | null
  readonly next_action_status: NextActionStatus | null
  readonly failure_reason: string | null
  /** Seconds; null when not connected. */
  readonly duration: number | null
} | {
  readonly type: "attempt.ongoing"
  readonly at: string
  readonly attempt_id: string
  readonly campaign_id: string | null
  readonly kind: "campaign" | "outbound" | "inbound"
  readonly app_id: string
  readonly app_version: number
  readonly cohort_id: string | null
  readonly deployment_id: string | null
  /** All but the last four digits hidden: `******3210`. */
  readonly user_contact_masked: string
  readonly agent_phone_number: string
  readonly retry_attempt: number
  /** Time of the dial, or of the arrival. */
  readonly started_at: string
  /** Null while it rings, as the next field. */
  readonly answered_at: string | null
  readonly interaction_id: string | null
  /** Turns up to now; none of a call whose conversation takes no time. */
  readonly turns: ReadonlyArray<{
    readonly at: string
    readonly role: "agent" | "user"
    readonly text: string
    readonly en_text: string | null
    readonly language_name: string | null
  }>
} | {
  readonly type: "line.changed"
  readonly at: string
  readonly line: LineDetail
} | {
  readonly type: "canary.ended"
  readonly at: string
  readonly campaign_id: string
  /** Number of the canary in its campaign. */
  readonly number: number
  readonly app_version: number
  readonly control_version: number
  readonly status: "stopped" | "promoted" | "ended"
  readonly end_reason: "worse" | "request" | "campaign"
  /** Counts of the arms at the end. */
  readonly control: CanaryFigures | null
  readonly canary: CanaryFigures | null
} | {
  readonly type: "missed"
  readonly count: number
}

/** The other side of a simulated call: a predefined callee, or a script of turns followed by silence. */
export type Callee =
  | "answer"
  | "busy"
  | "no_answer"
  | "decline"
  | "invalid"
  | "provider_error"
  | "hang_up_early"
  | "voicemail"
  | ReadonlyArray<
    string | {
      readonly say?: string | undefined
      /** English translation of `say`, when `say` is in another language. */
      readonly en?: string | undefined
      /** English name or code of the language, such as `Hindi` or `hi-IN`; the agent's own when absent. */
      readonly language?: string | undefined
      readonly press?: string | undefined
      /** Interrupts the agent. */
      readonly interrupt?: boolean | undefined
      /** Seconds before acting; default 1. */
      readonly after_seconds?: number | undefined
      /** Hangs up instead of, or after, speaking. */
      readonly hang_up?: boolean | undefined
    }
  >

/** The resource does not exist, or not in the caller's workspace; the two cases look the same. */
export interface NotFound extends Error {
  readonly _tag: "NotFound"
  /** Kind of resource by its name in the API: `deployment`, `campaign`, `cohort`. */
  readonly resource: string
  readonly id: string
}

/** The request does not match its schema; all issues are listed. */
export interface Invalid extends Error {
  readonly _tag: "Invalid"
  readonly issues: readonly [Issue, ...ReadonlyArray<Issue>]
}

/** The request is well formed, but the state of a resource or a reference in it forbids it. */
export interface RuleViolation extends Error {
  readonly _tag: "RuleViolation"
  readonly issues: readonly [Issue, ...ReadonlyArray<Issue>]
}

/** The request asks for something that is not supported: the 400 of chat, responses and voices. */
export interface BadRequest extends Error {
  readonly _tag: "BadRequest"
  readonly param: string | null
}

/** The body is not valid JSON, or not a valid form of its content type. */
export interface MalformedBody extends Error {
  readonly _tag: "MalformedBody"
}

/** The body exceeds the size limit of the route. */
export interface BodyTooLarge extends Error {
  readonly _tag: "BodyTooLarge"
  readonly limitBytes: number
}

/** The route does not accept the content type of the body. */
export interface UnsupportedContentType extends Error {
  readonly _tag: "UnsupportedContentType"
  /** Content types that the route accepts. */
  readonly supported: ReadonlyArray<string>
}

/** No route has this path. */
export interface RouteNotFound extends Error {
  readonly _tag: "RouteNotFound"
}

/** The route exists, but not with this method. */
export interface MethodNotAllowed extends Error {
  readonly _tag: "MethodNotAllowed"
  /** Methods that the route supports. */
  readonly allow: ReadonlyArray<string>
}

/** The key is missing, malformed, unknown or revoked. */
export interface InvalidApiKey extends Error {
  readonly _tag: "InvalidApiKey"
}

/** The key is valid, but not for this organisation, workspace, feature or model. */
export interface NotAllowed extends Error {
  readonly _tag: "NotAllowed"
}

/** The account's plan does not include any more of this resource. */
export interface TierLimitReached extends Error {
  readonly _tag: "TierLimitReached"
}

/** The caller exceeded the rate limit of an API. */
export interface RateLimited extends Error {
  readonly _tag: "RateLimited"
  readonly api: string
  /** Time until a request would be accepted. */
  readonly retryAfter: object
  /** Connection limit that was exceeded: concurrent connections, or the rate of opening them. */
  readonly reason?: "connections" | "connection_speed"
}

/** The server is shedding load. */
export interface Overloaded extends Error {
  readonly _tag: "Overloaded"
  /** Delay before a retry, if known. */
  readonly retryAfter: object
}

/** The credits of the account, or the budget of the key, do not cover this request. */
export interface InsufficientCredits extends Error {
  readonly _tag: "InsufficientCredits"
  readonly spendLimits?: readonly [SpendLimit, ...ReadonlyArray<SpendLimit>]
}

/** Usage could not be recorded, so the request was not carried out. */
export interface BillingUnavailable extends Error {
  readonly _tag: "BillingUnavailable"
  /** Delay before a retry, if known. */
  readonly retryAfter?: object
}

/** The model cannot be reached, rejects requests or is overloaded. */
export interface ModelUnavailable extends Error {
  readonly _tag: "ModelUnavailable"
  readonly retryAfter?: object
  readonly lasting?: boolean
  readonly unreachable?: boolean
}

/** The model was reached, but failed or returned an invalid response. */
export interface ModelFailed extends Error {
  readonly _tag: "ModelFailed"
}

/** The model's provider rejected the request by its rate limit. */
export interface ModelRateLimited extends Error {
  readonly _tag: "ModelRateLimited"
  /** Delay before a retry, if known. */
  readonly retryAfter: object
}

/** The model did not respond in time. */
export interface ModelTimedOut extends Error {
  readonly _tag: "ModelTimedOut"
  readonly unreachable?: boolean
}

/** The request is valid, but processing it took longer than the time limit. */
export interface TimedOut extends Error {
  readonly _tag: "TimedOut"
}

/** A component that the request needs, such as a phone line or a store, is out of service. */
export interface Unavailable extends Error {
  readonly _tag: "Unavailable"
  /** Delay before a retry, if known. */
  readonly retryAfter?: object
}

/** This process does not do what the request needs, but another one of the same database may. */
export interface NotServedHere extends Error {
  readonly _tag: "NotServedHere"
  /** Role that the request needs. */
  readonly needed: string
  /** Roles of this process. */
  readonly roles: ReadonlyArray<string>
}

/** A failure of the analytics boards, with one of their codes. */
export interface BoardsFailure extends Error {
  readonly _tag: "BoardsFailure"
  readonly code: BoardsFailureCode
}

/** Failure of an operation. `_tag` tells which. */
export type Failure =
  | NotFound
  | Invalid
  | RuleViolation
  | BadRequest
  | MalformedBody
  | BodyTooLarge
  | UnsupportedContentType
  | RouteNotFound
  | MethodNotAllowed
  | InvalidApiKey
  | NotAllowed
  | TierLimitReached
  | RateLimited
  | Overloaded
  | InsufficientCredits
  | BillingUnavailable
  | ModelUnavailable
  | ModelFailed
  | ModelRateLimited
  | ModelTimedOut
  | TimedOut
  | Unavailable
  | NotServedHere
  | BoardsFailure

/** Methods of `trunkline.account`. */
export interface Account {
  /** Get limits, credits and usage of the account. */
  get(query?: AccountGetQuery, options?: CallOptions): Promise<{
    readonly account_id: string
    readonly plan: "starter" | "pro" | "business"
    /** The key of the request, without its text. */
    readonly key: {
      readonly key_id: string
      /** Label chosen by the owner. */
      readonly label: string
      /** Workspaces that the key opens; `*` for all of the account. */
      readonly workspaces: "*" | ReadonlyArray<string>
      readonly features: ReadonlyArray<string>
      /** Models that the key may use; null for all. */
      readonly models: ReadonlyArray<string> | null
      /** Budget of the key with what it has used, in micro-credits; null without one. */
      readonly budget: SpendLimit | null
    }
    /** Credits of the account, of which a million micro-credits are one. */
    readonly credits: {
      /** Micro-credits; null for an account without a limit. */
      readonly balance: number | null
      /** Micro-credits that requests in progress have reserved. */
      readonly reserved: number
    }
    readonly limits: LimitLevels
    /** Use of all keys of the account, by day and family. */
    readonly usage: ReadonlyArray<{
      /** Day in the time zone of the server's credits, as YYYY-MM-DD. */
      readonly day: string
      /** Family of requests, such as `chat`. */
      readonly api: string
      readonly requests: number
      /** Quantities by unit, such as `input_token`. */
      readonly units: { readonly [key: string]: number }
      /** Price in micro-credits. */
      readonly cost: number
      /** Micro-credits that were charged: fewer than the price where the account has no limit, or had too few. */
      readonly charged: number
    }>
  }>
}

/** Methods of `trunkline.agents`. */
export interface Agents {
  /** Create an agent. */
  create(body: CreateAgent, options?: CallOptions): Promise<AgentRecord>
  /** List the agents of a workspace. */
  list(options?: CallOptions): Promise<{
    /** Every number of the request once; numbers that were already blocked keep their reason and date. */
    readonly items: ReadonlyArray<AgentRecord>
  }>
  /** Get an agent. */
  get(agentId: string, options?: CallOptions): Promise<AgentRecord>
  /** Update an agent. */
  update(agentId: string, body: PatchAgent, options?: CallOptions): Promise<AgentRecord>
  /** List the versions of an agent. */
  listVersions(agentId: string, options?: CallOptions): Promise<{
    /** Every number of the request once; numbers that were already blocked keep their reason and date. */
    readonly items: ReadonlyArray<VersionRecord>
  }>
  /** Create a draft of an agent. */
  createVersion(agentId: string, body?: CreateVersion, options?: CallOptions): Promise<VersionRecord>
  /** Get a version of an agent. */
  getVersion(agentId: string, appVersion: number | string, options?: CallOptions): Promise<VersionRecord>
  /** Update a draft of an agent. */
  updateVersion(
    agentId: string,
    appVersion: number | string,
    body: PatchVersion,
    options?: CallOptions
  ): Promise<VersionRecord>
  /** Commit a draft of an agent. */
  commitVersion(
    agentId: string,
    appVersion: number | string,
    body: CommitVersion,
    options?: CallOptions
  ): Promise<VersionRecord>
  /** Compare two versions of an agent. */
  differences(
    agentId: string,
    appVersion: number | string,
    query: AgentsDifferencesQuery,
    options?: CallOptions
  ): Promise<AgentDifferences>
  /** Talk to an agent by text. */
  talk(agentId: string, body?: AgentsTalkBody, options?: CallOptions): Promise<TalkAnswer>
}

/** Methods of `trunkline.campaigns`. */
export interface Campaigns {
  /** Create a campaign. */
  create(body: CampaignsCreateBody, options?: CallOptions): Promise<CampaignMetadata>
  /** List campaigns. */
  list(query?: CampaignsListQuery, options?: CallOptions): PagePromise<{
    readonly items: ReadonlyArray<CampaignMetadata>
    readonly total: number
    readonly limit: number
    readonly offset: number
    readonly next_page_uri: string | null
    readonly prev_page_uri: string | null
  }>
  /** Get a campaign. */
  get(campaignId: string, options?: CallOptions): Promise<CampaignDetail>
  /** Update a campaign. */
  update(campaignId: string, body?: CampaignsUpdateBody, options?: CallOptions): Promise<CampaignMetadata>
  /** Pause, resume or cancel a campaign. */
  updateStatus(campaignId: string, body: CampaignsUpdateStatusBody, options?: CallOptions): Promise<CampaignMetadata>
  /** List the contacts of a campaign. */
  contacts(campaignId: string, query?: CampaignsContactsQuery, options?: CallOptions): PagePromise<ContactPage>
  /** Get the progress of a campaign. */
  progress(campaignId: string, options?: CallOptions): Promise<ProgressRecord>
  /** Rehearse a campaign in simulated time. */
  rehearse(campaignId: string, body?: CampaignsRehearseBody, options?: CallOptions): Promise<RehearsalReport>
}

/** Methods of `trunkline.canaries`. */
export interface Canaries {
  /** Try a version of the agent on some contacts. */
  start(campaignId: string, body: CanariesStartBody, options?: CallOptions): Promise<Canary>
  /** Stop or promote the canary of a campaign. */
  updateStatus(campaignId: string, body: CanariesUpdateStatusBody, options?: CallOptions): Promise<Canary>
}

/** Methods of `trunkline.webhooks`. */
export interface Webhooks {
  /** List the webhook deliveries of a campaign. */
  list(campaignId: string, query?: WebhooksListQuery, options?: CallOptions): PagePromise<DeliveriesPage>
  /** Send webhooks of a campaign again. */
  resend(campaignId: string, body: WebhooksResendBody, options?: CallOptions): Promise<{}>
  /** Rotate the webhook secret of a campaign. */
  rotateSecret(campaignId: string, body?: WebhooksRotateSecretBody, options?: CallOptions): Promise<RotatedSecret>
}

/** Methods of `trunkline.cohorts`. */
export interface Cohorts {
  /** Preview the rows of a cohort. */
  preview(body: CohortsPreviewBody, options?: CallOptions): Promise<CohortPreview>
  /** Upload a cohort to a campaign. */
  uploadToCampaign(campaignId: string, body: CohortsUploadToCampaignBody, options?: CallOptions): Promise<Cohort>
  /** Create a cohort of a campaign from a URL. */
  fetchToCampaign(campaignId: string, body: CohortsFetchToCampaignBody, options?: CallOptions): Promise<Cohort>
  /** Create a cohort of a campaign from a list of contacts. */
  addToCampaign(campaignId: string, body: CohortsAddToCampaignBody, options?: CallOptions): Promise<Cohort>
  /** List the cohorts of a campaign. */
  listOfCampaign(campaignId: string, query?: CohortsListOfCampaignQuery, options?: CallOptions): PagePromise<{
    readonly items: ReadonlyArray<Cohort>
    readonly total: number
    readonly limit: number
    readonly offset: number
    readonly next_page_uri: string | null
    readonly prev_page_uri: string | null
  }>
  /** Get a cohort of a campaign. */
  getOfCampaign(campaignId: string, cohortId: string, options?: CallOptions): Promise<Cohort>
  /** Download a file of a cohort of a campaign. */
  fileOfCampaign(
    campaignId: string,
    cohortId: string,
    query: CohortsFileOfCampaignQuery,
    options?: CallOptions
  ): Promise<ByteStream>
  /** Upload a cohort to a deployment. */
  uploadToDeployment(deploymentId: string, body: CohortsUploadToDeploymentBody, options?: CallOptions): Promise<Cohort>
  /** Create a cohort of a deployment from a URL. */
  fetchToDeployment(deploymentId: string, body: CohortsFetchToDeploymentBody, options?: CallOptions): Promise<Cohort>
  /** Create a cohort of a deployment from a list of contacts. */
  addToDeployment(deploymentId: string, body: CohortsAddToDeploymentBody, options?: CallOptions): Promise<Cohort>
  /** List the cohorts of a deployment. */
  listOfDeployment(deploymentId: string, query?: CohortsListOfDeploymentQuery, options?: CallOptions): PagePromise<{
    readonly items: ReadonlyArray<Cohort>
    readonly total: number
    readonly limit: number
    readonly offset: number
    readonly next_page_uri: string | null
    readonly prev_page_uri: string | null
  }>
  /** Get a cohort of a deployment. */
  getOfDeployment(deploymentId: string, cohortId: string, options?: CallOptions): Promise<Cohort>
  /** Download a file of a cohort of a deployment. */
  fileOfDeployment(
    deploymentId: string,
    cohortId: string,
    query: CohortsFileOfDeploymentQuery,
    options?: CallOptions
  ): Promise<ByteStream>
}

/** Methods of `trunkline.knowledge`. */
export interface Knowledge {
  /** Add a document. */
  add(body: KnowledgeAddBody, options?: CallOptions): Promise<AddedDocument>
  /** List the documents. */
  list(query?: KnowledgeListQuery, options?: CallOptions): PagePromise<{
    readonly items: ReadonlyArray<KnowledgeDocument>
    readonly total: number
    readonly limit: number
    readonly offset: number
    readonly next_page_uri: string | null
    readonly prev_page_uri: string | null
  }>
  /** Get a document. */
  get(documentId: string, options?: CallOptions): Promise<KnowledgeDocument>
  /** Remove a document. */
  remove(documentId: string, options?: CallOptions): Promise<DocumentRemoved>
  /** Search the documents. */
  search(body: KnowledgeSearch, options?: CallOptions): Promise<{
    /** Every number of the request once; numbers that were already blocked keep their reason and date. */
    readonly items: ReadonlyArray<FoundPassage>
  }>
}

/** Methods of `trunkline.deployments`. */
export interface Deployments {
  /** Create a deployment. */
  create(body: DeploymentsCreateBody, options?: CallOptions): Promise<DeploymentDetail>
  /** List deployments. */
  list(query?: DeploymentsListQuery, options?: CallOptions): PagePromise<{
    readonly items: ReadonlyArray<DeploymentSummary>
    readonly total: number
    readonly limit: number
    readonly offset: number
    readonly next_page_uri: string | null
    readonly prev_page_uri: string | null
  }>
  /** Get a deployment. */
  get(deploymentId: string, options?: CallOptions): Promise<DeploymentDetail>
  /** Update a deployment. */
  update(deploymentId: string, body?: DeploymentsUpdateBody, options?: CallOptions): Promise<DeploymentDetail>
  /** Delete a deployment. */
  remove(deploymentId: string, options?: CallOptions): Promise<{
    readonly deployment_id: string
    readonly deleted: true
  }>
  /** Pause or resume a deployment. */
  updateStatus(
    deploymentId: string,
    body: DeploymentsUpdateStatusBody,
    options?: CallOptions
  ): Promise<DeploymentDetail>
}

/** Methods of `trunkline.outbounds`. */
export interface Outbounds {
  /** Start a call. */
  start(body: OutboundsStartBody, options?: CallOptions): Promise<OutboundStarted>
}

/** Methods of `trunkline.browserCalls`. */
export interface BrowserCalls {
  /** Make a token for a call from a browser. */
  create(body: BrowserCallsCreateBody, options?: CallOptions): Promise<BrowserCallToken>
}

/** Methods of `trunkline.blockedNumbers`. */
export interface BlockedNumbers {
  /** Block numbers. */
  add(body: BlockedNumbersAddBody, options?: CallOptions): Promise<{
    /** Every number of the request once; numbers that were already blocked keep their reason and date. */
    readonly items: ReadonlyArray<BlockedNumber>
  }>
  /** List blocked numbers. */
  list(query?: BlockedNumbersListQuery, options?: CallOptions): PagePromise<{
    readonly items: ReadonlyArray<BlockedNumber>
    readonly total: number
    readonly limit: number
    readonly offset: number
    readonly next_page_uri: string | null
    readonly prev_page_uri: string | null
  }>
  /** Unblock a number. */
  remove(number: string, options?: CallOptions): Promise<{
    readonly phone_number: string
    readonly deleted: true
  }>
}

/** Methods of `trunkline.lines`. */
export interface Lines {
  /** List phone lines and their state. */
  list(options?: CallOptions): Promise<{
    /** Every number of the request once; numbers that were already blocked keep their reason and date. */
    readonly items: ReadonlyArray<LineDetail>
  }>
}

/** Methods of `trunkline.attempts`. */
export interface Attempts {
  /** Get a call attempt that has ended. */
  get(attemptId: string, options?: CallOptions): Promise<AttemptDetail>
  /** Hang up a call. */
  hangUp(attemptId: string, options?: CallOptions): Promise<HangUp>
}

/** Methods of `trunkline.analytics`. */
export interface Analytics {
  /** List call attempts. */
  attempts(appId: string, query: AnalyticsAttemptsQuery, options?: CallOptions): PagePromise<{
    readonly items: ReadonlyArray<AttemptItem>
    readonly total: number
    readonly limit: number
    readonly offset: number
    readonly next_page_uri: string | null
    readonly prev_page_uri: string | null
  }>
  /** List interactions. */
  interactions(appId: string, query: AnalyticsInteractionsQuery, options?: CallOptions): PagePromise<{
    readonly items: ReadonlyArray<InteractionItem>
    readonly total: number
    readonly limit: number
    readonly offset: number
    readonly next_page_uri: string | null
    readonly prev_page_uri: string | null
  }>
  /** Get the transcript of an interaction. */
  transcript(appId: string, interactionId: string, options?: CallOptions): Promise<Transcript>
  /** Download the recording of an interaction. */
  recording(appId: string, interactionId: string, options?: CallOptions): Promise<ByteStream>
}

/** Methods of `trunkline.erasures`. */
export interface Erasures {
  /** Erase the data of a contact. */
  create(
    body: { readonly user_identifier: string } | { readonly phone_number: string },
    options?: CallOptions
  ): Promise<{
    /** Number of erased attempts. */
    readonly erased_attempts: number
    /** Proof, for a phone number. */
    readonly receipt?: {
      /** Last four digits of the number. */
      readonly phone_ending: string
      /** Organisation and workspace, such as `acme/main`. */
      readonly workspace: string
      /** Real time, in ISO 8601. */
      readonly erased_at: string
      /** Rows that were erased. */
      readonly erased: {
        readonly calls: number
        readonly attempts: number
        readonly webhooks: number
        readonly contacts: number
        readonly cohort_rows: number
        readonly dials: number
        readonly files: number
      }
      /** Work that goes on, and so was left alone. */
      readonly open: {
        readonly attempts: number
        readonly contacts: number
        readonly webhooks: number
      }
      /** True when nothing was left; otherwise repeat the erasure later. */
      readonly complete: boolean
    }
  }>
}

/** Methods of `trunkline.boards`. */
export interface Boards {
  /** Create a board. */
  create(body: BoardsCreateBody, options?: CallOptions): Promise<BoardRecord>
  /** List boards. */
  list(query?: BoardsListQuery, options?: CallOptions): PagePromise<{
    readonly items: ReadonlyArray<BoardSummary>
    readonly total: number
    readonly limit: number
    readonly offset: number
  }>
  /** Get a board. */
  get(boardId: string, options?: CallOptions): Promise<BoardRecord>
  /** Update a board. */
  update(boardId: string, body?: BoardsUpdateBody, options?: CallOptions): Promise<BoardRecord>
  /** Delete a board. */
  remove(boardId: string, options?: CallOptions): Promise<{
    readonly id: string
    readonly deleted: true
  }>
  /** Add a tab to a board. */
  createTab(boardId: string, body: BoardsCreateTabBody, options?: CallOptions): Promise<TabRecord>
  /** Update a tab. */
  updateTab(boardId: string, tabId: string, body?: BoardsUpdateTabBody, options?: CallOptions): Promise<TabRecord>
  /** Delete a tab. */
  removeTab(boardId: string, tabId: string, options?: CallOptions): Promise<{
    readonly id: string
    readonly deleted: true
  }>
  /** Add a widget to a board. */
  createWidget(boardId: string, body: BoardsCreateWidgetBody, options?: CallOptions): Promise<WidgetRecord>
  /** Update a widget. */
  updateWidget(
    boardId: string,
    widgetId: string,
    body?: BoardsUpdateWidgetBody,
    options?: CallOptions
  ): Promise<WidgetRecord>
  /** Delete a widget. */
  removeWidget(boardId: string, widgetId: string, options?: CallOptions): Promise<{
    readonly id: string
    readonly deleted: true
  }>
  /** List the filters of a board. */
  filters(boardId: string, options?: CallOptions): Promise<{ readonly filters: ReadonlyArray<Filter> }>
  /** Update a filter of a board. */
  updateFilter(boardId: string, filterId: string, body?: BoardsUpdateFilterBody, options?: CallOptions): Promise<Filter>
  /** List the tables that can be queried. */
  schema(options?: CallOptions): Promise<QuerySchema>
  /** Run a query without saving it. */
  preview(body: BoardsPreviewBody, options?: CallOptions): Promise<RunResult>
  /** Run a widget. */
  runWidget(boardId: string, widgetId: string, body?: BoardsRunWidgetBody, options?: CallOptions): Promise<RunResult>
  /** Run the widgets of a tab. */
  runTab(boardId: string, tabId: string, body?: BoardsRunTabBody, options?: CallOptions): Promise<TabRunResult>
  /** Render a widget as SVG. */
  chartSvg(boardId: string, widgetId: string, query?: BoardsChartSvgQuery, options?: CallOptions): Promise<ByteStream>
  /** Render a widget as PNG. */
  chartPng(boardId: string, widgetId: string, query?: BoardsChartPngQuery, options?: CallOptions): Promise<ByteStream>
}

/** Methods of `trunkline.notifications`. */
export interface Notifications {
  /** Create a notification rule. */
  create(boardId: string, body: NotificationsCreateBody, options?: CallOptions): Promise<Rule>
  /** List notification rules. */
  list(boardId: string, query?: NotificationsListQuery, options?: CallOptions): PagePromise<{
    readonly items: ReadonlyArray<Rule>
    readonly total: number
    readonly limit: number
    readonly offset: number
  }>
  /** Get a notification rule. */
  get(boardId: string, ruleId: string, options?: CallOptions): Promise<Rule>
  /** Update a notification rule. */
  update(boardId: string, ruleId: string, body?: NotificationsUpdateBody, options?: CallOptions): Promise<Rule>
  /** Delete a notification rule. */
  remove(boardId: string, ruleId: string, options?: CallOptions): Promise<{
    readonly rule_id: string
    readonly deleted: true
  }>
  /** List the deliveries of a notification rule. */
  deliveries(
    boardId: string,
    ruleId: string,
    query?: NotificationsDeliveriesQuery,
    options?: CallOptions
  ): PagePromise<{
    readonly items: ReadonlyArray<DeliveryItem>
    readonly total: number
    readonly limit: number
    readonly offset: number
  }>
}

/** Methods of `trunkline.chat`. */
export interface Chat {
  /** Create a chat completion. With `stream: true`, resolves with its events as they come. */
  create(body: ChatBodyV2 & { readonly stream: true }, options?: CallOptions): Promise<EventStream<ChatChunk>>
  /** Create a chat completion. */
  create(body: ChatBodyV2, options?: CallOptions): Promise<ChatCompletion>
  /** Create a chat completion with a core model. With `stream: true`, resolves with its events as they come. */
  createCore(body: ChatBodyV1 & { readonly stream: true }, options?: CallOptions): Promise<EventStream<ChatChunk>>
  /** Create a chat completion with a core model. */
  createCore(body: ChatBodyV1, options?: CallOptions): Promise<ChatCompletion>
}

/** Methods of `trunkline.responses`. */
export interface Responses {
  /** Create a response. With `stream: true`, resolves with its events as they come. */
  create(body: ResponseBody & { readonly stream: true }, options?: CallOptions): Promise<EventStream<ResponseEvent>>
  /** Create a response. */
  create(body: ResponseBody, options?: CallOptions): Promise<ResponseResource>
}

/** Methods of `trunkline.models`. */
export interface Models {
  /** List models. */
  list(options?: CallOptions): Promise<ModelList>
  /** Get a model. */
  get(modelId: string, options?: CallOptions): Promise<Model>
  /** List the core models. */
  listCore(options?: CallOptions): Promise<ModelList>
  /** Get a core model. */
  getCore(modelId: string, options?: CallOptions): Promise<Model>
}

/** Methods of `trunkline.voices`. */
export interface Voices {
  /** Save a voice. */
  create(body: VoicesCreateBody, options?: CallOptions): Promise<CreatedVoice>
  /** List voices. */
  list(query?: VoicesListQuery, options?: CallOptions): PagePromise<{
    readonly items: ReadonlyArray<Voice>
    readonly total: number
    readonly limit: number
    readonly offset: number
    readonly next_page_uri: string | null
    readonly prev_page_uri: string | null
  }>
  /** Get a voice. */
  get(voiceId: string, options?: CallOptions): Promise<Voice>
  /** Delete a voice. */
  remove(voiceId: string, options?: CallOptions): Promise<VoiceDeleted>
  /** Stream speech. */
  speak(body: VoicesSpeakBody, options?: CallOptions): Promise<ByteStream>
  /** Generate speech. */
  generate(body: VoicesGenerateBody, options?: CallOptions): Promise<Speech>
}

/** Every resource of the HTTP interface. */
export interface Resources {
  readonly account: Account
  readonly agents: Agents
  readonly campaigns: Campaigns
  readonly canaries: Canaries
  readonly webhooks: Webhooks
  readonly cohorts: Cohorts
  readonly knowledge: Knowledge
  readonly deployments: Deployments
  readonly outbounds: Outbounds
  readonly browserCalls: BrowserCalls
  readonly blockedNumbers: BlockedNumbers
  readonly lines: Lines
  readonly attempts: Attempts
  readonly analytics: Analytics
  readonly erasures: Erasures
  readonly boards: Boards
  readonly notifications: Notifications
  readonly chat: Chat
  readonly responses: Responses
  readonly models: Models
  readonly voices: Voices
}
