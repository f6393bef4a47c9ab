import { Context } from "effect"

/** News of a single call for somebody who follows it. */
export type CallProgress =
  /** The agent waits for the caller, thinks of its answer, or speaks. */
  | { readonly _tag: "State"; readonly state: "listening" | "thinking" | "speaking" }
  /** Words of one side. Those that are not final are replaced by the next words of the same side. */
  | {
    readonly _tag: "Words"
    readonly role: "agent" | "user"
    readonly text: string
    readonly language_name: string | null
    readonly isFinal: boolean
  }

/** Watcher of the calls of an effect: it must be quick, and must not throw. None by default. */
export class CallWatch extends Context.Reference<CallWatch>()("@trunkline/telephony/CallWatch", {
  defaultValue: (): ((progress: CallProgress) => void) | null => null
}) {}
