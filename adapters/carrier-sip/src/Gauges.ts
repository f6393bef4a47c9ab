import { Effect, Metric, type Scope } from "effect"
import type { MediaGauges } from "./media/Media.js"

/** Calls over SIP with sound now. */
const callsGauge = Metric.gauge("trunkline_sip_calls")

/** 99th percentile of the delay with which packets of sound left in the last seconds, in milliseconds. */
const latenessGauge = Metric.gauge("trunkline_sip_lateness_milliseconds")

/** Packets that never arrived, of all calls of this process. */
const lostGauge = Metric.gauge("trunkline_sip_lost_packets")

/** Frames of 20 ms that were filled in for packets that did not arrive in time. */
const concealedGauge = Metric.gauge("trunkline_sip_concealed_frames")

/** Time between two readings. */
const interval = "2 seconds"

/** Reads the figures of the sound of calls into the gauges, until the scope closes. */
export const publishGauges = (gauges: () => MediaGauges): Effect.Effect<void, never, Scope.Scope> => {
  const read = Effect.suspend(() => {
    const { calls, concealedFrames, latenessMillis, lostPackets } = gauges()
    return Effect.all([
      Metric.set(callsGauge, calls),
      Metric.set(latenessGauge, latenessMillis),
      Metric.set(lostGauge, lostPackets),
      Metric.set(concealedGauge, concealedFrames)
    ], { discard: true })
  })
  return Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.zipRight(read, Effect.sleep(interval)))))
}
