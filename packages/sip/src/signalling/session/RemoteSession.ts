import { Either } from "effect"
import { type MediaDescription, parse, type SessionDescription } from "sdp-transform"
import { isIpAddress } from "../headers/Host.js"
import { type Codec, codecNamed, codecOfType, type Direction, type MediaAddress, SessionRefused } from "./Media.js"

/** A stream of a peer's session description. */
export interface RemoteStream {
  /** Media type, such as `audio` or `video`. */
  readonly type: string
  /** Zero means that the stream is refused. */
  readonly port: number
  /** Such as `RTP/AVP`. */
  readonly protocol: string
  /** Payload types or formats, as they were sent. */
  readonly formats: ReadonlyArray<string>
  /** IP address; null if there is none, or only a host name. */
  readonly address: string | null
  readonly rtcp: MediaAddress | null
  readonly direction: Direction
  /** Codecs that this side has too, in the peer's order. */
  readonly codecs: ReadonlyArray<{ readonly codec: Codec; readonly payloadType: number }>
  /** Payload type of pressed keys (RFC 4733) at 8,000 hertz; null if there is none. */
  readonly keys: number | null
  /** Duration of the packets that the peer wants, and the longest that it takes, in milliseconds; null if it has no wish. */
  readonly packetMillis: number | null
  readonly maxPacketMillis: number | null
  /** Values of `a=crypto`, in the peer's order. They hold keys. */
  readonly crypto: ReadonlyArray<string>
}

const maxBytes = 16_384
const maxLines = 512
const maxStreams = 16
const maxLineLength = 1_024

const refusalOf = (message: string) => Either.left(new SessionRefused({ status: 400, warning: 399, message }))

/** Lines that matter here; no other line reaches the parser. */
const usedPattern =
  /^(?:[vosctm]=|a=(?:rtpmap|fmtp|ptime|maxptime|rtcp):|a=(?:sendrecv|sendonly|recvonly|inactive)\s*$)/

const numberOr = <A>(value: unknown, otherwise: A): number | A =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise

/** The codec or the keys that a payload type means, by its rtpmap or by what is fixed. */
const meaningOf = (payloadType: number, rtp: MediaDescription["rtp"]): Codec | "keys" | null => {
  const mapping = rtp.find(({ payload }) => payload === payloadType)
  if (mapping === undefined) return codecOfType(payloadType)
  if (mapping.rate !== 8_000 || numberOr(mapping.encoding, 1) !== 1) return null
  const name = String(mapping.codec)
  return name.toLowerCase() === "telephone-event" ? "keys" : codecNamed(name)
}

const addressOf = (ip: unknown): string | null => {
  const address = String(ip ?? "").toLowerCase()
  return isIpAddress(address) ? address : null
}

const rtcpOf = ({ port, rtcp }: MediaDescription, address: string | null): MediaAddress | null => {
  const rtcpPort = numberOr(rtcp?.port, port + 1)
  const rtcpAddress = rtcp?.address === undefined ? address : addressOf(rtcp.address)
  return rtcpAddress === null || rtcpPort < 1 || rtcpPort > 65_535 ? null : { address: rtcpAddress, port: rtcpPort }
}

const streamOf = (
  media: MediaDescription,
  session: SessionDescription,
  crypto: ReadonlyArray<string>
): RemoteStream | null => {
  const { port, protocol, rtp, type } = media
  if (typeof port !== "number" || port > 65_535 || !type || !protocol) return null
  const formats = String(media.payloads ?? "").split(" ").filter((format) => format !== "")
  const meanings = formats.filter((format) => /^\d{1,3}$/.test(format) && Number(format) < 128).map((format) => {
    const payloadType = Number(format)
    return { payloadType, meaning: meaningOf(payloadType, rtp) }
  })
  const address = addressOf((media.connection ?? session.connection)?.ip)
  return {
    type,
    port,
    protocol: String(protocol),
    formats,
    address,
    rtcp: rtcpOf(media, address),
    direction: media.direction ?? session.direction ?? "sendrecv",
    codecs: meanings.flatMap(({ meaning, payloadType }) =>
      meaning === null || meaning === "keys" ? [] : [{ codec: meaning, payloadType }]
    ),
    keys: meanings.find(({ meaning }) => meaning === "keys")?.payloadType ?? null,
    packetMillis: numberOr(media.ptime, null),
    maxPacketMillis: numberOr(media.maxptime, null),
    crypto
  }
}

/** Keys that are read of a stream at most. */
const maxKeys = 8

/** Values of `a=crypto` of each stream. */
const cryptoOf = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const streams: Array<Array<string>> = []
  for (const line of lines) {
    if (line.startsWith("m=")) streams.push([])
    const stream = streams.at(-1)
    const [, value] = /^a=crypto:(.*)$/.exec(line) ?? []
    if (value !== undefined && stream !== undefined && stream.length < maxKeys) stream.push(value.trim())
  }
  return streams
}

/**
 * Parses the streams of a session description (RFC 8866) that a peer sent: at most 16 KB, 512 lines and 16 streams. Fails
 * with 400.
 */
export const readSession = (bytes: Uint8Array): Either.Either<ReadonlyArray<RemoteStream>, SessionRefused> => {
  if (bytes.length > maxBytes) return refusalOf("The session description is too long")
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\r|\n/)
  if (lines.length > maxLines || lines.some((line) => line.length > maxLineLength)) {
    return refusalOf("The session description has too many or too long lines")
  }
  if (lines[0]?.trimEnd() !== "v=0") return refusalOf("The session description is malformed")
  const session = parse(lines.filter((line) => usedPattern.test(line)).join("\r\n"))
  if (session.media.length > maxStreams) return refusalOf("The session description has too many streams")
  const crypto = cryptoOf(lines)
  const streams = session.media.map((media, index) => streamOf(media, session, crypto[index] ?? []))
  return Either.all(
    streams.map((stream) =>
      stream === null ? refusalOf("The session description has a malformed stream") : Either.right(stream)
    )
  )
}
