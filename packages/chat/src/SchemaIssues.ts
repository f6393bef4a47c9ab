import { type Issue, issueLimit } from "@trunkline/errors"
import { macroTask } from "@trunkline/kernel"
import { type JsonSchema, schemaFault } from "@trunkline/models"
import { Effect } from "effect"
import type { ChatBody } from "./body/ChatBody.js"

/** A schema in a body, and where. */
interface Placed {
  readonly loc: Issue["loc"]
  readonly schema: JsonSchema
}

const schemasIn = ({ response_format: format, tools = [] }: ChatBody): ReadonlyArray<Placed> => [
  ...tools.flatMap(({ function: { parameters: schema } }, index) =>
    schema === undefined ? [] : [{ loc: ["body", "tools", index, "function", "parameters"], schema }]
  ),
  ...(format?.type === "json_schema"
    ? [{ loc: ["body", "response_format", "json_schema", "schema"], schema: format.json_schema.schema }]
    : [])
]

/** What is looked at without a pause: so many values, or 64 times as many characters. */
const atOnce = 2_000

/** How much there is to look at, as far as it matters. */
const weightOf = (schema: JsonSchema): number => {
  const waiting: Array<unknown> = [schema]
  let weight = 0
  for (let next = waiting.pop(); next !== undefined && weight < atOnce; next = waiting.pop()) {
    weight += typeof next === "string" ? 1 + next.length / 64 : 1
    if (typeof next === "object" && next !== null) { for (const value of Object.values(next)) waiting.push(value) }
  }
  return weight
}

/** The schemas of a body that nothing can be held to, with pauses between large ones. */
export const schemaIssues = (body: ChatBody): Effect.Effect<ReadonlyArray<Issue>> =>
  Effect.gen(function*() {
    const issues: Array<Issue> = []
    let weight = 0
    for (const { loc, schema } of schemasIn(body)) {
      if (issues.length === issueLimit) break
      if (weight >= atOnce) {
        yield* macroTask
        weight = 0
      }
      weight += weightOf(schema)
      const fault = schemaFault(schema)
      if (fault !== null) issues.push({ loc, msg: fault, type: "value_error" })
    }
    return issues
  })
