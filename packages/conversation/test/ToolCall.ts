import type { AgentTool, ToolHandlers } from "@trunkline/agents"
import { AgentTools, type ConversationOptions } from "@trunkline/conversation"
import { type CalleeLine, runTestCall } from "@trunkline/conversation/testing"
import { BusinessTime } from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import { ends, fakeModel, type FakeStep, says, sends } from "@trunkline/models/testing"
import { Effect, Layer } from "effect"
import { promptAgent, quiet } from "./Fixtures.js"

/** A response that asks for a tool, with words before it. */
export const uses = (name: string, input: unknown = {}, words = ""): ReadonlyArray<FakeStep> => [
  ...(words === "" ? [] : says(words)),
  sends(
    { _tag: "ToolStart", index: 0, id: "1", name },
    { _tag: "ToolArgs", index: 0, text: typeof input === "string" ? input : JSON.stringify(input) }
  ),
  ends(1)
]

/** A response that asks for several tools. */
export const usesAll = (names: ReadonlyArray<string>): ReadonlyArray<FakeStep> => [
  sends(...names.flatMap((name, index) => [
    { _tag: "ToolStart" as const, index, id: String(index), name },
    { _tag: "ToolArgs" as const, index, text: "{}" }
  ])),
  ends(1)
]

/** A response that ends the call. */
export const done = [...says("Goodbye."), ...uses("end_call")]

/** A call with tools of an agent that greets with "Hello." */
export interface ToolCallOptions {
  /** Policies of the tools, by name. */
  readonly tools: Readonly<Record<string, Partial<AgentTool>>>
  readonly handlers: ToolHandlers
  /** One response of the model for each request; the last one repeats. */
  readonly model: ReadonlyArray<ReadonlyArray<FakeStep>>
  readonly lines?: ReadonlyArray<string | CalleeLine>
  readonly conversation?: Partial<ConversationOptions>
  /** Longest time of the call in seconds. */
  readonly seconds?: number
}

/** Holds a call in simulated time, in which tools take time: returns its report, its line and what the model was asked. */
export const toolCall = (
  { conversation = {}, handlers, lines = ["Please"], model: script, seconds = 600, tools }: ToolCallOptions
) => {
  const model = fakeModel(script)
  const version = promptAgent({
    first_message: "Hello.",
    max_duration_seconds: seconds,
    tools: Object.entries(tools).map(([name, tool]) => ({ name, description: name, ...tool }))
  })
  return runTestCall({ version, lines, conversation }).pipe(
    Effect.provide(Layer.merge(Layer.succeed(LanguageModel, model), AgentTools.layerOf(handlers))),
    Effect.provideService(BusinessTime, BusinessTime.fromClock(0)),
    Effect.map(({ log, report }) => ({
      report,
      log,
      requests: model.calls.map(({ request }) => request),
      tools: report.transcript.filter(({ role }) => role === "tool")
    })),
    quiet
  )
}
