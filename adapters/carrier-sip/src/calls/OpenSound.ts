import { type CallHandlers, OfferRefused, type SipCall } from "@trunkline/sip"
import { Effect, Either, type Scope } from "effect"
import { randomInt } from "node:crypto"
import type { MediaSession, MediaUnavailable } from "../media/Media.js"
import { type CallContext, mediaAddress } from "./CallContext.js"
import { type CallSound, makeCallSound } from "./CallSound.js"

/** Sound of a call that is being set up. */
export interface OpenedSound {
  readonly session: MediaSession
  readonly sound: CallSound
  /** Behaviour of our side once the call was answered. */
  readonly handlers: CallHandlers
  /** Lets keys go out over the signalling of the call. */
  readonly attach: (call: SipCall) => void
}

/** Largest number of a session description: RFC 8866 allows more, some peers do not. */
const maxSessionId = 2 ** 31 - 1

/** Opens the sound of a call with a peer, for as long as the scope. */
export const openSound = (
  { line: { settings }, media, sockets }: CallContext,
  peer: Parameters<CallContext["sockets"]["local"]>[0]
): Effect.Effect<OpenedSound, MediaUnavailable, Scope.Scope> =>
  Effect.gen(function*() {
    let answeredCall: SipCall | null = null
    const { host } = sockets.local(peer)
    const { codecs, nat_latch } = settings.options
    const session = yield* media.open({
      ...mediaAddress(settings, host),
      sendInfo: (digit) =>
        Effect.suspend(() => answeredCall === null ? Effect.void : Effect.ignore(answeredCall.press(digit)))
    })
    const sound = makeCallSound(session, {
      address: host,
      codecs,
      natLatch: nat_latch,
      srtp: settings.srtp,
      sessionId: randomInt(1, maxSessionId)
    })
    return {
      session,
      sound,
      handlers: {
        reoffer: (offer) =>
          Effect.suspend(() =>
            offer === null
              ? Effect.succeed(sound.offer())
              : Either.mapLeft(sound.answer(offer), ({ status }) => new OfferRefused({ status }))
          ),
        answer: (sdp) => Effect.sync(() => void sound.take(sdp)),
        onKey: (digit) => Effect.sync(() => session.reportKey(digit))
      },
      attach: (call) => {
        answeredCall = call
      }
    }
  })
