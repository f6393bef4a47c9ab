import type { CallBrief } from "@trunkline/telephony"
import type { Effect } from "effect"

/** Recording of calls with sound. */
export interface RecordingOptions {
  /** True to record all calls but those whose agent or call says otherwise; false by default. */
  readonly recordCalls?: boolean
  /** Text that the agent says first on a call that is recorded, where the agent has none of its own; none by default. */
  readonly notice?: string
  /**
   * Asked before a call is recorded: false keeps nothing of it, as does a failure and an answer after 5 seconds. By default
   * every call may be recorded.
   */
  readonly mayRecord?: (call: CallBrief) => Effect.Effect<boolean>
}
