import type {
  BrowserCallsCreateBody,
  BrowserCallToken,
  CallEnded,
  LiveEvent,
  OutboundsStartBody
} from "../generated/Resources.js"
import type { Variables } from "../options/AgentOptions.js"
import type { CallOptions } from "../Results.js"

/** A call to start. */
export interface NewCall {
  /** `app_id` of the agent. */
  readonly agent: string
  /** Version of the agent; its latest committed one by default. */
  readonly version?: number
  /** Number to call: in E.164, or a bare Indian number of ten digits. */
  readonly to: string
  /** Number to call from; by default the first number of the line. */
  readonly from?: string
  /** `connection_id` of the line; the first line by default. */
  readonly line?: string
  /** Variables of the conversation. */
  readonly variables?: Variables
  /** Your own id of the person; the number by default. */
  readonly user_identifier?: string
  /** Conduct when something other than a person answers; nobody finds out by default. */
  readonly answer_handling?: NonNullable<OutboundsStartBody["app_config"]["answer_handling"]>
  /** Webhook that receives the result of this call. */
  readonly webhook?: NonNullable<OutboundsStartBody["webhook_config"]>
}

/** A call that was started. */
export interface StartedCall {
  readonly attempt_id: string
  /**
   * Resolves when the call has ended, answered or not, with its outcome, variables and transcript. Rejects when the engine
   * is closed before. Use `onCallEnded` for what must survive a crash.
   */
  readonly ended: Promise<CallEnded>
}

/** A call that a person will begin in a browser. */
export interface NewBrowserCall {
  /** `app_id` of the agent. */
  readonly agent: string
  /** Version of the agent, a draft too; its latest committed one by default. */
  readonly version?: number
  /** Variables of the conversation. */
  readonly variables?: Variables
  /** First words, language or state of the agent, for this call. */
  readonly overrides?: NonNullable<BrowserCallsCreateBody["app_overrides"]>
  /** Your own id of the person; the id of the attempt by default. */
  readonly user_identifier?: string
  /** Number of the person, for the record of the call; nobody is called. */
  readonly user_phone_number?: string
  /** Longest call in seconds; that of `browserCalls` by default. */
  readonly max_duration_seconds?: number
  /** Webhook that receives the result of this call. */
  readonly webhook?: NonNullable<BrowserCallsCreateBody["webhook_config"]>
}

/** Calls. */
export interface Calls {
  /** Starts a call. It waits when all lines are busy. Retrying is up to you; campaigns retry by themselves. */
  create(call: NewCall, options?: CallOptions): Promise<StartedCall>
  /**
   * Makes a token with which a page calls an agent within a minute, once. Give its `url` to the page, which passes it to
   * `startTalk` of `@trunkline/client/talk`: a path of this server, unless `browserCalls.public_url` is set.
   */
  talk(call: NewBrowserCall, options?: CallOptions): Promise<BrowserCallToken>
}

/** Events of the calls of a workspace, from now on. Leaving the loop unsubscribes. */
export type Live = (options?: CallOptions & LiveOptions) => AsyncIterable<LiveEvent>

interface LiveOptions {
  /** Id of a campaign, for the events of its calls only. */
  readonly campaign?: string
  /** True to begin with an `attempt.ongoing` for each call that goes on, with what was said so far; the newest 500. */
  readonly ongoing?: boolean
}
