import { type AgentVersion, type LineTool, lineTools, type TransferTarget } from "@trunkline/agents"
import type { ModelTool, ToolRequest } from "@trunkline/models"

/** Longest summary that the person of a warm transfer is told, in characters. */
export const maxSummary = 600

const isToldByModel = ({ briefing, kind }: TransferTarget): boolean => kind === "warm" && briefing === undefined

const transferTool = (targets: ReadonlyArray<TransferTarget>): ModelTool => {
  const needsSummary = targets.some(isToldByModel)
  return {
    name: "transfer_call",
    description:
      `Connects the caller with a person, after which you leave the call. Say first that you will do so. Targets: ${
        targets.map(({ description, name }) => `${name}: ${description}`).join("; ")
      }`,
    parameters: {
      type: "object",
      properties: {
        target: { type: "string", enum: targets.map(({ name }) => name) },
        ...(needsSummary && {
          summary: {
            type: "string",
            maxLength: maxSummary,
            description:
              "What the person is told before they speak with the caller: who calls, and what about, in one or two sentences"
          }
        })
      },
      required: ["target"]
    }
  }
}

const keysTool: ModelTool = {
  name: "send_digits",
  description: "Presses keys of the telephone, such as in a menu of another system, or an extension.",
  parameters: {
    type: "object",
    properties: {
      digits: {
        type: "string",
        pattern: "^[0-9*#A-Dw]{1,64}$",
        description: "Keys in order: 0 to 9, *, # and A to D; w waits half a second"
      }
    },
    required: ["digits"]
  }
}

/** The tools for the line of the call that a version offers to its model. */
export const lineToolsOf = ({ send_digits, transfers = [] }: AgentVersion): ReadonlyArray<ModelTool> => [
  ...(transfers.length > 0 ? [transferTool(transfers)] : []),
  ...(send_digits === true ? [keysTool] : [])
]

/** True for a request of a tool of that name that the version offers. */
export const isLineTool = (version: AgentVersion, name: string): name is LineTool =>
  lineTools.some((tool) => tool === name) && lineToolsOf(version).some((tool) => tool.name === name)

/** True where one of the requests transfers the call, whose caller then hears a hold message of its own. */
export const transfers = (version: AgentVersion, requests: ReadonlyArray<ToolRequest>): boolean =>
  requests.some(({ name }) => name === "transfer_call" && isLineTool(version, name))
