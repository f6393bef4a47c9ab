import { Either } from "effect"
import { agreeOn, protocolsWith } from "./Crypto.js"
import { codecsOf, describe, type LocalMedia, type SessionDescription } from "./Description.js"
import { type Direction, directionOf, type Negotiated, receives, sends, SessionRefused } from "./Media.js"
import { readSession, type RemoteStream } from "./RemoteSession.js"

const refusalFor = (warning: number, message: string): SessionRefused =>
  new SessionRefused({ status: 488, warning, message })

const isMulticast = (address: string): boolean =>
  address.includes(":") ? address.startsWith("ff") : Number(address.split(".", 1)[0]) >= 224

/** An address to which nothing can be sent: how the oldest peers hold a call (RFC 3264, section 8.4). */
const isUnspecified = (address: string): boolean => /^[0:.]+$/.test(address)

/** Why a stream cannot be used; null if it can. Codes are those of Warning header fields (RFC 3261, section 20.43). */
const faultOf = (stream: RemoteStream, local: LocalMedia): SessionRefused | null => {
  const { address, codecs, port, protocol, type } = stream
  if (type !== "audio" || port === 0) return refusalFor(304, "Media type not available")
  const protocols = protocolsWith(local.crypto)
  if (!protocols.includes(protocol)) {
    return refusalFor(302, `Incompatible transport protocol: only ${protocols.join(" or ")} is accepted`)
  }
  if (address === null) return refusalFor(301, "Incompatible network address format: an IP address is needed")
  if (isMulticast(address)) return refusalFor(330, "Multicast not available")
  if (address.includes(":") !== local.address.includes(":")) return refusalFor(300, "Incompatible network protocol")
  return codecs.some(({ codec }) => codecsOf(local).includes(codec))
    ? null
    : refusalFor(305, "Incompatible media format: no acceptable codec")
}

/** The duration of packets that both sides accept: what the peer wants, 10 to 60 milliseconds in steps of 10. */
const packetMillisFor = ({ maxPacketMillis, packetMillis }: RemoteStream, local: LocalMedia): number => {
  const preference = packetMillis ?? local.packetMillis ?? 20
  const max = maxPacketMillis ?? 60
  return Math.min(Math.max(Math.floor(Math.min(preference, max) / 10) * 10, 10), 60)
}

/** Direction of this side, given what it wants and what the peer's stream says. */
const directionFor = ({ address, direction }: RemoteStream, requestedDirection: Direction): Direction =>
  directionOf({
    send: sends(requestedDirection) && receives(direction) && address !== null && !isUnspecified(address),
    receive: receives(requestedDirection) && sends(direction)
  })

/** Description of this side that answers an offer, and what both sides agree on. */
export interface Answered {
  readonly answer: SessionDescription
  readonly negotiated: Negotiated
}

/**
 * Answers an offer (RFC 3264, section 6): accepts the first stream of sound that can be used, with the peer's first codec
 * that is acceptable, and refuses all others with port 0. Within a session, pass this side's previous description.
 *
 * Fails with 400 for an offer that cannot be parsed, and with 488 if no stream can be used.
 */
export const answerOffer = (
  offer: Uint8Array,
  local: LocalMedia,
  previous: SessionDescription | null
): Either.Either<Answered, SessionRefused> =>
  Either.flatMap(readSession(offer), (streams) => {
    const agreements = streams.map((stream) => {
      const fault = faultOf(stream, local)
      return fault === null ? agreeOn(stream, local.crypto, "answer") : Either.left(fault)
    })
    const cryptoIndex = agreements.findIndex((agreement) => Either.getOrNull(agreement) !== null)
    const audio = cryptoIndex >= 0 ? cryptoIndex : agreements.findIndex(Either.isRight)
    const stream = streams[audio]
    const crypto = Either.getOrNull(agreements[audio] ?? Either.right(null))
    const choice = stream?.codecs.find(({ codec }) => codecsOf(local).includes(codec))
    if (stream === undefined || stream.address === null || choice === undefined) {
      const sound = agreements[Math.max(streams.findIndex(({ type }) => type === "audio"), 0)]
      return Either.left(
        sound !== undefined && Either.isLeft(sound) ? sound.left : refusalFor(304, "Media type not available")
      )
    }
    const direction = directionFor(stream, local.direction ?? "sendrecv")
    const packetMillis = packetMillisFor(stream, local)
    const { keys } = stream
    const formats = [choice.payloadType, ...(keys === null ? [] : [keys])].map(String)
    const answer = describe({
      local,
      streams: streams.map(({ formats: offeredFormats, protocol, type }, index) =>
        index === audio
          ? { type, port: local.port, protocol, formats }
          : { type, port: 0, protocol, formats: [offeredFormats[0] ?? "0"] }
      ),
      audio,
      codecs: [choice],
      keys,
      crypto: crypto === null ? [] : [crypto.sent],
      direction,
      packetMillis
    }, previous)
    const negotiated: Negotiated = {
      remote: { address: stream.address, port: stream.port },
      remoteRtcp: stream.rtcp,
      codec: choice.codec,
      payloadType: choice.payloadType,
      received: [choice],
      keys: keys === null ? null : { sent: keys, received: keys },
      crypto,
      packetMillis,
      direction
    }
    return Either.right({ answer, negotiated })
  })

/**
 * Reads the peer's answer to an offer of this side (RFC 3264, section 7). The peer may number payload types in its own way.
 * Fails with 400 for an answer that cannot be parsed or has other streams than the offer, and with 488 for one that
 * refuses the sound or accepts it in a way that was not offered; the call then ends.
 */
export const readAnswer = (answer: Uint8Array, offer: SessionDescription): Either.Either<Negotiated, SessionRefused> =>
  Either.flatMap(readSession(answer), (streams) => {
    const stream = streams[offer.audio]
    if (stream === undefined || streams.length !== offer.streams.length) {
      return Either.left(
        new SessionRefused({ status: 400, warning: 399, message: "The answer has other streams than the offer" })
      )
    }
    const fault = faultOf(stream, offer.local)
    const commonCodecs = stream.codecs.filter(({ codec }) => offer.codecs.some((other) => other.codec === codec))
    const [chosen] = commonCodecs
    if (fault !== null || stream.address === null || chosen === undefined) {
      return Either.left(fault ?? refusalFor(305, "Incompatible media format: the answer has no codec of the offer"))
    }
    const remote = { address: stream.address, port: stream.port }
    return Either.map(agreeOn(stream, offer.local.crypto, "accept"), (crypto) => ({
      remote,
      remoteRtcp: stream.rtcp,
      codec: chosen.codec,
      payloadType: chosen.payloadType,
      received: offer.codecs.filter(({ codec }) => commonCodecs.some((one) => one.codec === codec)),
      keys: stream.keys === null || offer.keys === null ? null : { sent: stream.keys, received: offer.keys },
      crypto,
      packetMillis: packetMillisFor(stream, offer.local),
      direction: directionFor(stream, offer.local.direction ?? "sendrecv")
    }))
  })
