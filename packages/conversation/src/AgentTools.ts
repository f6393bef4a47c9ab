import type { ToolHandlers } from "@trunkline/agents"
import { Context, Layer } from "effect"

/** The embedder's handlers of agents' tools, by tool name; none by default. */
export class AgentTools extends Context.Reference<AgentTools>()("@trunkline/conversation/AgentTools", {
  defaultValue: (): ToolHandlers => ({})
}) {
  /** These handlers, for every agent that lists their tools. */
  static readonly layerOf = (handlers: ToolHandlers) => Layer.succeed(AgentTools, handlers)
}
