import type { InteractionId, Scope as Workspace } from "@trunkline/kernel"
import { Context, Effect } from "effect"
import type { AudioLine } from "../call/AudioLine.js"
import type { CallBrief } from "../call/CallHandler.js"
import type { RecordingControl, RecordingResult } from "../call/CallRecording.js"

/** A call whose sound may be recorded. */
export interface RecordedCall {
  readonly interaction_id: InteractionId
  readonly brief: CallBrief
  /** True where an earlier process may have recorded its beginning. */
  readonly isResumed: boolean
}

/** The recording of a call in progress. */
export interface LineRecording {
  /** The line to talk on in place of the tapped one. */
  readonly line: AudioLine
  readonly control: RecordingControl
  /** Words that the agent says before all others; null without any. */
  readonly notice: { readonly text: string; readonly language_name: string } | null
  /** Ends the recording. Its result is known once its last sound is stored, or after some seconds; null without any sound. */
  readonly end: Effect.Effect<RecordingResult | null>
}

/** Port that records the sound of calls. By default no call is recorded. */
export class CallRecorder extends Context.Reference<CallRecorder>()("@trunkline/telephony/CallRecorder", {
  defaultValue: (): CallRecorder.Service => ({
    record: () => Effect.succeed(null),
    recover: () => Effect.succeed(null)
  })
}) {}

export declare namespace CallRecorder {
  /** Service of the reference. */
  export interface Service {
    /**
     * Begins to record a line, until it ends; null for a call that is not recorded. It may wait some seconds for the host's
     * consent, and never for files.
     */
    readonly record: (line: AudioLine, call: RecordedCall) => Effect.Effect<LineRecording | null>
    /** Completes what a stopped process has recorded of a call; null when there is nothing. */
    readonly recover: (workspace: Workspace, interaction_id: InteractionId) => Effect.Effect<RecordingResult | null>
  }
}
