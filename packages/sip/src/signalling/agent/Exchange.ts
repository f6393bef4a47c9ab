import { Effect, Either } from "effect"
import type { Routed } from "../dialogs/Dialog.js"
import { parseRetryAfter } from "../headers/Seconds.js"
import { header, type Headers, type SipRequest, type SipResponse } from "../message/Message.js"
import type { SipAddress } from "../transport/SipTransport.js"
import type { AgentContext } from "./AgentContext.js"
import type { Authorizer } from "./Authorizer.js"
import type { Hops } from "./Hops.js"
import { SipRequestFailed } from "./SipCall.js"

/** Seconds of Retry-After; null without one. */
export const retryAfterOf = (response: SipResponse): number | null =>
  Either.match(parseRetryAfter(header(response, "retry-after") ?? ""), {
    onLeft: () => null,
    onRight: ({ seconds }) => seconds
  })

/** Failure without a response. */
export const failedBecause = (
  kind: "timeout" | "transport" | "ended" | "overload",
  reason?: string
): SipRequestFailed =>
  new SipRequestFailed({ kind, status: null, retryAfter: null, ...(reason !== undefined && { reason }) })

/** Failure by a final response. */
export const refusedBy = (response: SipResponse): SipRequestFailed =>
  new SipRequestFailed({ kind: "refused", status: response.status, retryAfter: retryAfterOf(response) })

/** True for a 2xx. */
export const isSuccess = ({ status }: SipResponse): boolean => status >= 200 && status < 300

/** A request with further headers. */
export const withHeaders = (request: SipRequest, further: Headers): SipRequest =>
  further.length === 0 ? request : { ...request, headers: [...request.headers, ...further] }

/** Challenges of one request that are answered, those of proxies and stale ones included. */
const maxChallenges = 5

/** Sends a request other than INVITE and waits for its final response. It goes on when the waiting is interrupted. */
const sendOnce = (
  agent: AgentContext,
  request: SipRequest,
  address: SipAddress
): Effect.Effect<SipResponse, SipRequestFailed> =>
  Effect.async((resume) => {
    // A call ends however much there is to do.
    if (agent.isFull() && request.method !== "BYE") return resume(Effect.fail(failedBecause("overload")))
    agent.clients.request(request, address, {
      response: (response) => {
        if (response.status >= 200) resume(Effect.succeed(response))
      },
      onFailure: (why, reason) => resume(Effect.fail(failedBecause(why, why === "transport" ? reason : undefined)))
    })
  })

/**
 * Sends a request other than INVITE, with credentials when it is challenged, and returns its final response, whichever it
 * is. `build` makes the request anew for each try, with a CSeq number of its own.
 */
export const exchange = (
  agent: AgentContext,
  { authorizer, build, hops }: {
    readonly build: () => Routed
    readonly hops: Pick<Hops, "addressOf">
    readonly authorizer: Authorizer
  }
): Effect.Effect<SipResponse, SipRequestFailed> => {
  const attempt = (credentials: Headers | null, triesLeft: number): Effect.Effect<SipResponse, SipRequestFailed> =>
    Effect.suspend(() => {
      const { hop, request } = build()
      const outgoing = credentials === null ? authorizer.present(request) : withHeaders(request, credentials)
      return hops.addressOf(hop).pipe(
        Effect.mapError(() => failedBecause("transport")),
        Effect.flatMap((address) => sendOnce(agent, outgoing, address)),
        Effect.flatMap((response) => {
          const answer = triesLeft > 0 ? authorizer.answer(request, response) : null
          return answer === null ? Effect.succeed(response) : attempt(answer, triesLeft - 1)
        })
      )
    })
  return attempt(null, maxChallenges)
}
