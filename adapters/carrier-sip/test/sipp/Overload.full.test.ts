import { assert, describe, it } from "@effect/vitest"
import { meterReading } from "@trunkline/kernel/testing"
import { Effect, Layer, Metric } from "effect"
import { Media, MediaUnavailable } from "../../src/media/Media.js"
import { hasTools } from "../../src/testing/PeerProcess.js"
import { startSipp } from "../../src/testing/Sipp.js"
import { headerHas, receive, request, sdp } from "../../src/testing/SippScenario.js"
import { carrierOf, connectionTo, ourNumber, planFor, until } from "../peers/World.js"

/** Media whose sound leaves some milliseconds late, and which has no port. */
const lateMedia = (latenessMillis: number) =>
  Layer.succeed(Media, {
    open: () => Effect.fail(new MediaUnavailable({ reason: "no_port", detail: "EADDRINUSE" })),
    gauges: () => ({
      calls: 3,
      latenessMillis,
      lastingLatenessMillis: latenessMillis,
      lostPackets: 4,
      concealedFrames: 5,
      refusedPackets: 6
    })
  })

const options = { max_lateness_millis: 15, inbound: { allow: ["127.0.0.1"] } }

describe("a line whose sound leaves late", () => {
  it.scopedLive("places no call, and says that nothing was dialled", () =>
    Effect.gen(function*() {
      const connection = connectionTo(9, options)
      const carrier = yield* carrierOf(connection)
      assert.deepInclude(yield* Effect.flip(carrier.place(planFor(connection))), {
        certainty: "none",
        reason: "sip: overloaded"
      })
    }).pipe(Effect.provide(lateMedia(16))))

  it.scopedLive.skipIf(!hasTools("sipp"))("refuses the calls that come in for a moment", () =>
    Effect.gen(function*() {
      const connection = connectionTo(9, options)
      const carrier = yield* carrierOf(connection)
      const caller = yield* startSipp({
        remote: carrier.ports.get(connection.connection_id) ?? 0,
        service: ourNumber,
        steps: [
          request("INVITE", { inDialog: false, body: sdp() }),
          receive(100, { optional: true }),
          receive(503, { action: headerHas("Retry-After:", "5") }),
          request("ACK", { uri: `sip:${ourNumber}@[remote_ip]:[remote_port]`, repeatsVia: true })
        ]
      })
      yield* caller.outcome
    }).pipe(Effect.provide(lateMedia(16))))
})

describe("a line without a free port", () => {
  it.scopedLive("places no call", () =>
    Effect.gen(function*() {
      const connection = connectionTo(9, options)
      const carrier = yield* carrierOf(connection)
      assert.deepInclude(yield* Effect.flip(carrier.place(planFor(connection))), {
        certainty: "none",
        reason: "sip: overloaded"
      })
    }).pipe(Effect.provide(lateMedia(1))))
})

describe("the gauges of the lines", () => {
  it.scopedLive("tell calls, lateness, lost, concealed and refused packets", () =>
    Effect.gen(function*() {
      const read = () => {
        const metrics = Metric.unsafeSnapshot().filter(({ metricKey }) => metricKey.name.startsWith("trunkline_sip_"))
        return new Map(metrics.map(({ metricKey }) => [metricKey.name, meterReading(metricKey.name)]))
      }
      const before = read()
      yield* carrierOf(connectionTo(9))
      const growth = (name: string) => (read().get(name) ?? 0) - (before.get(name) ?? 0)
      yield* until(() => growth("trunkline_sip_refused_packets_total") === 6)
      assert.strictEqual(growth("trunkline_sip_lost_packets_total"), 4)
      assert.strictEqual(growth("trunkline_sip_concealed_frames_total"), 5)
      assert.strictEqual(read().get("trunkline_sip_calls"), 3)
      assert.strictEqual(read().get("trunkline_sip_lateness_seconds"), 0.002)
    }).pipe(Effect.provide(lateMedia(2))))
})
