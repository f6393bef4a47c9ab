import { Agent, AgentCatalog, AgentVersion } from "@trunkline/agents"
import { Conversation, ConversationTapes } from "@trunkline/conversation"
import { scriptedLeg, testCallBrief } from "@trunkline/conversation/testing"
import { callTracesLayer, RecordingKeys } from "@trunkline/engine"
import { EntropyNode } from "@trunkline/entropy-node"
import { FilesDisk } from "@trunkline/files-disk"
import { AttemptId, unchecked, VirtualClock } from "@trunkline/kernel"
import { CallTraces, redactDefaults, replayCalls, traceTapes } from "@trunkline/replay"
import { ScriptedModel } from "@trunkline/scripted-model"
import { CallHandler } from "@trunkline/telephony"
import { Effect, Layer, Redacted, Schema } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { report } from "./report.js"

/** Calls of a day, distinct conversations among them, and turns of the caller in each. */
const calls = 10_000
const distinct = 100
const turns = 10

const versionOf = (greeting: string) =>
  Schema.decodeUnknownSync(AgentVersion)({
    app_version: 1,
    committed: true,
    first_message: greeting,
    script: [
      ...Array.from(
        { length: turns - 1 },
        (_, index) => ({ id: `ask_${index}`, say: `${greeting} Question ${index}?` })
      ),
      { id: "last", say: "Was that all?", expect: [{ match: ["yes"], set: { done: true }, go: "goodbye" }] }
    ]
  })

const [before, after] = [versionOf("Hello {{name}}."), versionOf("Good day {{name}}.")]

const catalogOf = (version: AgentVersion) =>
  AgentCatalog.layerOf([new Agent({ app_id: testCallBrief.app_id, versions: [version] })])

const linesOf = (call: number) =>
  Array.from({ length: turns }, (_, turn) => turn === turns - 1 ? "yes" : `answer ${(call * 7 + turn) % 13} to it`)

/** Holds a call in virtual time, and hands its trace over. */
const hold = (call: number, version: AgentVersion, onTrace: ((trace: string) => void) | null) => {
  const tapes = onTrace === null
    ? Layer.empty
    : Layer.succeed(
      ConversationTapes,
      traceTapes({ redact: redactDefaults, keep: (_, trace) => Effect.sync(() => onTrace(trace)) })
    )
  return VirtualClock.run(
    Effect.gen(function*() {
      const { leg } = yield* scriptedLeg(linesOf(call))
      const { handle } = yield* CallHandler
      return yield* handle(leg, { ...testCallBrief, agent_variables: { name: `Caller ${call}` } })
    }).pipe(
      Effect.provide(Layer.provide(Conversation.layer, [tapes, catalogOf(version), ScriptedModel.layer()]))
    ),
    { start: Date.UTC(2026, 10, 30) }
  )
}

const idOf = (call: number) =>
  AttemptId.make(`00000000-0000-7000-8000-${call.toString(16).padStart(12, "0")}`, unchecked)

const timed = async <A>(work: () => Promise<A>): Promise<readonly [seconds: number, cpu: number, result: A]> => {
  const [at, used] = [performance.now(), process.cpuUsage()]
  const result = await work()
  const { system, user } = process.cpuUsage(used)
  return [(performance.now() - at) / 1_000, (system + user) / 1e6, result]
}

/** A day of calls, replayed from their sealed traces on the disk, and held again in virtual time without traces. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-replay-"))
  try {
    const keys = Layer.provide(RecordingKeys.layer([Redacted.make("k".repeat(32))]), EntropyNode.layer)
    const store = Layer.provide(callTracesLayer, Layer.merge(FilesDisk.layer(folder), keys))
    const traces: Array<string> = []
    for (let call = 0; call < distinct; call++) {
      await Effect.runPromise(hold(call, before, (trace) => void traces.push(trace)))
    }
    const [anew] = await timed(async () => {
      for (let call = 0; call < distinct; call++) await Effect.runPromise(hold(call, after, null))
    })
    const heldSeconds = anew / distinct * calls
    await Effect.runPromise(
      Effect.flatMap(CallTraces, ({ keep }) =>
        Effect.forEach(
          Array.from({ length: calls }, (_, call) => call),
          (call) => keep(testCallBrief.scope, idOf(call), traces[call % distinct] ?? ""),
          { concurrency: 8, discard: true }
        )).pipe(Effect.provide(store))
    )
    const replayed = (version: AgentVersion) =>
      Effect.runPromise(
        Effect.flatMap(CallTraces, ({ find }) =>
          replayCalls({
            ids: Array.from({ length: calls }, (_, call) => idOf(call)),
            traceOf: (id) => find(testCallBrief.scope, id),
            partsOf: () => Effect.succeed({ scope: testCallBrief.scope, version, model: null })
          })).pipe(Effect.provide(Layer.merge(store, catalogOf(version))))
      )
    const [sameSeconds, sameCpu, same] = await timed(() => replayed(before))
    const [seconds, cpu, changed] = await timed(() => replayed(after))
    if (same.same !== calls || changed.changed !== calls) {
      throw new Error(`The replays are wrong: ${JSON.stringify({ same, changed })}`)
    }
    console.log(
      `  ${calls} calls of ${turns} turns, the same agent: ${sameSeconds.toFixed(1)} s, ${sameCpu.toFixed(1)} s of CPU`
    )
    console.log(`  the same with other words: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU`)
    console.log(`  held again in virtual time, from ${distinct} calls: ${heldSeconds.toFixed(1)} s`)
    report({
      path: `replay of a day of ${calls} calls of ${turns} turns from sealed traces, seconds`,
      ours: `${sameSeconds.toFixed(1)}; ${seconds.toFixed(1)} with other words in each call`,
      peer: `the same calls held again in virtual time ${heldSeconds.toFixed(1)}`,
      ratio: `${(seconds / heldSeconds).toFixed(2)} times`,
      goal: "60 s"
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
