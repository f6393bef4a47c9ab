/** Why an incoming call, or a request within it, is refused. */
export type Refusal =
  /** Its source is neither allowed nor proves by digest who it is. */
  | "forbidden"
  /** Its source sends more calls than it may. */
  | "too_many"
  | "no_deployment"
  | "deployment_paused"
  | "outside_schedule"
  | "no_capacity"
  /** This process is too busy to carry another call in time. */
  | "overloaded"
  /** No codec, or no kind of media, that we can carry. */
  | "unusable_media"
  | "shutting_down"
  | "internal"

/** Response to a refused call. */
export interface RefusalResponse {
  readonly status: number
  readonly reason: string
  /** Seconds of the `Retry-After` header; null for none. */
  readonly retryAfter: number | null
}

const response = (status: number, reason: string, retryAfter: number | null = null): RefusalResponse => ({
  status,
  reason,
  retryAfter
})

/**
 * Responses to refused calls. A call that lacks digest credentials is challenged with 401, and requests that the user agent
 * does not support are refused by it: 405, 415, 420, 481, 501 and 513.
 */
const responses: Readonly<Record<Refusal, RefusalResponse>> = {
  forbidden: response(403, "Forbidden"),
  too_many: response(503, "Service Unavailable", 10),
  no_deployment: response(404, "Not Found"),
  deployment_paused: response(480, "Temporarily Unavailable"),
  outside_schedule: response(480, "Temporarily Unavailable"),
  no_capacity: response(486, "Busy Here"),
  overloaded: response(503, "Service Unavailable", 5),
  unusable_media: response(488, "Not Acceptable Here"),
  shutting_down: response(503, "Service Unavailable"),
  internal: response(500, "Server Internal Error")
}

const isRefusal = (reason: string): reason is Refusal => Object.hasOwn(responses, reason)

/** The response to a refused call; reasons that the table does not know are `internal`. */
export const refusalResponse = (reason: string): RefusalResponse => responses[isRefusal(reason) ? reason : "internal"]
