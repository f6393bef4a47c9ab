import { type HttpRequest, ToolFailed, type ToolResult } from "@trunkline/agents"
import { isJsonObject, parseJson, type Variables, type VariableValue } from "@trunkline/kernel"
import { violations } from "@trunkline/models"
import { Either } from "effect"
import type { GuardedResponse } from "../guarded/GuardedSend.js"

/** Longest text for the model, and longest part of an error's body, in UTF-16 units. */
const maxLength = { content: 8_000, error: 500 }

/** A text up to a length, with a mark where it was cut. */
const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (cut, of ${text.length} characters)`

/** Deepest nesting of an answer of which parts are read: more is a mistake, and could exhaust the stack. */
const maxDepth = 500

const childrenOf = (value: unknown): ReadonlyArray<unknown> =>
  typeof value === "object" && value !== null ? Object.values(value) : []

/** True for a value that is nested beyond all measure. */
const isTooDeep = (value: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) level = level.flatMap(childrenOf)
  return level.length > 0
}

/** The part of a value at a path, such as `slots.0.time`; undefined without one. */
const partAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>(
    (part, name) =>
      Array.isArray(part)
        ? part[Number(name)]
        : isJsonObject(part) && Object.hasOwn(part, name)
        ? part[name]
        : undefined,
    value
  )

const isVariable = (value: unknown): value is VariableValue =>
  value === null || ["string", "number", "boolean"].includes(typeof value)

/** The failure of an answer. The log is told the status only: the body may hold personal data. */
const toolFailure = ({ status }: GuardedResponse, message: string): ToolFailed =>
  new ToolFailed({ message, cause: new Error(`the service answered ${status}`) })

const statusFailure = (response: GuardedResponse): ToolFailed => {
  const { body, contentType, status } = response
  if (status >= 300 && status < 400) {
    return toolFailure(response, "The service answered with a redirect, which is not followed.")
  }
  const excerpt = contentType.includes("html") ? "" : shorten(body.replace(/\s+/g, " ").trim(), maxLength.error)
  return toolFailure(response, `The service answered ${status}${excerpt === "" ? "." : `: ${excerpt}`}`)
}

const variablesOf = (value: unknown, set: Readonly<Record<string, string>>): Variables =>
  Object.fromEntries(
    Object.entries(set).flatMap(([name, path]) => {
      const part = partAt(value, path)
      return isVariable(part) ? [[name, part] as const] : []
    })
  )

/** Reads an answer as its tool declares it. */
export const readAnswer = (
  { answer = {} }: HttpRequest,
  response: GuardedResponse
): Either.Either<ToolResult, ToolFailed> => {
  const { pick, schema, set = {} } = answer
  if (response.status < 200 || response.status > 299) return Either.left(statusFailure(response))
  const json = parseJson(response.body)
  const isDeclared = pick !== undefined || schema !== undefined || Object.keys(set).length > 0
  if (json === undefined && isDeclared) return Either.left(toolFailure(response, "The service's answer is not JSON."))
  if (isDeclared && isTooDeep(json)) {
    return Either.left(toolFailure(response, "The service's answer is nested too deeply."))
  }
  const [issue] = schema === undefined ? [] : violations(schema, json)
  if (issue !== undefined) {
    return Either.left(
      toolFailure(response, `The service's answer is not as declared: ${shorten(issue, maxLength.error)}`)
    )
  }
  const toldText = pick === undefined
    ? response.body.trim()
    : JSON.stringify(Object.fromEntries(Object.entries(pick).map(([name, path]) => [name, partAt(json, path) ?? null])))
  return Either.right({
    content: shorten(toldText === "" ? "Done." : toldText, maxLength.content),
    set: variablesOf(json, set)
  })
}
