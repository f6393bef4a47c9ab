import {
  answerOffer,
  type Codec,
  type LocalMedia,
  makeOffer,
  type Negotiated,
  readAnswer,
  type SessionDescription,
  type SessionRefused
} from "@trunkline/sip"
import { Either } from "effect"
import type { MediaDescription, MediaSession } from "../media/Media.js"
import type { SrtpMode } from "../settings/ConnectionOptions.js"
import { type CallCrypto, makeCallCrypto, srtpOf } from "./CallCrypto.js"

/** Settings of the sound of a line. */
export interface SoundSettings {
  /** Codecs in the order in which they are preferred. */
  readonly codecs: ReadonlyArray<Codec>
  readonly natLatch: boolean
  /** Encryption of the sound; none by default. */
  readonly srtp?: SrtpMode
}

/** Offers and answers of one call, which start and change its sound. */
export interface CallSound {
  /** An offer of ours: the first, or one that the other side has asked for. */
  readonly offer: () => string
  /** Answers an offer of the other side and takes it into use. */
  readonly answer: (offer: string) => Either.Either<string, SessionRefused>
  /** Takes the other side's answer to our last offer into use. */
  readonly take: (answer: string) => Either.Either<void, SessionRefused>
  /** Hears the sound of a provisional answer to our first offer, until there is an answer; it changes nothing for that one. */
  readonly overhear: (answer: string, hear: HearEarly) => Either.Either<void, SessionRefused>
}

/** Hears a frame of 20 ms before the answer. */
export type HearEarly = Parameters<MediaSession["overhear"]>[1]

const encoder = new TextEncoder()

const rtpCodecs: Readonly<Record<Codec, MediaDescription["codec"]>> = { PCMU: "mulaw", PCMA: "alaw", G722: "g722" }

const mediaOf = (terms: Negotiated, natLatch: boolean): MediaDescription => {
  const { codec, direction, keys, packetMillis, payloadType, received, remote, remoteRtcp } = terms
  return {
    remoteHost: remote.address,
    remotePort: remote.port,
    remoteRtcpPort: remoteRtcp?.port ?? remote.port + 1,
    codec: rtpCodecs[codec],
    payloadType,
    received: received.map((format) => ({ payloadType: format.payloadType, codec: rtpCodecs[format.codec] })),
    telephoneEvent: keys,
    packetMillis,
    direction,
    natLatch,
    srtp: srtpOf(terms)
  }
}

/** True for an offer that a call could be answered with, wherever its sound would go. */
export const isUsable = (
  offer: string,
  address: string,
  { codecs, srtp }: SoundSettings
): Either.Either<void, SessionRefused> =>
  Either.map(
    answerOffer(encoder.encode(offer), { sessionId: 0, address, port: 2, codecs, ...cryptoOf(srtp) }, null),
    () => undefined
  )

const cryptoOf = (mode: SrtpMode = "off"): { readonly crypto?: CallCrypto } => {
  const crypto = makeCallCrypto(mode)
  return crypto === undefined ? {} : { crypto }
}

/** Negotiates the sound of a call. `address` is where the other side sends sound to, `sessionId` a random number. */
export const makeCallSound = (
  session: MediaSession,
  { address, codecs, natLatch, sessionId, srtp }: SoundSettings & {
    readonly address: string
    readonly sessionId: number
  }
): CallSound => {
  const { crypto } = cryptoOf(srtp)
  const plain: LocalMedia = { sessionId, address, port: session.local.port, codecs }
  const local = crypto === undefined ? plain : { ...plain, crypto }
  const provisional = crypto === undefined ? plain : { ...plain, crypto: crypto.provisional }
  let description: SessionDescription | null = null

  const use = (terms: Negotiated): void => session.negotiate(mediaOf(terms, natLatch))

  return {
    offer: () => {
      description = makeOffer(local, description)
      return description.text
    },
    answer: (offer) =>
      Either.map(answerOffer(encoder.encode(offer), local, description), ({ answer, negotiated }) => {
        description = answer
        use(negotiated)
        return answer.text
      }),
    take: (answer) => Either.map(readAnswer(encoder.encode(answer), description ?? makeOffer(local, null)), use),
    overhear: (answer, hear) =>
      Either.map(
        readAnswer(encoder.encode(answer), { ...(description ?? makeOffer(local, null)), local: provisional }),
        (terms) => session.overhear(mediaOf(terms, natLatch), hear)
      )
  }
}
