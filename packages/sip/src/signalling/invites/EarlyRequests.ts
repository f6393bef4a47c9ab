import { type AgentContext, capabilities } from "../agent/AgentContext.js"
import { responseTo } from "../transactions/Responses.js"
import type { ServerTransaction } from "../transactions/ServerTransactions.js"

/**
 * Responds to a request of the other side while the call is not answered yet. Provisional responses are unreliable here, so
 * no offer can be made before the answer (RFC 3311, section 5.2); all else but questions belongs to no call.
 */
export const receiveEarly = (
  { product }: AgentContext,
  transaction: ServerTransaction,
  { contact, localTag }: { readonly localTag: string; readonly contact: string }
): void => {
  const { request } = transaction
  const isUpdate = request.method === "UPDATE"
  const isQuestion = request.method === "OPTIONS" || isUpdate && request.body.length === 0
  const status = isQuestion ? 200 : isUpdate ? 491 : 481
  const headers = isQuestion ? [["contact", contact] as const, ...capabilities(product)] : []
  transaction.respond(responseTo(request, status, { tag: localTag, headers }))
}
