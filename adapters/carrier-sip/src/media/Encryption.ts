import { isRtcp } from "@trunkline/sip"
import { makeSrtpReceiver, makeSrtpSender, type SrtpReceiver, type SrtpSender, srtpTrailerBytes } from "../srtp/Srtp.js"
import type { SrtpKey } from "../srtp/SrtpKey.js"
import type { MediaDescription } from "./Media.js"

/** Encryption of the packets of a call, as far as it has keys. */
export interface Encryption {
  /** Takes keys into use. A direction whose key stays goes on with its state, or its keystream would repeat. */
  readonly use: (keys: MediaDescription["srtp"]) => void
  /** Packet to send; null when it cannot be. Its bytes may be overwritten after three more packets. */
  readonly seal: (packet: Uint8Array) => Uint8Array | null
  /** Report to send; null when it cannot be. */
  readonly sealReport: (report: Uint8Array) => Uint8Array | null
  /** Packet or report that came, decrypted in its own bytes; null when it is not taken. */
  readonly open: (bytes: Uint8Array) => Uint8Array | null
}

/** Packets whose memory is used in turns: a socket may still read the last one. */
const bufferCount = 4

const isSameKey = (one: SrtpKey, other: SrtpKey): boolean =>
  one.suite === other.suite && one.master.every((byte, index) => byte === other.master[index])

/** Makes the encryption of a call, which has no keys at first. */
export const makeEncryption = (): Encryption => {
  const buffers = Array.from({ length: bufferCount }, () => new Uint8Array())
  let outbound: { readonly key: SrtpKey; readonly sender: SrtpSender } | null = null
  let inbound: { readonly key: SrtpKey; readonly receiver: SrtpReceiver } | null = null
  let turn = 0

  const bufferFor = (length: number): Uint8Array => {
    const slot = turn % bufferCount
    turn += 1
    const existing = buffers[slot]
    if (existing !== undefined && existing.length >= length) return existing
    const buffer = new Uint8Array(length)
    buffers[slot] = buffer
    return buffer
  }

  return {
    use: (keys) => {
      if (keys === null) {
        outbound = inbound = null
        return
      }
      if (outbound === null || !isSameKey(outbound.key, keys.sent)) {
        outbound = { key: keys.sent, sender: makeSrtpSender(keys.sent) }
      }
      if (inbound === null || !isSameKey(inbound.key, keys.received)) {
        inbound = { key: keys.received, receiver: makeSrtpReceiver(keys.received) }
      }
    },
    seal: (packet) => {
      if (outbound === null) return packet
      const into = bufferFor(packet.length + srtpTrailerBytes)
      const length = outbound.sender.protectRtp(packet, packet.length, into)
      return typeof length === "number" ? into.subarray(0, length) : null
    },
    sealReport: (report) => {
      if (outbound === null) return report
      const into = new Uint8Array(report.length + srtpTrailerBytes)
      const length = outbound.sender.protectRtcp(report, report.length, into)
      return typeof length === "number" ? into.subarray(0, length) : null
    },
    open: (bytes) => {
      if (inbound === null) return bytes
      const { unprotectRtcp, unprotectRtp } = inbound.receiver
      const length = (isRtcp(bytes) ? unprotectRtcp : unprotectRtp)(bytes, bytes.length, bytes)
      return typeof length === "number" ? bytes.subarray(0, length) : null
    }
  }
}
