import type { Variables } from "@trunkline/kernel"
import type { ToolRequest } from "@trunkline/models"
import type { Spoken, SpokenText, ToolUseOutcome, TransferRecord } from "@trunkline/telephony"

/** Outcome of a tool of the host application. */
export interface ToolOutcome {
  readonly request: ToolRequest
  readonly content: string
  readonly set: Variables
  readonly outcome: ToolUseOutcome
  /** Seconds that the use took. */
  readonly seconds: number
  /** Transfer that it has tried; absent for other tools. */
  readonly transfer?: TransferRecord
  /** Words of the agent while it ran, and their moment; absent: none. */
  readonly said?: SpokenText & { readonly at: number }
}

/** Words of the agent when a tool takes long. */
export interface Filler {
  readonly text: string
  readonly language_name: string
  /** The English wording, when there is one and the agent speaks another language. */
  readonly english: string | null
  /** Time after which it is said, in milliseconds. */
  readonly after: number
  /** Time after which it is said again, in milliseconds, to a caller on hold; absent: it is said once, and can be interrupted. */
  readonly every?: number
}

/** A filler that was said while tools ran: when it began, and what was heard of it. */
export interface SpokenFiller extends Filler {
  readonly since: number
  readonly spoken: Spoken
}
