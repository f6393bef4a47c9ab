import type {
  AttemptDetail,
  Attempts,
  BrowserCalls,
  BrowserCallToken,
  CallsTalkBody,
  Lines,
  Outbounds,
  OutboundsStartBody
} from "./generated/Types.js"
import { readOptions } from "./Invocation.js"
import type { CallOptions } from "./Results.js"
import { pause } from "./Transport.js"
import { type FieldError, TrunklineError } from "./TrunklineError.js"

type AppConfig = OutboundsStartBody["app_config"]

/** A call to start. */
export interface NewCall {
  /** `app_id` of the agent. */
  readonly agent: string
  /** Version of the agent, which must be committed. */
  readonly version: number
  /** Number to call: in E.164, or a bare Indian number of ten digits. */
  readonly to: string
  /** Number to call from; by default the first number of the line. */
  readonly from?: string
  /** `connection_id` of the line; the first line by default. */
  readonly line?: string
  /** Variables of the conversation. */
  readonly variables?: NonNullable<AppConfig["agent_variables"]>
  /** Your own id of the person; the number by default. */
  readonly user_identifier?: string
  /** Webhook that receives the result of this call. */
  readonly webhook?: NonNullable<OutboundsStartBody["webhook_config"]>
}

/** A call that was started. */
export interface StartedCall {
  readonly attempt_id: string
  /**
   * Resolves when the call has ended, answered or not, with its record. The record is asked for from the first use of `ended` on,
   * at most every five seconds, until the signal of the options aborts.
   */
  readonly ended: Promise<AttemptDetail>
}

/** A call that a person will begin in a browser. */
export interface NewBrowserCall {
  /** `app_id` of the agent. */
  readonly agent: string
  /** Version of the agent, a draft too; its latest committed one by default. */
  readonly version?: number
  /** Variables of the conversation. */
  readonly variables?: NonNullable<CallsTalkBody["agent_variables"]>
  /** First words, language or state of the agent, for this call. */
  readonly overrides?: NonNullable<CallsTalkBody["app_overrides"]>
  /** Your own id of the person; the id of the attempt by default. */
  readonly user_identifier?: string
  /** Number of the person, for the record of the call; nobody is called. */
  readonly user_phone_number?: string
  /** Longest call in seconds; that of the server by default. */
  readonly max_duration_seconds?: number
  /** Webhook that receives the result of this call. */
  readonly webhook?: NonNullable<CallsTalkBody["webhook_config"]>
}

/** Calls. */
export interface Calls {
  /** Starts a call. It waits when all lines are busy. */
  create(call: NewCall, options?: CallOptions): Promise<StartedCall>
  /**
   * Makes a token with which a page calls an agent within a minute, once. Its `url` is that of the WebSocket: give it to the
   * page, which passes it to `startTalk` of `@trunkline/client/talk`.
   */
  talk(call: NewBrowserCall, options?: CallOptions): Promise<BrowserCallToken>
}

type Places = ReadonlyArray<readonly [place: string, option: string]>

/** Options of a call by their places in the body of an outbound. */
const callOptions: Places = [
  ["app_config.app_id", "agent"],
  ["app_config.app_version", "version"],
  ["app_config.agent_variables", "variables"],
  ["app_config.connection_config.connection_id", "line"],
  ["app_config.connection_config.agent_phone_number", "from"],
  ["user_config.user_phone_number", "to"],
  ["user_config.user_identifier", "user_identifier"],
  ["webhook_config", "webhook"]
]

/** Options of a call from a browser by their places in the body of its request. */
const browserCallOptions: Places = [
  ["app_id", "agent"],
  ["app_version", "version"],
  ["agent_variables", "variables"],
  ["app_overrides", "overrides"],
  ["user_identifier", "user_identifier"],
  ["user_phone_number", "user_phone_number"],
  ["max_duration_seconds", "max_duration_seconds"],
  ["webhook_config", "webhook"]
]

const namesOf = (places: Places) => places.map(([, option]) => option)

const move = (places: Places) => (issue: FieldError): FieldError => {
  const path = issue.loc.join(".")
  const entry = places.find(([place]) => path === place || path.startsWith(`${place}.`))
  return entry === undefined ? issue : { ...issue, loc: [entry[1], ...issue.loc.slice(entry[0].split(".").length)] }
}

/** A failure whose issues name the options of a call. */
const withCallPaths = (places: Places, error: unknown): unknown => {
  if (!(error instanceof TrunklineError) || error.issues.length === 0) return error
  const { code, message, requestId, retryAfter, status } = error
  return new TrunklineError({ code, message, requestId, retryAfter, status, issues: error.issues.map(move(places)) })
}

/** Milliseconds before the record of a call is asked for again, at first and at most. */
const firstWait = 1_000
const maxWait = 5_000

/** Resources that calls are made of. */
interface CallParts {
  readonly browserCalls: BrowserCalls
  readonly baseUrl: string
  readonly attempts: Attempts
  readonly lines: Lines
  readonly outbounds: Outbounds
}

/** Makes the methods of calls. */
export const makeCalls = ({ attempts, baseUrl, browserCalls, lines, outbounds }: CallParts): Calls => {
  const awaitEnd = async (attemptId: string, options: CallOptions): Promise<AttemptDetail> => {
    for (let wait = firstWait;; wait = Math.min(maxWait, wait * 1.5)) {
      try {
        return await attempts.get(attemptId, options)
      } catch (error) {
        // There is no record before the call has ended.
        if (!(error instanceof TrunklineError) || error.status !== 404) throw error
      }
      await pause(wait, options.signal)
    }
  }

  /** The line and the number to call from. */
  const lineOf = async ({ from, line }: NewCall, options: CallOptions) => {
    if (line !== undefined && from !== undefined) return { connection_id: line, agent_phone_number: from }
    const { items } = await lines.list(options)
    const item = line === undefined ? items[0] : items.find(({ connection_id }) => connection_id === line)
    return {
      connection_id: line ?? item?.connection_id ?? "",
      agent_phone_number: from ?? item?.phone_numbers[0] ?? ""
    }
  }

  return {
    create: async (call, options = {}) => {
      readOptions(call, namesOf(callOptions))
      const connection_config = await lineOf(call, options)
      const { attempt_id } = await outbounds.start({
        app_config: {
          app_id: call.agent,
          app_version: call.version,
          connection_config,
          agent_variables: call.variables ?? {}
        },
        user_config: {
          user_phone_number: call.to,
          ...(call.user_identifier !== undefined && { user_identifier: call.user_identifier })
        },
        webhook_config: call.webhook ?? null
      }, options).catch((error: unknown) => {
        throw withCallPaths(callOptions, error)
      })
      let waiting: Promise<AttemptDetail> | undefined
      return {
        attempt_id,
        get ended() {
          return waiting ??= awaitEnd(attempt_id, options)
        }
      }
    },
    talk: async (call, options = {}) => {
      readOptions(call, namesOf(browserCallOptions))
      const { agent, overrides, variables, version, webhook, ...rest } = call
      const token = await browserCalls.create({
        ...rest,
        app_id: agent,
        ...(version !== undefined && { app_version: version }),
        ...(variables !== undefined && { agent_variables: variables }),
        ...(overrides !== undefined && { app_overrides: overrides }),
        ...(webhook !== undefined && { webhook_config: webhook })
      }, options).catch((error: unknown) => {
        throw withCallPaths(browserCallOptions, error)
      })
      return { ...token, url: token.url.startsWith("/") ? `${baseUrl}${token.url}`.replace(/^http/, "ws") : token.url }
    }
  }
}
