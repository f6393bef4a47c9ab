import { assert, describe, it } from "@effect/vitest"
import { AttemptId } from "@trunkline/kernel"
import { Connection, isAudioLine, type LineEvent } from "@trunkline/telephony"
import { Effect, Schema } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { untilOnTime } from "../../../test/setup/OnTime.js"
import { until } from "./Cases.js"
import { connect, events, type Provider } from "./Host.js"
import { providers } from "./Providers.js"

const Placed = Schema.Struct({ provider_call_id: Schema.String, attempt_id: AttemptId })

/** Makes a call in a process of its own, and kills that process while the call rings. */
const dialAndDie = (connection: Connection, { environment }: Provider) =>
  Effect.promise(async () => {
    const line = JSON.stringify(Schema.encodeSync(Connection)(connection))
    const child = fork(fileURLToPath(new URL("DialProgram.ts", import.meta.url)), [line], {
      env: { ...process.env, ...environment },
      execArgv: ["--conditions=@trunkline/source", "--import", "tsx"]
    })
    const [message] = await once(child, "message")
    child.kill("SIGKILL")
    await once(child, "exit")
    return Schema.decodeUnknownSync(Placed)(message)
  })

describe.each(providers)("a process of $double.provider that is killed while a call rings", (provider) => {
  it.scopedLive("is followed by one that takes the stream of the call, without a second call", (context) =>
    untilOnTime(
      context,
      Effect.gen(function*() {
        const reactionOf = () => ({ kind: "answers", afterMillis: 3_000 }) as const
        const { carrier, connection, double } = yield* connect(provider, { reactionOf })
        const placed = yield* dialAndDie(connection, provider)
        assert.strictEqual(double.calls[0]?.person, null)
        const status = yield* carrier.lookup({ ...placed, connection })
        if (status._tag !== "Live") return yield* Effect.dieMessage(`The call is ${status._tag}`)
        assert.isFalse(status.connected)
        const line = yield* status.call.answer
        if (!isAudioLine(line)) return yield* Effect.dieMessage("The call has no sound")
        const heard: Array<LineEvent> = []
        line.hear((event) => event._tag !== "Frame" && heard.push(event))
        line.play(new Float32Array(line.rate / 10).fill(0.2), 1)
        yield* until(() => heard.length > 0)
        assert.deepStrictEqual(heard, [{ _tag: "Reached", mark: 1 }])
        yield* line.hangUp
        yield* until(() => double.calls[0]?.facts.state === "completed")
        assert.strictEqual(double.calls.length, 1)
        assert.strictEqual(double.countDials(placed.attempt_id), 1)
        assert.deepStrictEqual(double.problems(), [])
      }).pipe(Effect.provide(events))
    ))
})
