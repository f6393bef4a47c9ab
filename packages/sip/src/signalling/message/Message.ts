/**
 * Header fields of a message in the order in which they were sent. Names are in lower case and in their long form
 * (`via`, not `v`); a field with several values, such as `Via: a, b`, has an entry for each value.
 */
export type Headers = ReadonlyArray<readonly [name: string, value: string]>

/** SIP request (RFC 3261, section 7.1). */
export interface SipRequest {
  readonly _tag: "Request"
  /** In upper case, such as `INVITE`. */
  readonly method: string
  readonly uri: string
  readonly headers: Headers
  /** Empty when there is none. */
  readonly body: Uint8Array
}

/** SIP response (RFC 3261, section 7.2). */
export interface SipResponse {
  readonly _tag: "Response"
  /** From 100 to 699. */
  readonly status: number
  readonly reason: string
  readonly headers: Headers
  /** Empty when there is none. */
  readonly body: Uint8Array
}

export type SipMessage = SipRequest | SipResponse

/** The first value of a header, whose name is in lower case; undefined when the message has none. */
export const header = (message: SipMessage, name: string): string | undefined =>
  message.headers.find(([key]) => key === name)?.[1]

/** All values of a header, whose name is in lower case, in order. */
export const headers = (message: SipMessage, name: string): ReadonlyArray<string> =>
  message.headers.flatMap(([key, value]) => key === name ? [value] : [])
