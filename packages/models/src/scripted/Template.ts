import type { Variables } from "@trunkline/kernel"
import { glimpse, head } from "./Glimpse.js"
import { readable } from "./Readable.js"
import type { ScriptedTurn } from "./ScriptedTurn.js"

const token = /\{\{\s*([\p{L}\p{M}\p{N}_]+)\s*\}\}/gu

/** A value in words takes at most so many UTF-16 units. */
const longest = 500

/** What every rule can say: `user`, `tool`, `result`, `model` and `turn`. */
export const variablesOf = ({ request, toolResult, turn, userText }: ScriptedTurn): Variables => ({
  user: glimpse(userText, longest),
  tool: toolResult?.name ?? null,
  result: toolResult === null ? null : readable(toolResult.content),
  model: request.model,
  turn
})

/**
 * Puts the values of variables in place of `{{name}}`; null leaves nothing behind, and a name that is not known stays as
 * it is written. Values are inserted as they are, never filled again.
 */
export const fill = (template: string, variables: Variables): string =>
  template.replace(
    token,
    (written, name: string) => Object.hasOwn(variables, name) ? head(String(variables[name] ?? ""), longest) : written
  )

/** Fills all texts in a JSON value, but not the names of its fields. */
export const fillAll = (value: unknown, variables: Variables): unknown => {
  if (typeof value === "string") return fill(value, variables)
  if (Array.isArray(value)) return value.map((item) => fillAll(item, variables))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillAll(item, variables)]))
}
