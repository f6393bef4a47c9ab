import { Agent, type ToolHandlers } from "@trunkline/agents"
import { AgentTools } from "@trunkline/conversation"
import { type CalleeLine, runTestCall } from "@trunkline/conversation/testing"
import { AppId, BusinessTime } from "@trunkline/kernel"
import { contentText, LanguageModel, type ModelRequest } from "@trunkline/models"
import { fakeModel, type FakeStep } from "@trunkline/models/testing"
import type { CallBrief } from "@trunkline/telephony"
import { Effect, Layer } from "effect"
import { promptAgent, quiet } from "../Fixtures.js"

export interface ActionCallOptions {
  /** Changes of the agent of the call, which greets with "Hello.". */
  readonly agent: object
  /** Versions of other agents, by their ids. */
  readonly others?: Readonly<Record<string, object>>
  readonly handlers?: ToolHandlers
  /** One response of the model for each request; the last one repeats. */
  readonly model: ReadonlyArray<ReadonlyArray<FakeStep>>
  readonly lines: ReadonlyArray<string | CalleeLine>
  readonly brief?: Partial<CallBrief>
}

/** Messages of a request but the instructions, as lines of `role: text`. */
export const told = (request: ModelRequest | undefined): ReadonlyArray<string> =>
  (request?.messages ?? []).slice(1).map((message) =>
    `${message.role}: ${message.content === null ? "-" : contentText(message.content)}`
  )

/** Instructions of a request. */
export const instructions = (request: ModelRequest | undefined): string => {
  const first = request?.messages[0]
  return first?.role === "system" ? first.content : ""
}

/** Holds a call in simulated time: its report, its line, and what the model was asked. */
export const actionCall = (
  { agent, brief = {}, handlers = {}, lines, model: script, others = {} }: ActionCallOptions
) => {
  const model = fakeModel(script)
  return runTestCall({
    version: promptAgent({ first_message: "Hello.", ...agent }),
    others: Object.entries(others).map(([app_id, changes]) =>
      new Agent({ app_id: AppId.make(app_id), versions: [promptAgent(changes)] })
    ),
    lines,
    brief
  }).pipe(
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
