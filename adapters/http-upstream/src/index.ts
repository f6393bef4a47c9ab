export { type Connections, type Exchange, type Hooks, type HttpRequest, makeConnections } from "./Connections.js"
export { type DeadlineTimer, makeDeadlineTimer } from "./DeadlineTimer.js"
export { exchange, ExchangeFailed, type WholeResponse } from "./ExchangeOnce.js"
export { type ReleaseSlot } from "./Gate.js"
export { skipInterimResponses } from "./InterimResponses.js"
export { type Timeouts, type UpstreamOptions } from "./Options.js"
export { defaultRetryAfter, retryAfter, statusError, type StatusErrorKind, statusErrorKind } from "./StatusError.js"
export {
  makeUpstream,
  type Upstream,
  type UpstreamBody,
  type UpstreamRequest,
  type UpstreamResponse
} from "./Upstream.js"
export {
  type NetworkError,
  networkErrorOf,
  networkUpstreamError,
  type UpstreamError,
  type UpstreamFailure
} from "./UpstreamError.js"
