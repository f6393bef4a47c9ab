export { type Admission, CallGone, type IncomingCall } from "./agent/IncomingCall.js"
export {
  type CallProgress,
  type Credentials,
  type Invitation,
  InviteFailed,
  type OutgoingCall,
  type Party,
  Rejected
} from "./agent/OutgoingCall.js"
export {
  type CallEnd,
  type CallHandlers,
  OfferRefused,
  RequestFailed,
  type SipCall,
  type TransferProgress
} from "./agent/SipCall.js"
export {
  makeUserAgent,
  type OptionsRequest,
  type UserAgent,
  type UserAgentCounts,
  type UserAgentOptions
} from "./agent/UserAgent.js"
export { header, type Headers, headers, type SipMessage, type SipRequest, type SipResponse } from "./message/Message.js"
export type { Registration, RegistrationOptions, RegistrationState } from "./registration/Registration.js"
export {
  isReliable,
  type Received,
  type SipAddress,
  type SipTarget,
  SipTransport,
  type TransportProtocol,
  Unresolved
} from "./transport/SipTransport.js"
