import { makeCounter, makeGauge } from "@trunkline/kernel"
import { Effect, Number, type Scope } from "effect"
import type { Media, MediaGauges } from "./media/Media.js"

const calls = makeGauge({ name: "trunkline_sip_calls", help: "Calls over SIP with sound" })

const lateness = makeGauge({
  name: "trunkline_sip_lateness_seconds",
  help: "99th percentile of the delay with which packets of sound left in the last seconds"
})

const lostCounter = makeCounter({
  name: "trunkline_sip_lost_packets_total",
  help: "Packets of sound that never arrived"
})

const concealedCounter = makeCounter({
  name: "trunkline_sip_concealed_frames_total",
  help: "Frames of 20 ms that were filled in for packets that did not arrive in time"
})

const refusedCounter = makeCounter({
  name: "trunkline_sip_refused_packets_total",
  help: "Packets of sound from another source than that of their call; many may mean a call that needs nat_latch"
})

/** Time between two readings. */
const interval = "2 seconds"

/** Makes a function that adds to a counter what a sum has grown by. */
const growthOf = (counter: typeof lostCounter) => {
  let before = 0
  return (sum: number): void => {
    counter.add(Math.max(0, sum - before))
    before = sum
  }
}

/** Reads the figures of all sound into the metrics, until the scope closes: sums, and the lateness of the latest. */
export const publishGauges = (medias: ReadonlyArray<typeof Media.Service>): Effect.Effect<void, never, Scope.Scope> => {
  const [addLost, addConcealed, addRefused] = [
    growthOf(lostCounter),
    growthOf(concealedCounter),
    growthOf(refusedCounter)
  ]
  const read = Effect.sync(() => {
    const figures = medias.map(({ gauges }) => gauges())
    const sumOf = (figure: keyof MediaGauges) => Number.sumAll(figures.map((one) => one[figure]))
    calls.set(sumOf("calls"))
    lateness.set(Math.max(0, ...figures.map(({ latenessMillis }) => latenessMillis)) / 1_000)
    addLost(sumOf("lostPackets"))
    addConcealed(sumOf("concealedFrames"))
    addRefused(sumOf("refusedPackets"))
  })
  return Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.zipRight(read, Effect.sleep(interval)))))
}
