export { type KeyTimes } from "./keys/KeySender.js"
export type { RtpCodec, SoundRate } from "./packets/RtpCodec.js"
export {
  emptyRtpPacket,
  isRtcp,
  readRtp,
  RTP_HEADER_BYTES,
  type RtpHeader,
  type RtpPacket,
  writeRtp,
  writeRtpHeader
} from "./packets/RtpPacket.js"
export { type JitterBuffer, type JitterBufferOptions, makeJitterBuffer } from "./receive/JitterBuffer.js"
export { type ReceptionReport } from "./receive/Reception.js"
export {
  makeRtpReceiver,
  type ReceivedFormats,
  type ReceiverStatistics,
  type RtpReceiver,
  type RtpReceiverOptions
} from "./receive/RtpReceiver.js"
export { makeRtcpExchange, type RtcpExchange } from "./rtcp/RtcpExchange.js"
export {
  readRtcp,
  type ReportBlock,
  type RtcpContents,
  type RtcpReport,
  type SenderReport,
  writeRtcp
} from "./rtcp/RtcpPacket.js"
export { makeRtpSender, type RtpSender, type RtpSenderOptions, type SentFormats } from "./send/RtpSender.js"
