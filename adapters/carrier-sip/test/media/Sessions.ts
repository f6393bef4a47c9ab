import { BusinessTime } from "@trunkline/kernel"
import { Deferred, Effect, identity, Layer, type Scope } from "effect"
import { setImmediate } from "node:timers/promises"
import { MessageChannel } from "node:worker_threads"
import { Media, type MediaDescription, type MediaSession, type MediaUnavailable } from "../../src/index.js"
import { layerMediaPool } from "../../src/media/MediaPool.js"
import { serveMedia } from "../../src/media/MediaThread.js"
import { seeded } from "../UdpRelay.js"
import { openPeer, type RtpPeer } from "./RtpPeer.js"

/** Description of a call with a peer on this machine, in mu-law. */
export const describePeer = (
  peer: Pick<RtpPeer, "port" | "rtcpPort">,
  changes: Partial<MediaDescription> = {}
): MediaDescription => ({
  remoteHost: "127.0.0.1",
  remotePort: peer.port,
  remoteRtcpPort: peer.rtcpPort,
  codec: "mulaw",
  payloadType: 0,
  received: [{ payloadType: 0, codec: "mulaw" }, { payloadType: 8, codec: "alaw" }],
  telephoneEvent: { sent: 101, received: 101 },
  packetMillis: 20,
  direction: "sendrecv",
  natLatch: false,
  srtp: null,
  ...changes
})

/** Changes of the description of a call with G.722. */
export const wideBand: Partial<MediaDescription> = {
  codec: "g722",
  payloadType: 9,
  received: [{ payloadType: 9, codec: "g722" }, { payloadType: 0, codec: "mulaw" }, { payloadType: 8, codec: "alaw" }]
}

/** Waits for a span of business time. */
export const wait = (millis: number): Effect.Effect<void> =>
  Effect.flatMap(BusinessTime.now, (now) => BusinessTime.sleepUntil(now + millis))

/** Peers that send a packet for every 20 ms of business time. */
const ticking = new Set<RtpPeer>()

/** Turns of the event loop in which all packets and messages that were sent arrive. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn++) await setImmediate()
}

/**
 * Media whose thread is this one, with real sockets and a clock that is moved by hand: business time passes 20 ms at a time
 * while something waits for it, and everything that was sent arrives in between. So no test depends on the speed of the
 * machine.
 */
export const layerSteppedMedia: Layer.Layer<Media> = Layer.unwrapEffect(Effect.sync(() => {
  let now = 1_000_000
  let wake: { readonly at: number; readonly run: () => void } | null = null
  let waiting: ReadonlyArray<{ readonly at: number; readonly done: Deferred.Deferred<void> }> = []
  let isRunning = false

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      now += 20
      for (const peer of ticking) peer.tick()
      await settle()
      while (wake !== null && wake.at <= now) wake.run()
      await settle()
      for (const { at, done } of waiting) if (at <= now) Deferred.unsafeDone(done, Effect.void)
      waiting = waiting.filter(({ at }) => at > now)
      await settle()
    }
    isRunning = false
  }

  const time = Layer.succeed(BusinessTime, {
    now: Effect.sync(() => now),
    sleepUntil: (at) =>
      Effect.flatMap(Deferred.make<void>(), (done) => {
        if (at <= now) return Effect.void
        waiting = [...waiting, { at, done }]
        if (!isRunning) void run()
        isRunning = true
        return Deferred.await(done)
      }),
    hold: identity
  })

  const media = layerMediaPool({
    start: (settings, { onMessage }) => {
      const { port1, port2 } = new MessageChannel()
      port1.on("message", onMessage)
      serveMedia(port2, settings, {
        clock: () => now,
        random: seeded(1),
        wakeAt: (at, run) => {
          const woken = { at, run }
          wake = woken
          return () => {
            if (wake === woken) wake = null
          }
        }
      })
      return {
        post: (message, transfer = []) => port1.postMessage(message, [...transfer]),
        hold: () => {},
        terminate: async () => port1.close(),
        exited: Promise.resolve()
      }
    }
  })
  return Layer.merge(media, time)
}))

/** A call and its other side, both of which run. */
export interface OpenCall {
  readonly session: MediaSession
  readonly peer: RtpPeer
}

/** Opens a call with a peer, which sends at the pace of business time. */
export const openCallWith = (
  peer: RtpPeer,
  changes: Partial<MediaDescription> = {}
): Effect.Effect<MediaSession, MediaUnavailable, Media | Scope.Scope> =>
  Effect.gen(function*() {
    const media = yield* Media
    const session = yield* media.open({ address: "127.0.0.1", family: 4 })
    peer.sendTo(session.local.port)
    yield* Effect.acquireRelease(
      Effect.sync(() => ticking.add(peer)),
      () => Effect.sync(() => ticking.delete(peer))
    )
    session.negotiate(describePeer(peer, changes))
    return session
  })

/** Opens a call and its peer. */
export const openCall = (
  changes: Partial<MediaDescription> = {}
): Effect.Effect<OpenCall, MediaUnavailable, Media | Scope.Scope> =>
  Effect.flatMap(openPeer, (peer) => Effect.map(openCallWith(peer, changes), (session) => ({ session, peer })))
