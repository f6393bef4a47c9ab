import { type MediaDescription, write } from "sdp-transform"
import type { MediaCrypto } from "./Crypto.js"
import { type Codec, type Direction, payloadTypes } from "./Media.js"

/** Address and wishes of this side, for offers and answers. */
export interface LocalMedia {
  /** Identifies the session among those of this host: any whole number that does not repeat, such as a random one. */
  readonly sessionId: number
  /** IPv4 or IPv6 address, the latter without brackets, at which sound is received. */
  readonly address: string
  /** Even port of RTP; that of RTCP is the next one. */
  readonly port: number
  /** Codecs that are acceptable, best first. By default mu-law, then A-law. */
  readonly codecs?: ReadonlyArray<Codec>
  /** By default `sendrecv`; `sendonly` or `inactive` holds the call. */
  readonly direction?: Direction
  /** Duration of the packets that this side wants to receive, in milliseconds; 20 by default. */
  readonly packetMillis?: number
  /** Encryption of sound; absent for plain sound. */
  readonly crypto?: MediaCrypto
}

/** A stream of this side's description. */
export interface LocalStream {
  readonly type: string
  readonly port: number
  readonly protocol: string
  readonly formats: ReadonlyArray<string>
}

/** Session description of this side. The next one of the same session is made with it. */
export interface SessionDescription {
  /** In the format of SDP (RFC 8866): the body of a message. */
  readonly text: string
  readonly version: number
  readonly local: LocalMedia
  /** All streams in their order, refused ones too: it never changes within a session (RFC 3264, section 8). */
  readonly streams: ReadonlyArray<LocalStream>
  /** Index of the stream of sound. */
  readonly audio: number
  /** Codecs of the stream of sound, with their payload types. */
  readonly codecs: ReadonlyArray<{ readonly codec: Codec; readonly payloadType: number }>
  /** Payload type of pressed keys; null if they are not sent as packets. */
  readonly keys: number | null
}

/** Content of a description: everything but its text and version. */
export type SessionContent = Omit<SessionDescription, "text" | "version"> & {
  /** Values of `a=crypto` of the stream of sound. */
  readonly crypto: ReadonlyArray<string>
  readonly direction: Direction
  readonly packetMillis: number
}

/** Codecs that this side accepts, best first. */
export const codecsOf = (local: LocalMedia): ReadonlyArray<Codec> => local.codecs ?? ["PCMU", "PCMA"]

/** Payload type that an offer gives to pressed keys; most peers use the same. */
const keysPayloadType = 101

/** Keys 0 to 9, `*`, `#` and A to D (RFC 4733, section 3.2). */
const keyEvents = "0-15"

const audioOf = ({ codecs, direction, keys, packetMillis }: SessionContent): Partial<MediaDescription> => ({
  rtp: [
    ...codecs.map(({ codec, payloadType }) => ({ payload: payloadType, codec, rate: 8_000 })),
    ...(keys === null ? [] : [{ payload: keys, codec: "telephone-event", rate: 8_000 }])
  ],
  fmtp: keys === null ? [] : [{ payload: keys, config: keyEvents }],
  ptime: packetMillis,
  direction
})

const textOf = (content: SessionContent, sessionVersion: number): string => {
  const { address, sessionId } = content.local
  const family = address.includes(":") ? 6 : 4
  const text = write({
    version: 0,
    origin: { username: "-", sessionId, sessionVersion, netType: "IN", ipVer: family, address },
    name: "-",
    connection: { version: family, ip: address },
    timing: { start: 0, stop: 0 },
    media: content.streams.map(({ formats, port, protocol, type }, index) => ({
      type,
      port,
      protocol,
      payloads: formats.join(" "),
      rtp: [],
      fmtp: [],
      ...(index === content.audio ? audioOf(content) : {})
    }))
  })
  return content.crypto.length === 0 ? text : withCrypto(text, content)
}

/** Adds the keys at the end of the stream of sound: they pass no other code than this. */
const withCrypto = (text: string, { audio, crypto }: SessionContent): string => {
  const [head, ...streams] = text.split(/^(?=m=)/m)
  const lines = crypto.map((value) => `a=crypto:${value}\r\n`).join("")
  return [head, ...streams.map((stream, index) => index === audio ? `${stream}${lines}` : stream)].join("")
}

/**
 * Describes this side. The version goes up by one with every change, and a description that says the same as the previous
 * one is that one (RFC 3264, section 8).
 */
export const describe = (content: SessionContent, previous: SessionDescription | null): SessionDescription => {
  const { audio, codecs, keys, local, streams } = content
  const withVersion = (version: number): SessionDescription => ({
    text: textOf(content, version),
    version,
    local,
    streams,
    audio,
    codecs,
    keys
  })
  const same = withVersion(previous?.version ?? 1)
  return previous === null || same.text === previous.text ? same : withVersion(previous.version + 1)
}

/** Profile of our offers: sound that may be encrypted is offered as plain sound with keys, since many peers refuse another one. */
const protocolOf = ({ crypto }: LocalMedia): string => crypto?.required === true ? "RTP/SAVP" : "RTP/AVP"

/**
 * Makes an offer: one stream of sound with the local codecs and pressed keys (RFC 3264, section 5). With the previous
 * description of the session it is an offer that changes the session: the streams keep their order, payload types their
 * meaning, and the codecs of before come first. To refresh a session unchanged, send the text of its description again.
 */
export const makeOffer = (local: LocalMedia, previous: SessionDescription | null): SessionDescription => {
  const used = previous?.codecs.filter(({ codec }) => codecsOf(local).includes(codec)) ?? []
  const others = codecsOf(local).filter((codec) => used.every((one) => one.codec !== codec))
  const codecs = [...used, ...others.map((codec) => ({ codec, payloadType: payloadTypes[codec] }))]
  const usedTypes = codecs.map(({ payloadType }) => payloadType)
  const keys = previous?.keys ?? (usedTypes.includes(keysPayloadType) ? keysPayloadType + 1 : keysPayloadType)
  const audio = previous?.audio ?? 0
  const sound: LocalStream = {
    type: "audio",
    port: local.port,
    protocol: protocolOf(local),
    formats: [...usedTypes, keys].map(String)
  }
  return describe({
    local,
    streams: previous?.streams.map((stream, index) => index === audio ? sound : stream) ?? [sound],
    audio,
    codecs,
    keys,
    crypto: local.crypto?.offered ?? [],
    direction: local.direction ?? "sendrecv",
    packetMillis: local.packetMillis ?? 20
  }, previous)
}
