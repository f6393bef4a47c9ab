import { bounded } from "./ToolContent.js"

/** Why a request to a server failed. */
export interface McpFailure {
  /** `arguments`: they are wrong. `gone`: the server no longer has the tool. `away`: the session is of no use any more. */
  readonly kind: "arguments" | "gone" | "away" | "other"
  /** Reason after the name of the server, such as "refuses our key (401)". */
  readonly reason: string
}

/** Longest message of a server that is repeated, in UTF-16 units. */
const maxMessageLength = 300

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Invalid parameters, and an unknown method, of JSON-RPC. */
const invalidParams = -32_602
const unknownMethod = -32_601

/** Words of the library about a result that is not as the tool declares it, which has the code of wrong arguments. */
const unfitResult = /^Structured content does not match the tool's output schema: /

/** The first place in an answer of which the library's message tells, such as `tools.0.inputSchema`; null without one. */
const placeIn = (message: string): string | null => {
  const [, list = ""] = /"path":\s*\[\s*([^\]]*?)\s*\]/.exec(message) ?? []
  const place = list.split(",").map((part) => part.trim().replaceAll("\"", "")).filter((part) => part !== "").join(".")
  return place === "" ? null : bounded(place, maxMessageLength)
}

/** An answer that is not of the protocol, with its place. */
const noProtocol = (error: unknown): McpFailure => {
  const place = placeIn(error instanceof Error ? error.message : "")
  return {
    kind: "other",
    reason: `gave an answer that is not of the protocol${place === null ? "" : `, at ${place}`}`
  }
}

const reasons: Readonly<Record<string, string>> = {
  CONNECTION_CLOSED: "has ended the connection",
  NOT_CONNECTED: "is not connected",
  REQUEST_TIMEOUT: "did not answer in time",
  SEND_FAILED: "cannot be written to",
  ENOENT: "cannot be started: there is no such program",
  EACCES: "cannot be started: the program may not be run",
  ECONNREFUSED: "refused the connection",
  ENOTFOUND: "has a host name that does not resolve",
  ECONNRESET: "reset the connection",
  UND_ERR_CONNECT_TIMEOUT: "cannot be reached in time"
}

const away: ReadonlySet<string> = new Set([
  "CONNECTION_CLOSED",
  "NOT_CONNECTED",
  "SEND_FAILED",
  "ECONNREFUSED",
  "ENOTFOUND",
  "ECONNRESET",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_SOCKET"
])

const messageOf = (error: unknown): string =>
  bounded((error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").trim(), maxMessageLength)

/** The status of an HTTP failure, where one is the reason. */
const statusOf = (error: unknown): number | undefined => {
  const status = fieldOf(error, "status") ?? fieldOf(fieldOf(error, "data"), "status")
  return typeof status === "number" ? status : fieldOf(error, "name") === "UnauthorizedError" ? 401 : undefined
}

/** Reads the error of a request. Errors of the library are told by their codes, so that it need not be loaded. */
export const failureOf = (error: unknown): McpFailure => {
  const code = fieldOf(error, "code")
  const causeCode = fieldOf(fieldOf(error, "cause"), "code")
  const status = statusOf(error)
  if (status === 401 || status === 403) return { kind: "other", reason: `refuses our key (${status})` }
  // A session that the server has forgotten (streamable HTTP of 2025) is answered with 404.
  if (status === 404) return { kind: "away", reason: "is not at this address, or has forgotten the session (404)" }
  if (status !== undefined) return { kind: "other", reason: `answered ${status}` }
  if (code === unknownMethod) return { kind: "other", reason: `does not do this: ${messageOf(error)}` }
  if (code === invalidParams) {
    const message = messageOf(error)
    if (unfitResult.test(message)) {
      const issues = message.replace(unfitResult, "")
      return { kind: "other", reason: `gave an answer that does not fit its own schema: ${issues}` }
    }
    return { kind: /not found|unknown tool|no such tool/i.test(message) ? "gone" : "arguments", reason: message }
  }
  // Issues of the library's own schemas, in a message that is no JSON-RPC.
  if (code === "INVALID_RESULT" || Array.isArray(fieldOf(error, "issues"))) return noProtocol(error)
  for (const name of [code, causeCode, fieldOf(fieldOf(fieldOf(error, "cause"), "cause"), "code")]) {
    const reason = typeof name === "string" ? reasons[name] : undefined
    if (reason !== undefined) return { kind: away.has(String(name)) ? "away" : "other", reason }
  }
  return { kind: "other", reason: `failed: ${messageOf(error)}` }
}
