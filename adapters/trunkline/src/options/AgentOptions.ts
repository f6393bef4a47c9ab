import type {
  Agent,
  AgentTool,
  AgentVersion,
  HttpRequest,
  OfferedSecret,
  OfferedServer
} from "../generated/Resources.js"
import type { OutputOf, StandardSchema } from "./ToolSchema.js"

/** Values of variables by name. */
export type Variables = Readonly<Record<string, string | number | boolean | null>>

/** Control of the recording of a call. On a call that is not recorded it does nothing. */
export interface CallRecording {
  /** Begins to record a call whose agent asks for consent (`recording: { consent: "ask" }`). */
  readonly consent: () => void
  /** Writes silence from now on, on both sides, until `resume` was called as often as `pause`. */
  readonly pause: () => void
  readonly resume: () => void
}

/** A call in which a tool is used. */
export interface ToolContext {
  readonly attempt_id: string
  /** Workspace of the call, as `org/workspace`. */
  readonly workspace: string
  readonly app_id: string
  readonly app_version: number
  readonly direction: "inbound" | "outbound"
  readonly user_phone_number: string
  readonly agent_phone_number: string
  /** Variables of the call, with those that earlier tools have set. */
  readonly variables: Variables
  /** English name of the language that is being spoken. */
  readonly language_name: string
  /** Digits that the caller has entered (`digit_entries`), by the name of their entry. */
  readonly digits: Readonly<Record<string, string>>
  /** Recording of the call. */
  readonly recording: CallRecording
  /** Aborts when the tool takes too long, or the longest time of the call is over. A tool goes on when somebody hangs up. */
  readonly signal: AbortSignal
}

/** Result of a tool that sets variables. */
export interface ToolOutput {
  /** Content for the model: a text, or a value that is encoded as JSON. */
  readonly content: unknown
  /** Variables and output variables to set. */
  readonly set?: Variables
}

/** A tool with its function; `defineTool` gives its arguments their types. */
export interface Tool extends Omit<AgentTool, "parameters" | "http"> {
  /**
   * The arguments, which are an object: a schema of zod or of another library with the Standard Schema interface, or JSON
   * Schema. Arguments are checked: the model is told of wrong ones, and `run` gets them as a schema of a library reads them.
   */
  readonly parameters?: AgentTool["parameters"] | StandardSchema
  /** JSON Schema of `parameters`, for a schema of a library that does not write it. */
  readonly jsonSchema?: AgentTool["parameters"]
  /**
   * Executes the tool. The result, a text or any JSON value, goes to the model; return `toolOutput` to set variables as
   * well. The model receives the message of an error that this throws, and can tell the caller.
   */
  readonly run: (input: Readonly<Record<string, unknown>>, call: ToolContext) => unknown
}

/** A tool whose arguments have the types of its schema. */
export interface TypedTool<Parameters extends StandardSchema> extends Omit<Tool, "parameters" | "run"> {
  /** The arguments, which are an object: a schema of zod or of another library with the Standard Schema interface. */
  readonly parameters: Parameters
  /** Executes the tool, with arguments that the schema has read; otherwise like `run` of `Tool`. */
  readonly run: (input: OutputOf<Parameters>, call: ToolContext) => unknown
}

/**
 * Returns a tool as it is, with the types of its schema for the arguments of `run`.
 *
 * @example
 * ```ts
 * const findTable = defineTool({
 *   name: "find_table",
 *   description: "Finds a free table",
 *   parameters: z.object({ people: z.number().int() }),
 *   run: ({ people }) => `There is a table for ${people}`
 * })
 * ```
 */
export const defineTool = <Parameters extends StandardSchema>(tool: TypedTool<Parameters>): Tool => // The engine gives `run` what the schema has read, and nothing else.
({ ...tool, run: tool.run as Tool["run"] })

/** A tool that is a request over HTTP. Values of `{{secrets.name}}` are the option `toolSecrets`. */
export interface HttpTool extends AgentTool {
  readonly http: HttpRequest
}

/** A version of an agent, with the functions of its tools. */
export interface VersionOptions extends Omit<AgentVersion, "tools"> {
  readonly tools?: ReadonlyArray<Tool | HttpTool>
}

/** Identity of an agent, in one place for both forms: editors explain a field only when it is the same in all forms. */
interface Identified {
  /** Id of the agent, chosen by you. */
  readonly app_id: string
}

/** An agent with numbered versions. */
export interface VersionedAgentOptions extends Identified, Omit<Agent, "app_id" | "versions"> {
  readonly versions: readonly [VersionOptions, ...ReadonlyArray<VersionOptions>]
}

/** An agent of one version, which takes calls. */
export interface SingleAgentOptions extends Identified, Omit<VersionOptions, "app_version" | "committed"> {}

/** An agent: of one version, or with numbered ones. */
export type AgentOptions = SingleAgentOptions | VersionedAgentOptions

/** Functions, secrets and servers that agents of workspaces, which are made over HTTP, may use by their names. */
export interface WorkspaceAgentOptions {
  /** Functions: a tool of such an agent with the name of one, and without `http`, runs it. */
  readonly functions?: ReadonlyArray<Tool>
  /** Secrets of `toolSecrets`, each with the services that may receive it. */
  readonly secrets?: ReadonlyArray<OfferedSecret>
  /** Servers of `mcpServers`. */
  readonly mcpServers?: ReadonlyArray<OfferedServer>
}

/** Result of a tool with variables to set. */
export class SettingOutput implements ToolOutput {
  constructor(readonly content: unknown, readonly set: Variables) {}
}

const isVariable = (value: unknown): boolean =>
  value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)

/** Makes the result of a tool that sets variables. Throws a `TypeError` for a value that no variable can have. */
export const toolOutput = (content: unknown, set: Variables): ToolOutput => {
  const [wrong] = Object.entries(set).find(([, value]) => value !== undefined && !isVariable(value)) ?? []
  if (wrong !== undefined) {
    throw new TypeError(`toolOutput: ${wrong}: a variable is a text, a number, true, false or null`)
  }
  return new SettingOutput(content, set)
}
