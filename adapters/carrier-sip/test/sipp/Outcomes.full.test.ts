import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { hasTools } from "../../src/testing/PeerProcess.js"
import { startSipp } from "../../src/testing/Sipp.js"
import { pause, receive, respond, type Step } from "../../src/testing/SippScenario.js"
import { carrierOf, connectionTo, liveTests, planFor } from "../peers/World.js"

const live = liveTests()

const q850 = (cause: number) => [`Reason: Q.850;cause=${cause};text="some"`]

const refuses = (status: number, headers: ReadonlyArray<string> = []) => [
  receive("INVITE"),
  respond(status, { headers }),
  receive("ACK")
]

const rings = (status: number, headers: ReadonlyArray<string> = []) => [
  receive("INVITE"),
  respond(100, { tag: false }),
  respond(180),
  pause(50),
  respond(status, { headers }),
  receive("ACK")
]

const refused = "not dialled, sip: rejected_by_provider"
const down = "not dialled, sip: provider_unavailable"

const rows: ReadonlyArray<readonly [string, ReadonlyArray<Step>, string]> = [
  ...[486, 600].map((status) => [`is busy: ${status}`, refuses(status), "busy"] as const),
  ...[603, 607].map((status) => [`declines: ${status}`, rings(status), "busy, declined"] as const),
  ["is not there: 480", rings(480), "no_answer"],
  ["times out after ringing: 408", rings(408), "no_answer"],
  ...[404, 410, 484, 604].map((status) =>
    [`does not exist: ${status}`, refuses(status), "failed, sip: invalid_number"] as const
  ),
  ...[402, 403, 488, 606, 302].map((status) => [`may not be called: ${status}`, refuses(status), refused] as const),
  ...[408, 500, 502, 504].map((status) => [`cannot be reached: ${status}`, refuses(status), down] as const),
  ["is overloaded: 503", refuses(503, ["Retry-After: 30"]), `${down}, rest 30 s`],
  ["is overloaded after ringing: 503", rings(503), "provider_error, sip: provider_unavailable"],
  ["is busy by its cause: 17", rings(500, q850(17)), "busy"],
  ["declines by its cause: 21", rings(480, q850(21)), "busy, declined"],
  ["does not answer by its cause: 19", rings(500, q850(19)), "no_answer"],
  ["does not exist by its cause: 1", refuses(500, q850(1)), "failed, sip: invalid_number"],
  ["has no channel by its cause: 34", refuses(486, q850(34)), down]
]

/** Outcomes of a trunk of its own, in the options of a connection. */
const outcomeOptions = {
  outcomes: { statuses: { 480: "busy", 486: "provider_unavailable" }, causes: { 31: "invalid_number" } }
}

const rowsOfOwn: typeof rows = [
  ["is busy: 480", rings(480), "busy"],
  ["is down: 486", refuses(486), down],
  ["does not exist by its cause: 31", refuses(480, q850(31)), "failed, sip: invalid_number"],
  ["declines: 603", refuses(603), "busy, declined"]
]

describe.skipIf(!hasTools("sipp"))("a callee of the outcome table", () => {
  for (
    const [title, cases, options] of [
      ["gives each call its outcome", rows, {}],
      ["gives each call the outcome of its trunk", rowsOfOwn, outcomeOptions]
    ] as const
  ) {
    live(title, () =>
      Effect.gen(function*() {
        const callees = yield* Effect.forEach(
          cases,
          ([, steps]) => startSipp({ remote: null, steps }),
          { concurrency: 4 }
        )
        const connections = callees.map(({ port }, index) => connectionTo(port, options, `line-${index}`))
        const carrier = yield* carrierOf(...connections)
        const outcomes = yield* Effect.forEach(connections, (connection) =>
          carrier.place(planFor(connection)).pipe(
            Effect.flatMap((call) => Effect.flip(call.answer)),
            Effect.catchTag("DialFailed", (failed) => Effect.succeed(failed)),
            Effect.map((failed) =>
              [
                failed._tag === "NotAnswered"
                  ? failed.status
                  : failed.certainty === "provider"
                  ? "not dialled"
                  : "unknown",
                ...(failed.reason === null ? [] : [failed.reason]),
                ...(failed.retryAfter === undefined ? [] : [`rest ${failed.retryAfter} s`])
              ].join(", ")
            ),
            Effect.orDie
          ), { concurrency: "unbounded" })
        assert.deepStrictEqual(
          cases.map(([name], index) => [name, outcomes[index]]),
          cases.map(([name, , outcome]) => [name, outcome])
        )
        yield* Effect.forEach(callees, ({ outcome }) => outcome)
      }))
  }
})
