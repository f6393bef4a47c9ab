import { Either } from "effect"
import { contactOf } from "../dialogs/Dialog.js"
import { parseUri } from "../headers/Uri.js"
import { header, type SipRequest } from "../message/Message.js"
import { unsupportedExtensions } from "../message/OptionTags.js"
import { sessionIn, sessionType } from "../session/SessionBody.js"
import type { StatelessResponse } from "../transactions/ServerTransactions.js"
import { methods } from "./AgentContext.js"

const methodNames: ReadonlySet<string> = new Set(methods)
/** Provisional responses are never sent reliably, but for none that may be left out, so that nothing is lacking (RFC 3262). */
const extensions = ["timer", "100rel"]

const isReachable = (uri: string): boolean => {
  const result = parseUri(uri)
  return Either.isRight(result) && result.right._tag !== "OtherUri"
}

const hasUnknownBody = (request: SipRequest): boolean => {
  if (request.body.length === 0) return false
  const encoding = header(request, "content-encoding")?.toLowerCase() ?? "identity"
  return encoding !== "identity" || sessionIn(request) === null
}

/**
 * Refusal of a request that this user agent cannot process, whatever its call; null for all others (RFC 3261, section
 * 8.2). Max-Forwards limits proxies alone: a request that has arrived is not refused for it.
 */
export const refusalOf = (request: SipRequest): StatelessResponse | null => {
  const { method } = request
  if (!methodNames.has(method)) return { status: 405, headers: [["allow", methods.join(", ")]] }
  const unknownExtensions = unsupportedExtensions(request, extensions)
  if (unknownExtensions.length > 0) return { status: 420, headers: [["unsupported", unknownExtensions.join(", ")]] }
  if (header(request, "to") !== undefined && !isReachable(request.uri)) return { status: 416 }
  if (method !== "INVITE" && method !== "UPDATE") return null
  if (hasUnknownBody(request)) {
    return { status: 415, headers: [["accept", sessionType], ["accept-encoding", "identity"]] }
  }
  return contactOf(request) === undefined ? { status: 400, phrase: "The request has no Contact header field" } : null
}
