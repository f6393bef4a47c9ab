import { AgentTool } from "@trunkline/agents"
import { Schema, Struct } from "effect"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const texts = Schema.Record({ key: Schema.String, value: Schema.String })

/** A tool that agents may use, by its name at the server, and how conversations treat it. */
const AllowedTool = Schema.Struct({
  name: Schema.NonEmptyString,
  ...Struct.pick(AgentTool.fields, "timeout_seconds", "filler", "once", "on_interruption")
})
export type AllowedTool = typeof AllowedTool.Type

const common = {
  /** Name by which agents refer to the server: up to 32 letters, digits, `_` and `-`. */
  name: Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9_-]{1,32}$/)),
  /** The tools that agents may use; absent: all of them. */
  tools: optional(Schema.Array(Schema.Union(Schema.NonEmptyString, AllowedTool))),
  /** Longest result that the model is told, in UTF-16 units; 8,000 by default. */
  max_content: optional(Schema.Int.pipe(Schema.between(100, 100_000))),
  /** Time to connect in seconds, 0.1 to 60; 5 by default. */
  connect_seconds: optional(Schema.Number.pipe(Schema.between(0.1, 60)))
}

/**
 * An MCP server: a program that is started and spoken to over its standard input and output (`command`), or a server over
 * streamable HTTP (`url`). Values of `headers`, `args` and `env` may hold `{{secrets.name}}`.
 */
export const McpServer = Schema.Struct({
  ...common,
  /** Endpoint of a server over streamable HTTP, such as `https://mcp.example.com/mcp`. */
  url: optional(
    Schema.String.pipe(
      Schema.filter((url) =>
        (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) || "Must be an http or https URL"
      )
    )
  ),
  /** Headers of each request, such as `authorization`. */
  headers: optional(texts),
  /** Program to start, which is looked for as a shell does. */
  command: optional(Schema.NonEmptyString),
  args: optional(Schema.Array(Schema.String)),
  /** Environment of the program beside `PATH`, `HOME` and the like; it does not get that of this process. */
  env: optional(texts),
  /** Folder of the program; that of this process by default. */
  cwd: optional(Schema.NonEmptyString)
}).pipe(Schema.filter((server) => {
  const { args, command, cwd, env, headers, url } = server
  if ((url === undefined) === (command === undefined)) return "Needs a url or a command, and not both"
  if (url === undefined && headers !== undefined) return { path: ["headers"], message: "Are for a server with a url" }
  const [wrong] = url === undefined ? [] : Object.entries({ args, env, cwd }).filter(([, value]) => value !== undefined)
  return wrong === undefined ? undefined : { path: [wrong[0]], message: "Is for a server with a command" }
}))
export type McpServer = typeof McpServer.Type

/** The name of an allowed tool. */
export const nameOf = (tool: string | AllowedTool): string => typeof tool === "string" ? tool : tool.name
