import { alaw, frameSamples, makeG722Decoder, makeG722Encoder, mulaw } from "@trunkline/audio"
import { Effect, type Scope } from "effect"
import { packets } from "rtp.js"
import { openSocket } from "../UdpRelay.js"

/** The other side of a call: a bare socket whose packets are written and read by rtp.js. */
export interface RtpPeer {
  readonly port: number
  readonly rtcpPort: number
  /** Port that the latest packet came from; 0 before one. */
  readonly senderPort: () => number
  /** Begins to send to a port. */
  readonly sendTo: (port: number) => void
  /** Sends the next 20 ms, unless it holds the call. */
  readonly tick: () => void
  readonly say: (samples: Float32Array) => void
  readonly press: (digit: string) => void
  /** Stops sending, or goes on. */
  readonly pause: (on: boolean) => void
  /** All sound that arrived, put together by its timestamps. */
  readonly recording: () => Float32Array
  /** Keys that arrived as telephone events. */
  readonly pressed: () => string
  /** Packets that arrived, in order. */
  readonly received: ReadonlyArray<packets.RtpPacket>
  /** Compound packets of RTCP that arrived. */
  readonly reports: ReadonlyArray<packets.CompoundPacket>
  /** Changes the codec; a peer begins with mu-law. With G.722 it says and records samples at 16,000 Hz. */
  readonly setCodec: (codec: "mulaw" | "alaw" | "g722") => void
  /** Changes the payload types of what it sends and of what it takes; a peer begins with 0, 8 and 101 both ways. */
  readonly renumber: (types: Partial<PeerTypes>) => void
}

/** Payload types of a peer, which may differ by the direction. */
export interface PeerTypes {
  readonly sentKeys: number
  readonly takenKeys: number
  /** Payload type of the sound that it takes; null for that of its codec. */
  readonly takenSound: number | null
}

const keySymbols = "0123456789*#ABCD"

const bytesOf = (view: DataView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Codecs of a peer: samples for each unit of the timestamp, and a coder for each direction of a stream. */
const codecs = {
  mulaw: { payloadType: 0, scale: 1, encoder: () => mulaw.encode, decoder: () => mulaw.decode },
  alaw: { payloadType: 8, scale: 1, encoder: () => alaw.encode, decoder: () => alaw.decode },
  g722: {
    payloadType: 9,
    scale: 2,
    encoder: () => {
      const { encode } = makeG722Encoder()
      return (samples: Float32Array) => {
        const bytes = new Uint8Array(samples.length / 2)
        encode(samples, bytes, 0)
        return bytes
      }
    },
    decoder: () => {
      const { decode } = makeG722Decoder()
      return (bytes: Uint8Array) => {
        const samples = new Float32Array(2 * bytes.length)
        decode(bytes, 0, bytes.length, samples, 0)
        return samples
      }
    }
  }
}

/** Opens a peer on two ports of 127.0.0.1, which are closed with the scope. */
export const openPeer: Effect.Effect<RtpPeer, never, Scope.Scope> = Effect.gen(function*() {
  const rtp = yield* openSocket()
  const rtcp = yield* openSocket()
  const received: Array<packets.RtpPacket> = []
  const reports: Array<packets.CompoundPacket> = []
  let codec: typeof codecs[keyof typeof codecs] = codecs.mulaw
  let encode = codec.encoder()
  let waiting: ReadonlyArray<number> = []
  let key: { readonly event: number; readonly timestamp: number; tick: number } | null = null
  let target = 0
  let senderPort = 0
  let sequence = 65_530
  let timestamp = 0xFFFF_F000
  let isPaused = false
  let types: PeerTypes = { sentKeys: 101, takenKeys: 101, takenSound: null }

  rtp.on("message", (bytes, { port }) => {
    senderPort = port
    received.push(new packets.RtpPacket(viewOf(bytes)))
  })
  rtcp.on("message", (bytes) => reports.push(new packets.CompoundPacket(viewOf(bytes))))

  const send = (payloadType: number, at: number, payload: Uint8Array): void => {
    const packet = new packets.RtpPacket()
    packet.setPayloadType(payloadType)
    packet.setSequenceNumber(sequence)
    packet.setTimestamp(at >>> 0)
    packet.setSsrc(4_711)
    packet.setPayload(viewOf(payload.slice()))
    packet.serialize()
    sequence = (sequence + 1) & 0xFFFF
    rtp.send(bytesOf(packet.getView()), target, "127.0.0.1")
  }

  const sendKey = (): void => {
    if (key === null) return
    key.tick += 1
    const isEnd = key.tick > 6
    const duration = Math.min(6, key.tick) * frameSamples
    send(types.sentKeys, key.timestamp, Uint8Array.of(key.event, isEnd ? 0x8A : 10, duration >> 8, duration))
    if (key.tick === 9) key = null
  }

  const sounds = () => received.filter((packet) => packet.getPayloadType() === (types.takenSound ?? codec.payloadType))

  return {
    port: rtp.address().port,
    rtcpPort: rtcp.address().port,
    senderPort: () => senderPort,
    sendTo: (port) => {
      target = port
    },
    tick: () => {
      if (target === 0 || isPaused) return
      if (key !== null) sendKey()
      else {
        const frame = Float32Array.from({ length: codec.scale * frameSamples }, (_, at) => waiting[at] ?? 0)
        waiting = waiting.slice(frame.length)
        send(codec.payloadType, timestamp, encode(frame))
      }
      timestamp += frameSamples
    },
    say: (samples) => {
      waiting = [...waiting, ...samples]
    },
    press: (digit) => {
      key = { event: keySymbols.indexOf(digit), timestamp, tick: 0 }
    },
    pause: (on) => {
      isPaused = on
    },
    recording: () => {
      const first = sounds()[0]?.getTimestamp() ?? 0
      const decode = codec.decoder()
      const parts = sounds().map((packet) => ({
        at: codec.scale * ((packet.getTimestamp() - first) >>> 0),
        samples: decode(bytesOf(packet.getPayload()))
      }))
      const whole = new Float32Array(Math.max(0, ...parts.map(({ at, samples }) => at + samples.length)))
      for (const { at, samples } of parts) whole.set(samples, at)
      return whole
    },
    pressed: () => {
      const timestamps = new Set<number>()
      return received.filter((packet) => packet.getPayloadType() === types.takenKeys).map((packet) => {
        if (timestamps.has(packet.getTimestamp())) return ""
        timestamps.add(packet.getTimestamp())
        return keySymbols[bytesOf(packet.getPayload())[0] ?? 99] ?? ""
      }).join("")
    },
    received,
    reports,
    setCodec: (changed) => {
      codec = codecs[changed]
      encode = codec.encoder()
    },
    renumber: (changed) => {
      types = { ...types, ...changed }
    }
  }
})
