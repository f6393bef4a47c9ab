import type { ModelTool } from "@trunkline/models"
import { Effect } from "effect"
import type { AgentVersion } from "./AgentVersion.js"
import type { ToolHandlers } from "./DefineAgent.js"

/** Name of the tool by which a model tells that the caller agrees to be recorded. */
const recordingTool = "record_call"

const tool: ModelTool = {
  name: recordingTool,
  description:
    "Records the call from now on. Ask the caller first if the call may be recorded, and use this only after a clear yes. "
    + "After a no, go on without it.",
  parameters: { type: "object", properties: {} }
}

const asks = ({ recording }: AgentVersion): boolean =>
  recording !== undefined && recording.enabled && recording.consent === "ask"

/** The tool that a version which asks for consent offers to its model; none for others. */
export const recordingToolsOf = (version: AgentVersion): ReadonlyArray<ModelTool> => asks(version) ? [tool] : []

/** The handler of the tool; none for versions that do not ask. */
export const recordingHandlers = (version: AgentVersion): ToolHandlers =>
  asks(version)
    ? {
      [recordingTool]: (_input, { recording }) =>
        recording === undefined
          ? Effect.succeed({ content: "This call is not recorded." })
          : Effect.as(recording.consent, { content: "The call is recorded from now on." })
    }
    : {}
