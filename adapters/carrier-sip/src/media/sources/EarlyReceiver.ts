import { isRtcp, makeRtpReceiver } from "@trunkline/sip"
import type { MediaDescription } from "../Media.js"
import { makeRemoteLatch, type Place } from "./RemoteLatch.js"

/** Sound of one provisional response. It has a latch and a buffer of its own, so that the answer begins without it. */
export interface EarlyReceiver {
  /** Takes a packet. Reports, keys and packets of other sources are passed over. */
  readonly push: (bytes: Uint8Array, source: Place, now: number) => void
  /** Fills a frame. Returns true when it is concealed, and null before the first packet: then there is no frame. */
  readonly pop: (now: number, frame: Float32Array) => boolean | null
}

/** Makes a receiver of the sound that a provisional response describes. */
export const makeEarlyReceiver = (description: MediaDescription, now: number): EarlyReceiver => {
  const { natLatch, received, remoteHost, remotePort, telephoneEvent } = description
  const latch = makeRemoteLatch()
  latch.expect({ place: { host: remoteHost, port: remotePort }, anyHost: natLatch, now })
  const receiver = makeRtpReceiver({
    formats: { sounds: received, telephoneEvent: telephoneEvent?.received ?? null },
    onKey: () => {}
  })
  let hasArrived = false

  return {
    push: (bytes, { host, port }, now) => {
      if (!latch.accepts(host, port, now) || isRtcp(bytes)) return
      hasArrived = receiver.push(bytes, now) || hasArrived
    },
    pop: (now, frame) => hasArrived ? receiver.pop(now, frame) : null
  }
}
