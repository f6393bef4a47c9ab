import { Data } from "effect"
import type { SipRequest } from "./Message.js"

/** Status of the response to a request that could not be parsed. */
export type MalformedStatus = 400 | 413 | 505

/** A message that breaks the grammar of SIP or exceeds a limit. */
export class MalformedMessage extends Data.TaggedError("MalformedMessage")<{
  /** The fault, fit for the reason phrase of a response. It quotes nothing of the message. */
  readonly message: string
  /** 400, 505 for another version of SIP (RFC 3261, section 21.5.7), or 413 for a message that is too large. */
  readonly status: MalformedStatus
  /**
   * Readable part of a request that can be responded to: it has a readable topmost Via, and it is not an ACK. Other
   * header fields may be missing or damaged, and the body is empty. Null for anything else, which is dropped.
   */
  readonly request: SipRequest | null
}> {}
