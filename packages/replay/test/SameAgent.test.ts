import { assert, describe, it } from "@effect/vitest"
import { collections } from "@trunkline/agents/testing"
import { Effect, FastCheck as fc } from "effect"
import { agentVersion, holdTraced, readTrace, replayed } from "./Fixtures.js"

const scripted = agentVersion(collections)

const prompted = agentVersion({
  prompt: "You remind {{name}} of a table.",
  output_variables: [{ name: "coming", required: true }],
  tools: [{ name: "free_tables", description: "Finds free tables.", parameters: { type: "object" } }]
})

const word = fc.constantFrom(
  "yes",
  "no",
  "I paid it yesterday",
  "who is this",
  "call me tomorrow at five",
  "goodbye",
  "maybe"
)

const line = fc.record({
  say: word,
  after: fc.constantFrom("300 millis", "2 seconds", "9 seconds"),
  interruptAt: fc.option(fc.constantFrom(0, 0.3, 0.8), { nil: undefined }),
  hangUp: fc.boolean().map((hangs) => hangs ? true : undefined)
}, { requiredKeys: ["say"] })

const callers = fc.record({
  lines: fc.array(
    line.map((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined))),
    { maxLength: 8 }
  ),
  atEnd: fc.constantFrom("silent" as const, "hangUp" as const)
})

describe("a replay through the same version", () => {
  for (const [name, version] of [["script", scripted], ["prompt", prompted]] as const) {
    it.effect.prop(`changes nothing, with a ${name}`, { caller: callers }, ({ caller }) =>
      Effect.gen(function*() {
        const brief = { agent_variables: { name: "Asha", amount: 5_000, due_date: "2026-12-01" } }
        const { text } = yield* holdTraced({ version, ...caller, brief })
        const replay = yield* replayed(readTrace(text), version)
        assert.deepStrictEqual(replay.differences, [])
        assert.strictEqual(replay.status, "same")
        assert.isNull(replay.divergence)
        assert.deepStrictEqual(replay.after, replay.before)
      }), { fastCheck: { numRuns: 12 } })
  }
})
