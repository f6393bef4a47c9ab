import { alaw } from "@trunkline/audio"
import { writeRtp } from "@trunkline/sip"

/** A packet on its way: what it is made of, and when it arrives. */
export interface Travelling {
  readonly bytes: Uint8Array
  /** Milliseconds after the start. */
  readonly arrival: number
  /** Number of the packet in the stream. */
  readonly index: number
}

/** A source of numbers from 0 up to 1, the same for the same seed (mulberry32). */
export const seeded = (seed: number): () => number => {
  let state = seed
  return () => {
    state = (state + 0x6D2B79F5) | 0
    let mixed = Math.imul(state ^ state >>> 15, 1 | state)
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32
  }
}

/** Numbers of a stream's packets. */
export interface StreamOptions {
  readonly ssrc?: number
  readonly sequence?: number
  readonly timestamp?: number
  /** Samples of a packet; 160 by default. */
  readonly packetSamples?: number
  /** Time at which the first packet is sent. */
  readonly start?: number
}

/** Packets of a sound in A-law, sent at their times. */
export const packetsOf = (
  sound: Float32Array,
  { packetSamples = 160, sequence = 65_500, ssrc = 7, start = 0, timestamp = 0xFFFF_F000 }: StreamOptions = {}
): ReadonlyArray<Travelling> => {
  const codes = alaw.encode(sound)
  return Array.from({ length: Math.floor(codes.length / packetSamples) }, (_, index) => ({
    bytes: writeRtp({
      payloadType: 8,
      marker: index === 0,
      sequence: (sequence + index) & 0xFFFF,
      timestamp: (timestamp + index * packetSamples) >>> 0,
      ssrc
    }, codes.subarray(index * packetSamples, (index + 1) * packetSamples)),
    arrival: start + index * packetSamples / 8,
    index
  }))
}

/** Network that delays, loses and doubles packets. */
export interface Network {
  readonly seed: number
  /** Longest additional delay of a packet, in milliseconds. */
  readonly jitter?: number
  /** Shares of packets. */
  readonly loss?: number
  readonly doubling?: number
}

/** Packets as they arrive, in order of their arrival. */
export const through = (
  packets: ReadonlyArray<Travelling>,
  { doubling = 0, jitter = 0, loss = 0, seed }: Network
): ReadonlyArray<Travelling> => {
  const random = seeded(seed)
  return packets.flatMap((packet) => {
    if (random() < loss) return []
    const arrived = { ...packet, arrival: packet.arrival + random() * jitter }
    return random() < doubling ? [arrived, { ...arrived, arrival: arrived.arrival + random() * 30 }] : [arrived]
  }).toSorted((left, right) => left.arrival - right.arrival)
}

/** A voice at a pitch: a tone with harmonics, and pauses of a second in every three. */
export const voice = (millis: number, hertz = 125): Float32Array =>
  Float32Array.from({ length: millis * 8 }, (_, at) => {
    if (at % 24_000 >= 16_000) return 0
    const phase = 2 * Math.PI * hertz * at / 8_000
    return 0.3 * Math.sin(phase) + 0.15 * Math.sin(2 * phase) + 0.1 * Math.sin(3 * phase)
  })

/** The 128 levels above zero of A-law, from the quietest to the loudest. */
const levels = alaw.decode(Uint8Array.from({ length: 128 }, (_, step) => 0xD5 ^ step))

/** A sound whose samples tell their time: 128 steps of 250 samples, again and again. */
export const staircase = (millis: number): Float32Array =>
  Float32Array.from({ length: millis * 8 }, (_, at) => levels[Math.floor(at / 250) % 128] ?? 0)

/** Step of the staircase that has a level; undefined for levels between them. */
export const stepOf = (level: number): number | undefined => {
  const step = levels.indexOf(level)
  return step < 0 ? undefined : step
}
