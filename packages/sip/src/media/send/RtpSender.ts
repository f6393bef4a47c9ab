import { frameSamples } from "@trunkline/audio"
import { type KeyPacket, type KeySender, type KeyTimes, makeKeySender } from "../keys/KeySender.js"
import { telephoneEventBytes, writeTelephoneEvent } from "../keys/TelephoneEvent.js"
import type { RtpCodec, SoundRate } from "../packets/RtpCodec.js"
import { rtpHeaderBytes, writeRtpHeader } from "../packets/RtpPacket.js"
import { makeSoundEncoder } from "./SoundEncoder.js"

/** Formats of a stream to send. */
export interface SentFormats {
  readonly codec: RtpCodec
  readonly payloadType: number
  /** Payload type of telephone events; null when keys cannot be sent. */
  readonly telephoneEvent: number | null
  /** Duration of a packet, from 10 to 60 milliseconds; 20 by default and when it is not in this range. */
  readonly packetMillis?: number
}

/** Options of a sender. */
export interface RtpSenderOptions extends KeyTimes {
  readonly formats: SentFormats
  /** Samples per second of the sound; 8,000 by default. It stays, whatever the codec. */
  readonly rate?: SoundRate
  readonly ssrc: number
  /** Numbers to begin with, which should be random (RFC 3550, section 5.1). */
  readonly sequence: number
  readonly timestamp: number
  /** Called with each packet, whose bytes may be overwritten after three more packets. */
  readonly send: (packet: Uint8Array) => void
}

/** Sound of 20 ms as it was sent: 160 bytes. */
export interface SentCodes {
  readonly codec: RtpCodec
  readonly bytes: Uint8Array
}

/** The sending side of a call, which advances by ticks of 20 ms: 160 units of its timestamps. */
export interface RtpSender {
  /**
   * Sends the sound of 20 ms, 160 samples or 320 at 16,000 Hz, as packets or parts of one. During a key call it without
   * sound: only packets of the key are sent.
   */
  readonly tick: (sound: Float32Array | null) => void
  /** Lets ticks pass without sending, as during a hold; 1 by default. The next packet has a marker. */
  readonly skip: (ticks?: number) => void
  /** True when the next tick belongs to a key, and no sound can be sent. */
  readonly isPressing: boolean
  /** Appends keys to send; ignored when the other side takes no telephone events. */
  readonly press: (digits: string) => void
  /** Changes the formats from the next packet on. */
  readonly setFormats: (formats: SentFormats) => void
  /** Codes of the sound of the last tick; null for a tick without sound. They change with the next one. */
  readonly lastCodes: SentCodes | null
  /** Timestamp of the next tick, packets and payload bytes sent so far, for reports. */
  readonly timestamp: number
  readonly packets: number
  readonly octets: number
}

const unitsPerMilli = 8

/** Longest packet in units of the timestamp, and number of packets whose memory is used in turns: a socket may still read the last one. */
const maxPacket = 480
const bufferCount = 4

/**
 * Makes a sender. Timestamps advance with the ticks, whether something is sent or not. It allocates nothing for a packet that
 * is as long as those before.
 */
export const makeRtpSender = (options: RtpSenderOptions): RtpSender => {
  const { rate = 8_000, send, ssrc } = options
  const buffers = Array.from({ length: bufferCount }, () => new Uint8Array())
  const keys: KeySender = makeKeySender(options)
  const header = { payloadType: 0, marker: true, sequence: options.sequence & 0xFFFF, timestamp: 0, ssrc }
  let formats = options.formats
  const encoder = makeSoundEncoder(rate, formats.codec)
  let packetSamples = 0
  const frameCodes = new Uint8Array(frameSamples)
  let sentCodes: SentCodes = { codec: options.formats.codec, bytes: frameCodes }
  let lastCodes: SentCodes | null = null
  /** Codes that wait for the rest of their packet. */
  const waiting = new Uint8Array(maxPacket + frameSamples)
  let waitingCount = 0
  let timestamp = options.timestamp >>> 0
  let isMarked = true
  let packets = 0
  let octets = 0

  const emit = (packet: Uint8Array): void => {
    writeRtpHeader(packet, header)
    header.sequence = (header.sequence + 1) & 0xFFFF
    packets += 1
    octets += packet.length - rtpHeaderBytes
    send(packet)
  }

  /** Memory of the next packet, whose payload has some bytes. */
  const nextPacket = (payloadBytes: number): Uint8Array => {
    const slot = packets % bufferCount
    const length = rtpHeaderBytes + payloadBytes
    const before = buffers[slot]
    if (before?.length === length) return before
    const packet = new Uint8Array(length)
    buffers[slot] = packet
    return packet
  }

  /** Sends the first codes that wait. */
  const sendSound = (count: number): void => {
    const packet = nextPacket(count)
    for (let at = 0; at < count; at++) packet[rtpHeaderBytes + at] = waiting[at] ?? 0
    header.payloadType = formats.payloadType
    header.marker = isMarked
    header.timestamp = (timestamp - waitingCount) >>> 0
    isMarked = false
    waiting.copyWithin(0, count, waitingCount)
    waitingCount -= count
    emit(packet)
  }

  /** Sends what waits as a shorter packet. */
  const flush = (): void => {
    if (waitingCount > 0) sendSound(waitingCount)
  }

  const sendKey = ({ duration, event, isEnd, since }: KeyPacket, payloadType: number): void => {
    const packet = nextPacket(telephoneEventBytes)
    writeTelephoneEvent(packet, rtpHeaderBytes, { event, isEnd, duration })
    header.payloadType = payloadType
    header.marker = since === 0
    header.timestamp = (timestamp - since) >>> 0
    emit(packet)
  }

  const setFormats = (changedFormats: SentFormats): void => {
    flush()
    formats = changedFormats
    encoder.use(changedFormats.codec)
    sentCodes = { codec: changedFormats.codec, bytes: frameCodes }
    const { packetMillis = 20 } = changedFormats
    packetSamples = unitsPerMilli * (packetMillis >= 10 && packetMillis <= 60 ? Math.round(packetMillis) : 20)
  }
  setFormats(formats)

  const advance = (ticks: number): void => {
    timestamp = (timestamp + ticks * frameSamples) >>> 0
  }

  return {
    tick: (sound) => {
      const isPressing = keys.isPressing
      if (isPressing) flush()
      const key = keys.tick()
      if (key !== null && formats.telephoneEvent !== null) sendKey(key, formats.telephoneEvent)
      const isSound = sound !== null && !isPressing
      lastCodes = isSound ? sentCodes : null
      if (isSound) {
        encoder.encode(sound, frameCodes, 0)
        waiting.set(frameCodes, waitingCount)
        waitingCount += frameSamples
      }
      advance(1)
      if (isPressing) isMarked = true
      while (waitingCount >= packetSamples) sendSound(packetSamples)
    },
    skip: (ticks = 1) => {
      flush()
      advance(ticks)
      isMarked = true
    },
    get isPressing() {
      return keys.isPressing
    },
    press: (digits) => {
      if (formats.telephoneEvent !== null) keys.press(digits)
    },
    setFormats,
    get lastCodes() {
      return lastCodes
    },
    get timestamp() {
      return timestamp
    },
    get packets() {
      return packets
    },
    get octets() {
      return octets
    }
  }
}
