import { Deferred, Effect } from "effect"
import type { Media, MediaDescription } from "./Media.js"

/** Samples of the tone that is sent: 300 ms. */
const samples = 2_400

/** Frames that are awaited: as many as the tone has, without those that the jitter buffer keeps back. */
const frames = 10

/** Time after which calls are taken anyway. */
const maxWarmUp = "5 seconds"

/** Sound that goes to its own port, in both laws. */
const loopTo = (port: number): MediaDescription => ({
  remoteHost: "127.0.0.1",
  remotePort: port,
  remoteRtcpPort: port + 1,
  codec: "alaw",
  payloadType: 8,
  received: [{ payloadType: 0, codec: "mulaw" }, { payloadType: 8, codec: "alaw" }],
  telephoneEvent: { sent: 101, received: 101 },
  packetMillis: 20,
  direction: "sendrecv",
  natLatch: false,
  srtp: null
})

/**
 * Has media carry a short call with itself, so that the thread runs and its code is compiled before the first caller hears
 * it. Media that cannot carry one are left as they are: the first call tells why.
 */
export const warmUp = (media: typeof Media.Service): Effect.Effect<void> =>
  Effect.gen(function*() {
    const session = yield* media.open({ address: "127.0.0.1", family: 4 })
    const soundSignal = yield* Deferred.make<void>()
    let remaining = frames
    session.hear(({ _tag }) => {
      if (_tag === "Frame" && --remaining === 0) Deferred.unsafeDone(soundSignal, Effect.void)
    })
    session.negotiate(loopTo(session.local.port))
    session.play(Float32Array.from({ length: samples }, (_, index) => 0.1 * Math.sin(index / 4)))
    yield* Deferred.await(soundSignal)
  }).pipe(Effect.scoped, Effect.timeout(maxWarmUp), Effect.ignore)
