import type { RtcpExchange } from "@trunkline/sip"
import type { CallStreams } from "./CallStreams.js"
import { type SharedCall, writeStatistics } from "./shared/SharedCall.js"
import { countFaults, type SharedGauges } from "./shared/SharedGauges.js"

/** Publishes the figures of a call, and adds its new faults to those of all calls. */
export type PublishFigures = (streams: CallStreams, reports: Pick<RtcpExchange, "remote" | "roundTripMillis">) => void

/** Makes the publication of the figures of one call, in the media thread. */
export const makeFigures = (shared: SharedCall, gauges: SharedGauges): PublishFigures => {
  let lostCount = 0
  let concealedCount = 0
  return ({ receiver, sender }, { remote, roundTripMillis }) => {
    const { concealedFrames, delayMillis, jitterMillis, late, lost, received } = receiver.statistics()
    writeStatistics(shared, {
      sentPackets: sender.packets,
      receivedPackets: received,
      lostPackets: lost,
      latePackets: late,
      concealedFrames,
      jitterMillis,
      delayMillis,
      remoteLostPackets: remote?.lost ?? null,
      roundTripMillis
    })
    countFaults(gauges, lost - lostCount, concealedFrames - concealedCount)
    lostCount = lost
    concealedCount = concealedFrames
  }
}
