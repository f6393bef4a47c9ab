export { type KeyTimes } from "./media/keys/KeySender.js"
export type { RtpCodec, SoundRate } from "./media/packets/RtpCodec.js"
export {
  emptyRtpPacket,
  isRtcp,
  readRtp,
  type RtpHeader,
  rtpHeaderBytes,
  type RtpPacket,
  writeRtp,
  writeRtpHeader
} from "./media/packets/RtpPacket.js"
export { type JitterBuffer, type JitterBufferOptions, makeJitterBuffer } from "./media/receive/JitterBuffer.js"
export { type ReceptionReport } from "./media/receive/Reception.js"
export {
  makeRtpReceiver,
  type ReceivedFormats,
  type ReceiverStatistics,
  type RtpReceiver,
  type RtpReceiverOptions
} from "./media/receive/RtpReceiver.js"
export { makeRtcpExchange, type RtcpExchange } from "./media/rtcp/RtcpExchange.js"
export {
  readRtcp,
  type ReportBlock,
  type RtcpContents,
  type RtcpReport,
  type SenderReport,
  writeRtcp
} from "./media/rtcp/RtcpPacket.js"
export {
  makeRtpSender,
  type RtpSender,
  type RtpSenderOptions,
  type SentCodes,
  type SentFormats
} from "./media/send/RtpSender.js"
export {
  type CallEnd,
  type CallHandlers,
  OfferRefused,
  type SipCall,
  SipRequestFailed,
  type TransferProgress
} from "./signalling/agent/SipCall.js"
export {
  answerChallenge,
  ChallengeRefused,
  type DigestChallenge,
  type DigestCredentials,
  type DigestRequest,
  type DigestState,
  presentCredentials,
  type PresentedCredentials
} from "./signalling/digest/DigestClient.js"
export type { DigestAlgorithm } from "./signalling/digest/DigestResponse.js"
export {
  type DigestServer,
  type DigestServerSettings,
  type DigestVerdict,
  makeDigestServer
} from "./signalling/digest/DigestServer.js"
export { type CSeq, parseCSeq, writeCSeq } from "./signalling/headers/CSeq.js"
export { type HostPort, isIpAddress } from "./signalling/headers/Host.js"
export { MalformedHeader } from "./signalling/headers/MalformedHeader.js"
export { type MediaType, parseMediaType } from "./signalling/headers/MediaType.js"
export { type NameAddr, parseNameAddr, tagOf, writeNameAddr } from "./signalling/headers/NameAddr.js"
export { param, type Params, quoteText, unquote, withParam } from "./signalling/headers/Params.js"
export { dialledNumber, phoneNumberOf } from "./signalling/headers/PhoneUri.js"
export {
  parseReferTo,
  parseSipFragment,
  type ReferTo,
  type ReportedStatus,
  sipFragmentType,
  writeReferTo,
  writeSipFragment
} from "./signalling/headers/Refer.js"
export { sameUri } from "./signalling/headers/SameUri.js"
export {
  parseRetryAfter,
  parseSeconds,
  parseSessionExpires,
  type RetryAfter,
  type SessionExpires,
  writeSessionExpires
} from "./signalling/headers/Seconds.js"
export {
  type OtherUri,
  parseUri,
  type SipUri,
  type TelUri,
  unescapeUri,
  type Uri,
  writeUri
} from "./signalling/headers/Uri.js"
export { branchOf, parseVia, type Via, writeVia } from "./signalling/headers/Via.js"
export {
  type AcceptOptions,
  CallGone,
  type IncomingCall,
  type RequestDecision
} from "./signalling/invites/IncomingCall.js"
export {
  type Invitation,
  InviteFailed,
  type OutgoingCall,
  type Party,
  type ProvisionalResponse,
  Rejected
} from "./signalling/invites/OutgoingCall.js"
export { type MessageLimits, messageLimits } from "./signalling/message/Limits.js"
export { MalformedMessage, type MalformedStatus } from "./signalling/message/MalformedMessage.js"
export {
  header,
  type Headers,
  headers,
  type SipMessage,
  type SipRequest,
  type SipResponse
} from "./signalling/message/Message.js"
export { type Framed, makeMessageFramer, type MessageFramer } from "./signalling/message/MessageFramer.js"
export { namesIn, unsupportedExtensions } from "./signalling/message/OptionTags.js"
export { isKeepAlive, parseMessage } from "./signalling/message/ParseMessage.js"
export { networkCause, parseReason, type Reason, reasonsOf, writeReason } from "./signalling/message/Reason.js"
export { writeMessage } from "./signalling/message/WriteMessage.js"
export type { Registration, RegistrationOptions, RegistrationState } from "./signalling/registration/Registration.js"
export type { CryptoPair, MediaCrypto } from "./signalling/session/Crypto.js"
export {
  type LocalMedia,
  type LocalStream,
  makeOffer,
  type SessionDescription
} from "./signalling/session/Description.js"
export {
  type Codec,
  type Direction,
  type MediaAddress,
  type Negotiated,
  receives,
  sends,
  SessionRefused
} from "./signalling/session/Media.js"
export { type Answered, answerOffer, readAnswer } from "./signalling/session/Negotiation.js"
export { sessionIn, sessionType } from "./signalling/session/SessionBody.js"
export {
  makeMemoryNetwork,
  type MemoryNetwork,
  type MemoryNetworkOptions
} from "./signalling/transport/MemoryNetwork.js"
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
} from "./signalling/transport/SipTransport.js"
export {
  makeUserAgent,
  type OptionsRequest,
  type UserAgent,
  type UserAgentCounts,
  type UserAgentOptions
} from "./signalling/UserAgent.js"
