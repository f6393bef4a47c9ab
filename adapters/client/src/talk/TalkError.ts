/**
 * Name of an error: of the page (`insecure_context`, `not_supported`), of its microphone (`permission_denied`, `no_microphone`,
 * `microphone_busy`), of the network (`connection_failed`, `connection_lost`), or what the server has said, such as
 * `token_expired`, `token_used` or `busy`.
 */
export type TalkErrorCode =
  | "insecure_context"
  | "not_supported"
  | "permission_denied"
  | "no_microphone"
  | "microphone_busy"
  | "worklet_blocked"
  | "connection_failed"
  | "connection_lost"
  | (string & {})

const messages: Readonly<Record<string, string>> = {
  insecure_context: "Browsers give a microphone to pages over https only, and to localhost: serve this page over https",
  not_supported: "This browser has no audio worklets or no microphones for pages",
  permission_denied: "The microphone was refused: allow it for this page, or in its Permissions-Policy",
  no_microphone: "There is no microphone: plug one in",
  microphone_busy: "The microphone cannot be used: another program may have it",
  worklet_blocked:
    "The audio worklet could not be loaded: allow blob: in script-src, or pass the address of its file as worklet",
  connection_failed: "The call could not be connected: look at the address, the proxy and connect-src",
  connection_lost: "The connection was lost, and the call with it"
}

/** A call that could not begin, or was cut off. */
export class TalkError extends Error {
  override readonly name = "TalkError"

  constructor(readonly code: TalkErrorCode, message: string = messages[code] ?? code, options?: ErrorOptions) {
    super(message, options)
  }
}
