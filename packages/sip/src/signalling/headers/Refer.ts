import { Either } from "effect"
import { malformed, type MalformedHeader } from "./MalformedHeader.js"
import { parseNameAddr } from "./NameAddr.js"
import { param } from "./Params.js"
import { parseUri, unescapeUri, type Uri, writeUri } from "./Uri.js"

/** Target of a transfer: a value of Refer-To (RFC 3515, section 2.1). */
export interface ReferTo {
  /** URI to call, without the header fields that the new request gets. */
  readonly uri: Uri
  /** `INVITE` unless the URI says otherwise. */
  readonly method: string
  /** Dialog that the call is to replace (RFC 3891), unescaped; null for a blind transfer. */
  readonly replaces: string | null
}

/** Parses a value of Refer-To. */
export const parseReferTo = (text: string): Either.Either<ReferTo, MalformedHeader> =>
  parseNameAddr(text).pipe(
    Either.flatMap((address) => parseUri(address.uri)),
    Either.map((uri): ReferTo => {
      if (uri._tag !== "SipUri") return { uri, method: "INVITE", replaces: null }
      const replaces = uri.headers.find(([name]) => name.toLowerCase() === "replaces")?.[1]
      return {
        uri: { ...uri, headers: [] },
        method: unescapeUri(param(uri.params, "method") ?? "INVITE"),
        replaces: replaces === undefined ? null : unescapeUri(replaces)
      }
    })
  )

/** Writes a value of Refer-To for a blind transfer. */
export const writeReferTo = (uri: Uri): string => `<${writeUri(uri)}>`

/** Content-Type of the body with which a NOTIFY reports how the referred call goes (RFC 3515, section 2.4.5). */
export const sipFragmentType = "message/sipfrag;version=2.0"

/** Status that a NOTIFY reports: that of the response in its body (RFC 3420). */
export interface ReportedStatus {
  readonly status: number
  readonly reason: string
}

const statusLine = /^\s*SIP\/2\.0[ \t]+([1-6]\d\d)(?:[ \t]+([^\r\n]*))?/i

/** Parses the body of a NOTIFY that reports how a referred call goes. */
export const parseSipFragment = (body: Uint8Array): Either.Either<ReportedStatus, MalformedHeader> => {
  const [, status, reason = ""] = statusLine.exec(new TextDecoder().decode(body.subarray(0, 1_024))) ?? []
  return status === undefined
    ? malformed("The body reports no status")
    : Either.right({ status: Number(status), reason: reason.trim() })
}

/** Writes the body of a NOTIFY that reports how a referred call goes. */
export const writeSipFragment = ({ reason, status }: ReportedStatus): Uint8Array =>
  new TextEncoder().encode(`SIP/2.0 ${status} ${reason}\r\n`)
