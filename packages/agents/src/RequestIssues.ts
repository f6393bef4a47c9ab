import { isJsonObject, placeholder } from "@trunkline/kernel"
import { schemaFault } from "@trunkline/models"
import type { AgentTool } from "./AgentTool.js"
import type { HttpRequest } from "./HttpRequest.js"

/** A mistake in a request, and its place in the version. */
interface RequestIssue {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

/** Headers by which a connection is run: another value would break the request, or lead it to another host. */
const ownHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

/** True for a text with `{{` that begins no reference, or for a value with such a text in it. */
const isUnclosed = (value: unknown): boolean =>
  typeof value === "string"
    ? value.replace(placeholder, "").includes("{{")
    : Array.isArray(value)
    ? value.some(isUnclosed)
    : isJsonObject(value) && Object.values(value).some(isUnclosed)

const issuesOf = ({ answer, body, headers = {}, query = {}, url }: HttpRequest): ReadonlyArray<RequestIssue> => {
  const texts: ReadonlyArray<readonly [RequestIssue["path"], unknown]> = [
    [["url"], url],
    ...Object.entries(query).map(([name, value]) => [["query", name], value] as const),
    ...Object.entries(headers).map(([name, value]) => [["headers", name], value] as const),
    [["body"], body]
  ]
  const fault = answer?.schema === undefined ? null : schemaFault(answer.schema)
  return [
    ...texts.filter(([, value]) => isUnclosed(value))
      .map(([path]) => ({ path, message: "has {{ without }}: write {{args.name}}" })),
    ...Object.keys(headers).filter((name) => ownHeaders.has(name.toLowerCase()))
      .map((name) => ({ path: ["headers", name], message: "is set by the request itself: leave it out" })),
    ...fault === null ? [] : [{ path: ["answer", "schema"], message: fault }]
  ]
}

/** Mistakes in the requests of tools beyond those of single fields: they are told when a version is written, not when it is read. */
export const requestIssues = (tools: ReadonlyArray<AgentTool>): ReadonlyArray<RequestIssue> =>
  tools.flatMap(({ http }, at) =>
    http === undefined
      ? []
      : issuesOf(http).map(({ message, path }) => ({ path: ["tools", at, "http", ...path], message }))
  )
