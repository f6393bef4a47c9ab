export {
  type CallEnd,
  type CallHandlers,
  OfferRefused,
  RequestFailed,
  type SipCall,
  type TransferProgress
} from "./agent/SipCall.js"
export {
  answerChallenge,
  ChallengeRefused,
  type DigestChallenge,
  type DigestCredentials,
  type DigestRequest,
  type DigestState,
  presentCredentials,
  type PresentedCredentials
} from "./digest/DigestClient.js"
export type { DigestAlgorithm } from "./digest/DigestResponse.js"
export {
  type DigestServer,
  type DigestServerSettings,
  type DigestVerdict,
  makeDigestServer
} from "./digest/DigestServer.js"
export { type CSeq, parseCSeq, writeCSeq } from "./headers/CSeq.js"
export { type HostPort, isIpAddress } from "./headers/Host.js"
export { MalformedHeader } from "./headers/MalformedHeader.js"
export { type MediaType, parseMediaType } from "./headers/MediaType.js"
export { type NameAddr, parseNameAddr, tagOf, writeNameAddr } from "./headers/NameAddr.js"
export { param, type Params, quoteText, unquote, withoutParam, withParam } from "./headers/Params.js"
export { dialledNumber, phoneNumberOf } from "./headers/PhoneUri.js"
export {
  parseReferTo,
  parseSipFragment,
  type ReferTo,
  type ReportedStatus,
  sipFragmentType,
  writeReferTo,
  writeSipFragment
} from "./headers/Refer.js"
export { sameUri } from "./headers/SameUri.js"
export {
  parseMaxForwards,
  parseRetryAfter,
  parseSeconds,
  parseSessionExpires,
  type RetryAfter,
  type SessionExpires,
  writeSessionExpires
} from "./headers/Seconds.js"
export {
  escapeUser,
  type OtherUri,
  parseUri,
  type SipUri,
  type TelUri,
  unescapeUri,
  type Uri,
  writeUri
} from "./headers/Uri.js"
export { branchOf, parseVia, receivedOf, rportOf, type Via, writeVia } from "./headers/Via.js"
export { type AcceptOptions, type Admission, CallGone, type IncomingCall } from "./invites/IncomingCall.js"
export {
  type CallProgress,
  type Invitation,
  InviteFailed,
  type OutgoingCall,
  type Party,
  Rejected
} from "./invites/OutgoingCall.js"
export { type MessageLimits, messageLimits } from "./message/Limits.js"
export { MalformedMessage, type MalformedStatus } from "./message/MalformedMessage.js"
export { header, type Headers, headers, type SipMessage, type SipRequest, type SipResponse } from "./message/Message.js"
export { type Framed, makeMessageFramer, type MessageFramer } from "./message/MessageFramer.js"
export { namesIn, unsupportedExtensions } from "./message/OptionTags.js"
export { isKeepAlive, parseMessage } from "./message/ParseMessage.js"
export { networkCause, parseReason, type Reason, reasonsOf, writeReason } from "./message/Reason.js"
export { writeMessage } from "./message/WriteMessage.js"
export type { Registration, RegistrationOptions, RegistrationState } from "./registration/Registration.js"
export type { CryptoPair, MediaCrypto } from "./session/Crypto.js"
export { type Description, type LocalMedia, type LocalStream, makeOffer } from "./session/Description.js"
export {
  type Codec,
  type Direction,
  type MediaAddress,
  type Negotiated,
  receives,
  sends,
  SessionRefused
} from "./session/Media.js"
export { type Answered, answerOffer, readAnswer } from "./session/Negotiation.js"
export { sessionIn, sessionType } from "./session/SessionBody.js"
export { makeMemoryNetwork, type MemoryNetwork, type MemoryNetworkOptions } from "./transport/MemoryNetwork.js"
export {
  defaultPort,
  isReliable,
  isTransportProtocol,
  type Received,
  type SipAddress,
  type SipTarget,
  SipTransport,
  type TransportProtocol,
  Unresolved
} from "./transport/SipTransport.js"
export {
  makeUserAgent,
  type OptionsRequest,
  type UserAgent,
  type UserAgentCounts,
  type UserAgentOptions
} from "./UserAgent.js"
