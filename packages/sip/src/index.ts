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
export { type CSeq, parseCSeq, writeCSeq } from "./headers/CSeq.js"
export type { HostPort } from "./headers/Host.js"
export { MalformedHeader } from "./headers/MalformedHeader.js"
export { type NameAddr, parseNameAddr, tagOf, writeNameAddr } from "./headers/NameAddr.js"
export { param, type Params, quoteText, unquote, withoutParam, withParam } from "./headers/Params.js"
export { branchOf, parseVia, receivedOf, rportOf, type Via, writeVia } from "./headers/Via.js"
export { type MessageLimits, messageLimits } from "./message/Limits.js"
export { MalformedMessage, type MalformedStatus } from "./message/MalformedMessage.js"
export { header, type Headers, headers, type SipMessage, type SipRequest, type SipResponse } from "./message/Message.js"
export { type Framed, makeMessageFramer, type MessageFramer } from "./message/MessageFramer.js"
export { isKeepAlive, parseMessage } from "./message/ParseMessage.js"
export { writeMessage } from "./message/WriteMessage.js"
export type { Registration, RegistrationOptions, RegistrationState } from "./registration/Registration.js"
export { makeMemoryNetwork, type MemoryNetwork, type MemoryNetworkOptions } from "./transport/MemoryNetwork.js"
export {
  isReliable,
  type Received,
  type SipAddress,
  type SipTarget,
  SipTransport,
  type TransportProtocol,
  Unresolved
} from "./transport/SipTransport.js"
