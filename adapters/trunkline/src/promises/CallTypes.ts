import type { CallEnded, LiveEvent, OutboundsStartBody } from "../generated/Resources.js"
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

/** Calls. */
export interface Calls {
  /** Starts a call. It waits when all lines are busy. Retrying is up to you; campaigns retry by themselves. */
  create(call: NewCall, options?: CallOptions): Promise<StartedCall>
}

/** Events of the calls of a workspace, from now on. Leaving the loop unsubscribes. */
export type Live = (options?: CallOptions & { readonly campaign?: string }) => AsyncIterable<LiveEvent>
