import { AgentTool } from "@trunkline/agents"
import { Either, ParseResult, Schema } from "effect"
import { type AllowedTool, type McpServer, nameOf } from "./McpSettings.js"
import { bounded } from "./ToolContent.js"

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: object
  /** Why the tool is not of the protocol; absent for one that is. */
  readonly fault?: string
}

/** The tools of a server that agents may use, and why others were left out. */
export interface ToolList {
  readonly tools: ReadonlyArray<AgentTool>
  readonly problems: ReadonlyArray<string>
}

/** Most tools of a server, and longest description of one in UTF-16 units: models pay for each with each request. */
const max = { tools: 64, description: 1_024 }

const decode = Schema.decodeUnknownEither(AgentTool)

const allowedTool = (name: string, allowList: McpServer["tools"]): AllowedTool | undefined => {
  if (allowList === undefined) return { name }
  const tool = allowList.find((tool) => nameOf(tool) === name)
  return typeof tool === "string" ? { name } : tool
}

/** Longest fault and name of a tool that a warning repeats, in UTF-16 units. */
const longest = { fault: 300, name: 64 }

const refusal = (name: string, fault: string): string =>
  `the tool ${bounded(name, longest.name)} cannot be used: ${bounded(fault, longest.fault)}`

/** The first fault of a tool, with its place. */
const faultOf = (error: ParseResult.ParseError): string => {
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
  return issue === undefined ? "it does not fit" : [issue.path.join("."), issue.message].filter(Boolean).join(": ")
}

/** Selects and checks the tools that a server lists. */
export const toolsOf = (listedTools: ReadonlyArray<ListedTool>, { tools: allowed }: McpServer): ToolList => {
  const problems: Array<string> = []
  const tools: Array<AgentTool> = []
  for (const { description = "", fault, inputSchema, name } of listedTools) {
    const policy = allowedTool(name, allowed)
    if (policy === undefined) continue
    if (fault !== undefined) {
      problems.push(refusal(name, fault))
      continue
    }
    if (tools.length === max.tools) {
      problems.push(`it has more than ${max.tools} tools: name those that agents need in tools`)
      break
    }
    const { $schema: _, ...parameters } = { $schema: undefined, ...inputSchema }
    const tool = decode({ ...policy, description: description.slice(0, max.description), parameters })
    if (Either.isRight(tool)) tools.push(tool.right)
    else problems.push(refusal(name, faultOf(tool.left)))
  }
  const lacking = allowed?.map(nameOf).filter((name) => !listedTools.some((tool) => tool.name === name)) ?? []
  return { tools, problems: [...problems, ...lacking.map((name) => `it has no tool ${name}`)] }
}
