import { AgentVersion } from "@trunkline/agents"
import { AgentTools } from "@trunkline/conversation"
import { runTestCall } from "@trunkline/conversation/testing"
import { VirtualClock } from "@trunkline/kernel"
import { type Completion, emptyCompletion, LanguageModel } from "@trunkline/models"
import { Effect, Layer, Schema, Stream } from "effect"
import { report } from "./report.js"

/** Tool uses of a call, calls of a run, and runs. */
const sizes = { uses: 8, turns: 5, calls: 10, runs: 5 }

const version = Schema.decodeUnknownSync(AgentVersion)({
  app_version: 1,
  committed: true,
  first_message: "Hello.",
  tools: [{
    name: "balance",
    description: "The balance of an account",
    parameters: { type: "object", properties: { account: { type: "integer" } }, required: ["account"] },
    filler: "I am looking."
  }]
})

/** Responses of one turn: requests of a tool with different arguments, and then words. */
const turnOf = (uses: number): ReadonlyArray<Completion> => [
  ...Array.from({ length: uses }, (_, account): Completion => ({
    ...emptyCompletion,
    finish: "tool_calls",
    toolRequests: [{ id: String(account), name: "balance", arguments: JSON.stringify({ account }) }]
  })),
  { ...emptyCompletion, finish: "stop", text: "It is twelve rupees." }
]

/** A model that answers at once, response by response. */
const modelOf = (script: ReadonlyArray<Completion>): LanguageModel["Type"] => {
  let next = 0
  return {
    generate: () => Effect.sync(() => script[next++] ?? emptyCompletion),
    stream: () => Stream.empty
  }
}

/** Milliseconds of a call with so many uses in each turn. */
const measure = async (uses: number): Promise<number> => {
  const from = performance.now()
  for (let index = 0; index < sizes.calls; index++) {
    const script = Array.from({ length: sizes.turns }, () => turnOf(uses)).flat()
    const handlers = { balance: () => Effect.succeed({ content: "12 rupees" }) }
    const lines = Array.from({ length: sizes.turns }, () => "How much is it?")
    await Effect.runPromise(
      VirtualClock.run(runTestCall({ version, lines, atEnd: "hangUp", conversation: { toolCallsInCall: 1_000 } })).pipe(
        Effect.provide(Layer.merge(Layer.succeed(LanguageModel, modelOf(script)), AgentTools.layerOf(handlers)))
      )
    )
  }
  return (performance.now() - from) / sizes.calls
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Time that one use of a tool adds to a call: the rules, the check of arguments, the use, its record, and the next request. */
export const measureTools = async (): Promise<void> => {
  await measure(sizes.uses)
  const rounds: Array<number> = []
  for (let run = 0; run < sizes.runs; run++) {
    const [without, withTools] = [await measure(0), await measure(sizes.uses)]
    rounds.push((withTools - without) / (sizes.uses * sizes.turns))
  }
  report({
    path: "tool round trip, time that ours adds, ms",
    ours: `p50 ${median(rounds).toFixed(3)}, most ${Math.max(...rounds).toFixed(3)}`,
    peer: "",
    ratio: "",
    goal: "2 ms"
  })
}
