import type { specTypeSchemas, Transport } from "@modelcontextprotocol/client"
import type { ListedTool } from "./ToolList.js"

/** The protocol's schema of a tool. */
type ToolSchema = typeof specTypeSchemas.Tool

/** Takes tools that are not of the protocol out of the lists that a server sends, since one of them would cost all others. */
export interface ToolSieve {
  /** Watches the answers that a transport brings. */
  readonly watch: (transport: Transport) => void
  /** Begins with a new list. */
  readonly clear: () => void
  /** The tools that were taken out since then, each with its fault. */
  readonly faulty: () => ReadonlyArray<ListedTool>
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Tools of a message that is an answer with a list of them. */
const toolsIn = (message: unknown): ReadonlyArray<unknown> | undefined => {
  const tools = fieldOf(fieldOf(message, "result"), "tools")
  return Array.isArray(tools) ? tools : undefined
}

/** The fault of a tool as `inputSchema.type: …`; undefined without one. */
const faultOf = (schema: ToolSchema, tool: unknown): string | undefined => {
  const result = schema["~standard"].validate(tool)
  const [issue] = "issues" in result ? result.issues ?? [] : []
  if (issue === undefined) return undefined
  const path = (issue.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")
  return path === "" ? issue.message : `${path}: ${issue.message}`
}

/** The fault of a result's schema, which follows the rules of that of the arguments in the protocol before 2026-07-28. */
const resultFaultOf = (schema: ToolSchema, tool: unknown): string | undefined => {
  const inputSchema = fieldOf(tool, "outputSchema")
  return inputSchema === undefined
    ? undefined
    : faultOf(schema, { name: "result", inputSchema })?.replace(/^inputSchema/, "outputSchema")
}

/** Parts of a session that its sieve needs. */
interface SieveOptions {
  readonly schema: ToolSchema
  /** True when the session has a protocol before 2026-07-28. */
  readonly isLegacy: () => boolean
}

/** Makes a sieve for one session. */
export const makeToolSieve = ({ isLegacy, schema }: SieveOptions): ToolSieve => {
  let faulty: Array<ListedTool> = []

  const isSound = (tool: unknown): boolean => {
    const fault = faultOf(schema, tool) ?? (isLegacy() ? resultFaultOf(schema, tool) : undefined)
    if (fault === undefined) return true
    const name = fieldOf(tool, "name")
    faulty.push({ name: typeof name === "string" ? name : "without a name", inputSchema: {}, fault })
    return false
  }

  const sift = <Message>(message: Message): Message => {
    const tools = toolsIn(message)
    const sound = tools?.filter(isSound)
    return sound === undefined || sound.length === tools?.length
      ? message
      : { ...message, result: { ...Object(fieldOf(message, "result")), tools: sound } }
  }

  return {
    watch: (transport) => {
      let listener: Transport["onmessage"]
      Object.defineProperty(transport, "onmessage", {
        get: () => listener,
        set: (handler: Transport["onmessage"]) => {
          listener = handler === undefined || handler === listener
            ? handler
            : (message, extra) => handler(sift(message), extra)
        }
      })
    },
    clear: () => void (faulty = []),
    faulty: () => faulty
  }
}
