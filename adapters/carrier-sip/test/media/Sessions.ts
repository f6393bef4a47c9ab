import { BusinessTime } from "@trunkline/kernel"
import { Deferred, Effect, Layer, type Scope } from "effect"
import type { MediaDescription, MediaSession, MediaUnavailable } from "../../src/index.js"
import { Media } from "../../src/index.js"
import { openPeer, type RtpPeer } from "./RtpPeer.js"

/** Description of a call with a peer on this machine, in mu-law. */
export const describePeer = (
  peer: Pick<RtpPeer, "port" | "rtcpPort">,
  changes: Partial<MediaDescription> = {}
): MediaDescription => ({
  remoteHost: "127.0.0.1",
  remotePort: peer.port,
  remoteRtcpPort: peer.rtcpPort,
  law: "mulaw",
  payloadType: 0,
  telephoneEvent: 101,
  packetMillis: 20,
  direction: "sendrecv",
  natLatch: false,
  ...changes
})

/** Peers that send at the pace of line time. */
const ticking = new Set<RtpPeer>()

/**
 * Business time that is the line time of a call of its own: 20 ms pass with each of its frames. Peers send a packet each
 * time. So a machine that is too busy slows the tests down and changes nothing else.
 */
export const lineTime: Layer.Layer<never, MediaUnavailable, Media> = Layer.unwrapScoped(
  Effect.gen(function*() {
    const media = yield* Media
    const session = yield* media.open({ address: "127.0.0.1", family: 4 })
    const peer = yield* openPeer
    let now = 0
    let waiting: ReadonlyArray<{ readonly at: number; readonly done: Deferred.Deferred<void> }> = []
    session.hear(({ _tag }) => {
      if (_tag !== "Frame") return
      now += 20
      for (const each of ticking) each.tick()
      for (const { at, done } of waiting) if (at <= now) Deferred.unsafeDone(done, Effect.void)
      waiting = waiting.filter(({ at }) => at > now)
    })
    session.negotiate(describePeer(peer))
    return Layer.succeed(BusinessTime, {
      now: Effect.sync(() => now),
      sleepUntil: (at) =>
        Effect.flatMap(Deferred.make<void>(), (done) => {
          if (at <= now) return Effect.void
          waiting = [...waiting, { at, done }]
          return Deferred.await(done)
        }),
      hold: (effect) => effect
    })
  })
)

/** A call and its other side, both of which run. */
export interface OpenCall {
  readonly session: MediaSession
  readonly peer: RtpPeer
}

/** Opens a call with a peer that sends at the pace of line time. */
export const openCall = (
  changes: Partial<MediaDescription> = {}
): Effect.Effect<OpenCall, MediaUnavailable, Media | Scope.Scope> =>
  Effect.gen(function*() {
    const media = yield* Media
    const peer = yield* openPeer
    const session = yield* media.open({ address: "127.0.0.1", family: 4 })
    peer.sendTo(session.local.port)
    yield* Effect.acquireRelease(
      Effect.sync(() => ticking.add(peer)),
      () => Effect.sync(() => ticking.delete(peer))
    )
    session.negotiate(describePeer(peer, changes))
    return { session, peer }
  })
