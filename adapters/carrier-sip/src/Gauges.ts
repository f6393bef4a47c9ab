import { Effect, Metric, Number, type Scope } from "effect"
import type { Media } from "./media/Media.js"

/** Calls over SIP with sound now. */
const callsGauge = Metric.gauge("trunkline_sip_calls")

/** 99th percentile of the delay with which packets of sound left in the last seconds, in milliseconds. */
const latenessGauge = Metric.gauge("trunkline_sip_lateness_milliseconds")

/** Packets that never arrived, of all calls of this process. */
const lostGauge = Metric.gauge("trunkline_sip_lost_packets")

/** Frames of 20 ms that were filled in for packets that did not arrive in time. */
const concealedGauge = Metric.gauge("trunkline_sip_concealed_frames")

/** Packets of sound from another source than that of their call: much of it may be a call that needs `nat_latch`. */
const refusedGauge = Metric.gauge("trunkline_sip_refused_packets")

/** Time between two readings. */
const interval = "2 seconds"

/** Reads the figures of all sound into the gauges, until the scope closes: sums, and the lateness of the latest. */
export const publishGauges = (medias: ReadonlyArray<typeof Media.Service>): Effect.Effect<void, never, Scope.Scope> => {
  const read = Effect.suspend(() => {
    const figures = medias.map(({ gauges }) => gauges())
    return Effect.all([
      Metric.set(callsGauge, Number.sumAll(figures.map(({ calls }) => calls))),
      Metric.set(latenessGauge, Math.max(0, ...figures.map(({ latenessMillis }) => latenessMillis))),
      Metric.set(lostGauge, Number.sumAll(figures.map(({ lostPackets }) => lostPackets))),
      Metric.set(concealedGauge, Number.sumAll(figures.map(({ concealedFrames }) => concealedFrames))),
      Metric.set(refusedGauge, Number.sumAll(figures.map(({ refusedPackets }) => refusedPackets)))
    ], { discard: true })
  })
  return Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.zipRight(read, Effect.sleep(interval)))))
}
