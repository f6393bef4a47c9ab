import { assert, describe, it } from "@effect/vitest"
import { freePort, hasTools, pause, receive, request, sdp, startSipp } from "@trunkline/carrier-sip/testing"
import { Effect } from "effect"
import { createTrunkline } from "trunkline"
import { untilOnTime } from "../../../../test/setup/OnTime.js"

const number = "+911140000001"

/** Callers who talk at once, as many as the line has channels. */
const callers = 30

/** Milliseconds for which each of them stays. */
const stay = 8_000

describe.skipIf(!hasTools("sipp"))("a line with thirty channels", () => {
  it.scopedLive("carries thirty callers at once with the defaults of everything else", (context) =>
    untilOnTime(
      context,
      Effect.gen(function*() {
        const port = yield* freePort()
        const trunkline = yield* Effect.acquireRelease(
          Effect.promise(() =>
            createTrunkline({
              data: ":memory:",
              agents: [{ app_id: "desk", first_message: "Hello" }],
              lines: [{
                connection_id: "line",
                provider: "sip",
                phone_numbers: [number],
                max_channels: callers,
                options: {
                  server: "sip:127.0.0.1",
                  local: { address: "127.0.0.1", port },
                  inbound: { allow: ["127.0.0.1"], invites_per_second: 100 },
                  max_lateness_millis: 10_000
                }
              }],
              voices: [{
                rate: 8_000,
                async *speak() {
                  yield new Float32Array(800).fill(0.1)
                }
              }],
              transcriber: { transcribe: () => Promise.resolve("") }
            })
          ),
          (trunkline) => Effect.promise(() => trunkline.close())
        )
        yield* Effect.promise(() =>
          trunkline.deployments.create({
            name: "Desk",
            app_id: "desk",
            app_version: 1,
            connection_configs: [{ connection_id: "line", phone_numbers: [number] }]
          })
        )
        const sipp = yield* startSipp({
          remote: port,
          service: number,
          calls: callers,
          rate: 20,
          limit: callers,
          timeout: 120,
          steps: [
            request("INVITE", { inDialog: false, body: sdp() }),
            receive(100, { optional: true }),
            receive(180, { optional: true }),
            receive(200),
            request("ACK"),
            pause(stay),
            request("BYE", { cseq: 2 }),
            receive(200)
          ]
        })
        let most = 0
        const look = Effect.promise(async () => {
          const { items: [line] } = await trunkline.lines.list()
          most = Math.max(most, line?.calls ?? 0)
        })
        yield* Effect.raceFirst(sipp.outcome, Effect.forever(Effect.delay(look, "100 millis")))
        assert.strictEqual(most, callers)
      }),
      undefined,
      "150 seconds"
    ))
})
