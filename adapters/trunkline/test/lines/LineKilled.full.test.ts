import { assert, describe, it } from "@effect/vitest"
import {
  freePort,
  hasTools,
  receive,
  receiveCall,
  respond,
  sdp,
  startPeer,
  startSipp,
  temporaryFolder
} from "@trunkline/carrier-sip/testing"
import { Effect } from "effect"
import { join } from "node:path"

const program = join(import.meta.dirname, "LineProgram.ts")

/** Steps of somebody who answers and listens until the other side hangs up. */
const steps = [
  receiveCall(),
  respond(180),
  respond(200, { body: sdp() }),
  receive("ACK"),
  receive("BYE"),
  respond(200, { tag: false })
]

const people = ["Asha", "Binod", "Chitra", "Dev"]

interface Ended {
  readonly connectivity_status: string | null
  readonly failure_reason: string | null
  readonly transcript: ReadonlyArray<string> | null
}

const isEnded = (value: unknown): value is Ended => typeof value === "object" && value !== null && "transcript" in value

const endedIn = (output: string): ReadonlyArray<Ended> =>
  output.split("\n").filter((line) => line.startsWith("{")).map((line): unknown => JSON.parse(line)).filter(isEnded)

const until = (isDone: () => boolean) => Effect.repeat(Effect.delay(Effect.sync(isDone), 50), { until: (done) => done })

/** Times that a text is in another. */
const count = (text: string, part: RegExp) => text.match(part)?.length ?? 0

describe.skipIf(!hasTools("sipp"))("a process with a SIP line", () => {
  it.scopedLive("is killed in the middle of two calls: the next one hangs them up, keeps what was heard, and goes on", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const local = yield* freePort()
      const callees = yield* startSipp({ remote: null, steps, calls: people.length, timeout: 240 })
      const start = (...further: ReadonlyArray<string>) =>
        startPeer(process.execPath, [
          "--conditions=@trunkline/source",
          "--import",
          "tsx",
          program,
          folder,
          String(callees.port),
          String(local),
          ...further
        ], { cwd: join(import.meta.dirname, ".."), ending: "SIGKILL" })
      const answered = () => count(callees.messages(), /^ACK sip/gm)

      const first = yield* start(people.join(","))
      yield* until(() => answered() === 2)
      // In the middle of the greeting, whose first clause is stored by then.
      yield* Effect.sleep("3500 millis")
      yield* first.signal("SIGKILL")
      yield* first.exitCode

      const second = yield* start()
      yield* until(() => endedIn(second.output()).length === 2 && answered() === 4)
      yield* second.signal("SIGTERM")
      yield* callees.outcome

      const cut = endedIn(second.output()).slice(0, 2)
      for (const { connectivity_status, failure_reason, transcript } of cut) {
        assert.strictEqual(connectivity_status, "connected")
        assert.strictEqual(failure_reason, "internal: the engine stopped during the call")
        assert.match(transcript?.join("\n") ?? "", /^agent: Hello (Asha|Binod)\./)
      }
    }))
})
