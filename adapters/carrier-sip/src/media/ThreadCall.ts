// States of a call in the media thread: open; early, after `overhear`, which hears and sends nothing; negotiated, which hears and
// sends a frame each tick, whose rate stays that of its first description; closed, after a BYE of RTCP. Sound to play has a
// generation, which `clear` of the main thread raises in shared memory: older sound is dropped before the next frame.

import { frameSamples, makePlayout } from "@trunkline/audio"
import { isRtcp, makeRtcpExchange } from "@trunkline/sip"
import type { Socket } from "node:dgram"
import { type CallStreams, makeCallStreams } from "./CallStreams.js"
import { makeEncryption } from "./Encryption.js"
import { makeFigures } from "./Figures.js"
import type { FrameKind } from "./frames/FrameRing.js"
import { countLateness } from "./Lateness.js"
import { isOnHold, type MediaDescription, rateOf } from "./Media.js"
import type { PortPair } from "./PortPair.js"
import {
  acknowledgeClear,
  claimPlayed,
  generationOf,
  latenessOf,
  markArrival,
  type SharedCall
} from "./shared/SharedCall.js"
import { type SharedCodes, writeCodes } from "./shared/SharedCodes.js"
import { countRefused, countSent, type SharedGauges } from "./shared/SharedGauges.js"
import { type EarlyReceiver, makeEarlyReceiver } from "./sources/EarlyReceiver.js"
import { makeRemoteLatch } from "./sources/RemoteLatch.js"

/** A call in the media thread. */
export interface ThreadCall {
  readonly negotiate: (description: MediaDescription) => void
  /** Hears the sound before the answer; does nothing after it. */
  readonly overhear: (description: MediaDescription) => void
  readonly play: (samples: Float32Array, mark: number | undefined, generation: number) => void
  /** Writes the codes of both sides from now on. */
  readonly tap: (codes: SharedCodes) => void
  readonly press: (digits: string) => void
  /** Sends and plays what is due at a time. */
  readonly tick: (deadline: number) => void
  /** Lets ticks pass without sending. */
  readonly skip: (ticks: number, deadline: number) => void
  /** Says goodbye, and settles when both ports are closed. */
  readonly close: () => Promise<void>
}

/** Receives what a call hears. */
export interface CallOutput {
  /** The samples are valid only during the call. */
  readonly onFrame: (samples: Float32Array, kind: FrameKind) => void
  readonly onReached: (mark: number, generation: number) => void
  readonly onPressed: (digit: string) => void
}

/** Parts of a call in the media thread. */
export interface ThreadCallOptions extends CallOutput {
  readonly ports: PortPair
  readonly shared: SharedCall
  readonly gauges: SharedGauges
  readonly clock: () => number
  /** Numbers from 0 up to 1. */
  readonly random: () => number
}

/** Frames that are filled in at most after a standstill: a second. */
const maxSkip = 50

/** Mean interval of reports in milliseconds (RFC 3550, section 6.2); each is half to one and a half as long. */
const reportMillis = 5_000

/** Ticks between two publications of the figures of a call. */
const publishInterval = 10

const noError = () => undefined

const closeSocket = (socket: Socket) => new Promise<void>((resolve) => socket.close(resolve))

/** Makes a call over a pair of ports. Nothing happens before it is negotiated. */
export const makeThreadCall = (options: ThreadCallOptions): ThreadCall => {
  const { clock, gauges, onFrame, onPressed, onReached, ports, random, shared } = options
  const { rtcp, rtp } = ports
  const uint32 = () => Math.floor(random() * 2 ** 32)
  const ssrc = uint32()
  const reports = makeRtcpExchange({ ssrc, cname: `${uint32().toString(36)}${uint32().toString(36)}` })
  const latch = makeRemoteLatch()
  const reportLatch = makeRemoteLatch()
  const encryption = makeEncryption()
  // Counts samples only, so that it is the same at any rate.
  const playout = makePlayout({ rate: 8_000 })
  const lateness = latenessOf(shared)
  const publish = makeFigures(shared, gauges)
  let description: MediaDescription | null = null
  /** Announcements are heard with a narrow band, whatever their codec. */
  const earlyFrame = new Float32Array(frameSamples)
  let codes: SharedCodes | null = null
  let streams: CallStreams | null = null
  let early: EarlyReceiver | null = null
  let generation = 0
  let deadline = 0
  let reportAt = 0
  let ticks = 0

  const send = (packet: Uint8Array): void => {
    const remote = latch.remote
    const sealedBytes = remote === null ? null : encryption.seal(packet)
    if (remote === null || sealedBytes === null) return
    // Without a callback, which costs a turn of the microtasks: a packet that cannot be sent is a lost packet.
    rtp.send(sealedBytes, remote.port, remote.host)
    const now = clock()
    countLateness(lateness, now - deadline)
    countSent(gauges, now, now - deadline)
  }

  const readReport = (bytes: Uint8Array): void => {
    if (reports.read(bytes, Date.now())) markArrival(shared, clock())
  }

  rtp.on("message", (receivedBytes, { address, port }) => {
    const now = clock()
    // A source is taken only once it has proven that it has the key.
    const bytes = encryption.open(receivedBytes)
    if (early !== null) return bytes === null ? undefined : early.push(bytes, { host: address, port }, now)
    if (bytes === null || !latch.accepts(address, port, now)) {
      if (description !== null) countRefused(gauges)
      return
    }
    if (isRtcp(bytes)) return readReport(bytes)
    if (streams?.receiver.push(bytes, now) === true) markArrival(shared, now)
  })

  rtcp.on("message", (receivedBytes, { address, port }) => {
    const bytes = encryption.open(receivedBytes)
    if (bytes === null) return
    if (address === latch.remote?.host || reportLatch.accepts(address, port, clock())) readReport(bytes)
  })

  const sendReport = ({ receiver, sender }: CallStreams, bye: boolean): void => {
    const { packets, octets, timestamp } = sender
    const remote = reportLatch.remote
    if (remote === null) return
    const bytes = reports.write({
      now: Date.now(),
      sent: packets === 0 ? null : { packets, octets, timestamp },
      received: receiver.report(),
      bye
    })
    const sealedBytes = encryption.sealReport(bytes)
    if (sealedBytes !== null) rtcp.send(sealedBytes, 0, sealedBytes.length, remote.port, remote.host, noError)
  }

  const takeClear = (): void => {
    if (!acknowledgeClear(shared)) return
    generation = generationOf(shared)
    playout.clear()
  }

  /** Fills the next frame to send, and reports its marks, unless the sound was cleared meanwhile. Returns true for some sound. */
  const nextSound = ({ output }: CallStreams): boolean => {
    takeClear()
    const from = playout.position
    const marks = playout.next(output)
    if (claimPlayed(shared, from, playout.position)) {
      for (const mark of marks) onReached(mark, generation)
      return playout.position > from
    }
    takeClear()
    output.fill(0)
    return false
  }

  /** Hears a frame, beside which `sent` was sent; null for silence. */
  const hear = ({ input, receiver, sender }: CallStreams, now: number, sent: Float32Array | null): void => {
    const isConcealed = receiver.pop(now, input)
    if (description === null || isOnHold(description)) return
    if (codes !== null && input.length === frameSamples) {
      writeCodes(codes, input, sent === null ? null : { samples: sent, codes: sender.lastCodes })
    }
    onFrame(input, { isConcealed, isEarly: false })
  }

  const followUp = (both: CallStreams, sent: Float32Array | null, now: number): void => {
    hear(both, now, sent)
    if (now >= reportAt) {
      if (reportAt > 0) sendReport(both, false)
      reportAt = now + reportMillis * (0.5 + random())
    }
    ticks += 1
    if (ticks % publishInterval === 0) publish(both, reports)
  }

  return {
    negotiate: (changedDescription) => {
      description = changedDescription
      early = null
      encryption.use(changedDescription.srtp)
      const { codec, natLatch, packetMillis, payloadType, remoteHost, remotePort, remoteRtcpPort } = changedDescription
      const { received, telephoneEvent } = changedDescription
      const now = clock()
      streams ??= makeCallStreams({ rate: rateOf(changedDescription), ssrc, uint32, onKey: onPressed, send })
      latch.expect({ place: { host: remoteHost, port: remotePort }, anyHost: natLatch, now })
      reportLatch.expect({ place: { host: remoteHost, port: remoteRtcpPort }, anyHost: natLatch, now })
      streams.receiver.setFormats({ sounds: received, telephoneEvent: telephoneEvent?.received ?? null })
      streams.sender.setFormats({ codec, payloadType, telephoneEvent: telephoneEvent?.sent ?? null, packetMillis })
    },
    overhear: (earlyMedia) => {
      if (description !== null) return
      encryption.use(earlyMedia.srtp)
      early = makeEarlyReceiver(earlyMedia, clock())
    },
    play: (samples, mark, since) => {
      takeClear()
      if (since === generation) playout.enqueue(samples, mark)
    },
    tap: (sharedCodes) => {
      codes = sharedCodes
    },
    press: (digits) => streams?.sender.press(digits),
    tick: (due) => {
      if (description === null || streams === null) {
        const isConcealed = early?.pop(due, earlyFrame) ?? null
        if (isConcealed !== null) onFrame(earlyFrame, { isConcealed, isEarly: true })
        return
      }
      deadline = due
      const { output, sender } = streams
      let sent: Float32Array | null = null
      if (isOnHold(description)) sender.skip()
      else if (sender.isPressing) sender.tick(null)
      else {
        sent = nextSound(streams) ? output : null
        sender.tick(output)
      }
      followUp(streams, sent, due)
    },
    skip: (count, last) => {
      if (description === null || streams === null) return
      streams.sender.skip(count)
      for (let back = Math.min(count, maxSkip) - 1; back >= 0; back--) hear(streams, last - 20 * back, null)
    },
    close: async () => {
      if (streams !== null) {
        sendReport(streams, true)
        publish(streams, reports)
      }
      await Promise.all([closeSocket(rtp), closeSocket(rtcp)])
    }
  }
}
