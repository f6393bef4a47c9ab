import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { openai, type TelemetryOptions } from "trunkline"
import { attributesOf, type ReceivedSpan, startCollector } from "../../../../test/setup/Collector.js"
import { call, withTrunkline } from "../Fixtures.js"
import { sendCompletion, startServer } from "./ModelServer.js"

/** Runs a call whose agent asks a tool, and says goodbye. Returns its spans and the requests of its model. */
const traceOf = (telemetry: TelemetryOptions, isModelUp = true) =>
  Effect.gen(function*() {
    const collector = yield* startCollector()
    const model = yield* startServer(({ body }, response) => {
      if (!isModelUp) return void response.writeHead(500).end()
      if (!body.includes("\"role\":\"tool\"")) {
        return sendCompletion(response, { text: "", tool: { name: "table", arguments: `{"for":4}` } })
      }
      sendCompletion(response, { text: "It is booked.", tool: { name: "end_call", arguments: "{}" } })
    })
    yield* Effect.promise(() =>
      withTrunkline({
        agents: [{
          app_id: "reminder",
          prompt: "Book.",
          tools: [{ name: "table", description: "Books", run: () => "window seat" }]
        }],
        model: openai({ baseUrl: `${model.url}/v1`, model: "small" }),
        telemetry: { endpoint: collector.endpoint, ...telemetry }
      }, async ({ calls }) => void await (await calls.create(call)).ended)
    )
    return { received: model.received, spans: collector.spans, bodies: collector.bodies.join("") }
  })

/** Names of spans from the root down. */
const treeOf = (spans: ReadonlyArray<ReceivedSpan>, parent: ReceivedSpan | undefined): ReadonlyArray<unknown> =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId)
    .toSorted((one, other) => Number(BigInt(one.startTimeUnixNano) - BigInt(other.startTimeUnixNano)))
    .map((span) => {
      const below = treeOf(spans, span)
      return below.length === 0 ? span.name : [span.name, ...below]
    })

const callSpans = (spans: ReadonlyArray<ReceivedSpan>) => {
  const root = spans.find(({ name }) => name === "call outbound")
  return spans.filter(({ traceId }) => traceId === root?.traceId)
}

describe("the trace of a call", () => {
  it.scopedLive("is one, turn by turn, and goes on at the server of the model", () =>
    Effect.gen(function*() {
      const { bodies, received, spans } = yield* traceOf({ serviceName: "desk" })
      const trace = callSpans(spans)
      assert.deepStrictEqual(treeOf(trace, undefined), [
        ["call outbound", [
          "invoke_agent reminder",
          "turn",
          ["turn", "chat core-105b-conversations", "execute_tool table", "chat core-105b-conversations"]
        ]]
      ])
      const [first, second] = trace.filter(({ name }) => name.startsWith("chat"))
      assert.deepStrictEqual(
        received.map(({ headers }) => headers["traceparent"]),
        [first, second].map((span) => `00-${span?.traceId}-${span?.spanId}-01`)
      )
      assert.include(attributesOf(second), {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "core-105b-conversations",
        "gen_ai.usage.input_tokens": 30,
        "gen_ai.usage.output_tokens": 5
      })
      assert.include(attributesOf(trace.find(({ name }) => name === "execute_tool table")), {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "table",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "call_1"
      })
      assert.notMatch(bodies, /window|booked|\{\\"for/)
    }))

  it.scopedLive("has the texts of prompts, answers and tools where they are asked for", () =>
    Effect.gen(function*() {
      const { spans } = yield* traceOf({ texts: true })
      const trace = callSpans(spans)
      const tool = attributesOf(trace.find(({ name }) => name === "execute_tool table"))
      assert.include(tool, { "gen_ai.tool.call.arguments": `{"for":4}`, "gen_ai.tool.call.result": "window seat" })
      const last = attributesOf(trace.findLast(({ name }) => name.startsWith("chat")))
      assert.include(String(last["gen_ai.system_instructions"]), "Book.")
      assert.include(String(last["gen_ai.input.messages"]), "tool_call")
      assert.include(String(last["gen_ai.output.messages"]), "It is booked.")
    }))

  it.scopedLive("is exported if the call has failed, also where none is asked for", () =>
    Effect.gen(function*() {
      const fine = yield* traceOf({ sampling: 0 })
      assert.deepStrictEqual(fine.spans, [])
      const failed = yield* traceOf({ sampling: 0 }, false)
      const names = callSpans(failed.spans).filter(({ status }) => status.code === 2).map(({ name }) => name)
      assert.includeMembers(names, ["chat core-105b-conversations", "call outbound"])
    }))
})
