import type { ToolContext } from "../AgentOptions.js"

/** A call that is about to be recorded. */
export type RecordingCall = Pick<
  ToolContext,
  | "attempt_id"
  | "workspace"
  | "app_id"
  | "app_version"
  | "direction"
  | "user_phone_number"
  | "agent_phone_number"
  | "variables"
>

/** Recording of calls that carry sound. */
export interface RecordingOption {
  /** Records all calls but those whose agent (`recording`) or call (`record`) says otherwise; false by default. */
  readonly recordCalls?: boolean
  /** Text that the agent says first on a call that is recorded, where the agent has none of its own; none by default. */
  readonly notice?: string
  /**
   * Asked before a call is recorded. When it resolves to false, throws or takes longer than 5 seconds, nothing of the call is
   * kept. By default every call may be recorded.
   */
  readonly mayRecord?: (call: RecordingCall) => boolean | Promise<boolean>
  /**
   * Secret of at least 32 random characters by which recordings are encrypted at rest. By default the key follows from the secret
   * of the data folder, or of the database.
   */
  readonly key?: string | undefined
  /** Earlier values of `key`, which still decrypt. */
  readonly previousKeys?: ReadonlyArray<string>
}
