export {
  type Hooks,
  type HttpConnections,
  makeConnections,
  type OutgoingRequest,
  type UpstreamExchange
} from "./upstream/Connections.js"
export { type DeadlineTimer, makeDeadlineTimer } from "./upstream/DeadlineTimer.js"
export { exchange, ExchangeFailed, type WholeResponse } from "./upstream/ExchangeOnce.js"
export { type ReleaseSlot } from "./upstream/Gate.js"
export { skipInterimResponses } from "./upstream/InterimResponses.js"
export { type Timeouts, type UpstreamOptions } from "./upstream/Options.js"
export {
  defaultRetryAfter,
  type FaultReader,
  passingFaults,
  type ProviderFault,
  type StatusErrorKind
} from "./upstream/ProviderFault.js"
export { faultError, retryAfter, statusError, statusErrorKind } from "./upstream/StatusError.js"
export {
  makeUpstream,
  type Upstream,
  type UpstreamBody,
  type UpstreamRequest,
  type UpstreamResponse
} from "./upstream/Upstream.js"
export {
  type NetworkError,
  networkErrorOf,
  networkUpstreamError,
  type UpstreamError,
  type UpstreamFailure
} from "./upstream/UpstreamError.js"
