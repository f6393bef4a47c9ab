import { type Issue, maxIssues } from "@trunkline/errors"
import { macroTask } from "@trunkline/kernel"
import { type ContentPart, type JsonSchema, type Message, type ModelFacts, schemaFault } from "@trunkline/models"
import { Array, Effect } from "effect"
import type { ChatBody } from "./body/ChatBody.js"

const issue = (loc: Issue["loc"], msg: string): Issue => ({ loc: ["body", ...loc], msg, type: "value_error" })

const partsOf = ({ content }: Message): ReadonlyArray<ContentPart> => typeof content === "string" ? [] : content ?? []

const imageIssues = ({ messages }: ChatBody, { images }: ModelFacts): ReadonlyArray<Issue> => {
  if (images) return []
  return messages.flatMap((message, index) =>
    partsOf(message).flatMap(({ type }, part) =>
      type === "image" ? [issue(["messages", index, "content", part], "This model does not take images")] : []
    )
  )
}

const effortIssues = ({ reasoning_effort: effort }: ChatBody, { thinking: { onChat } }: ModelFacts) => {
  if (effort === undefined || effort === null || onChat.includes(effort)) return []
  return [issue(
    ["reasoning_effort"],
    onChat.length === 0 ? "This model does not think" : `This model takes only ${onChat.join(", ")}`
  )]
}

const logprobsIssues = ({ logprobs, top_logprobs }: ChatBody, facts: ModelFacts): ReadonlyArray<Issue> => {
  if (facts.logprobs) {
    return top_logprobs === undefined || logprobs ? [] : [issue(["top_logprobs"], "Needs logprobs to be true")]
  }
  return [
    ...(logprobs ? [issue(["logprobs"], "This model does not tell logprobs")] : []),
    ...(top_logprobs === undefined ? [] : [issue(["top_logprobs"], "This model does not tell logprobs")])
  ]
}

const toolIssues = ({ tools = [] }: ChatBody): ReadonlyArray<Issue> => {
  const names = new Set<string>()
  return tools.flatMap(({ function: { name } }, index) => {
    if (names.has(name)) return [issue(["tools", index, "function", "name"], "Another function has this name")]
    names.add(name)
    return []
  })
}

const choiceIssues = ({ tool_choice: choice, tools = [] }: ChatBody): ReadonlyArray<Issue> => {
  if (choice === undefined || choice === "none" || choice === "auto") return []
  if (tools.length === 0) return [issue(["tool_choice"], "Needs tools")]
  return choice === "required" || tools.some(({ function: { name } }) => name === choice.function.name)
    ? []
    : [issue(["tool_choice", "function", "name"], "None of the tools has this name")]
}

/** A JSON Schema in a body, and its location. */
interface LocatedSchema {
  readonly loc: Issue["loc"]
  readonly schema: JsonSchema
}

const schemasIn = ({ response_format: format, tools = [] }: ChatBody): ReadonlyArray<LocatedSchema> => [
  ...tools.flatMap(({ function: { parameters: schema } }, index) =>
    schema === undefined ? [] : [{ loc: ["body", "tools", index, "function", "parameters"], schema }]
  ),
  ...(format?.type === "json_schema"
    ? [{ loc: ["body", "response_format", "json_schema", "schema"], schema: format.json_schema.schema }]
    : [])
]

/** Weight of schemas checked without a pause: this many values, or 64 times as many characters. */
const batchWeight = 2_000

/** The number of values in a schema, with 64 characters counting as one; counted up to `batchWeight`. */
const weightOf = (schema: JsonSchema): number => {
  const pending: Array<unknown> = [schema]
  let weight = 0
  for (let next = pending.pop(); next !== undefined && weight < batchWeight; next = pending.pop()) {
    weight += typeof next === "string" ? 1 + next.length / 64 : 1
    if (typeof next === "object" && next !== null) { for (const value of Object.values(next)) pending.push(value) }
  }
  return weight
}

/** The JSON Schemas in a body that cannot be used. Yields to other fibers between large ones. */
const schemaIssues = (body: ChatBody): Effect.Effect<ReadonlyArray<Issue>> =>
  Effect.gen(function*() {
    const issues: Array<Issue> = []
    let weight = 0
    for (const { loc, schema } of schemasIn(body)) {
      if (issues.length === maxIssues) break
      if (weight >= batchWeight) {
        yield* macroTask
        weight = 0
      }
      weight += weightOf(schema)
      const fault = schemaFault(schema)
      if (fault !== null) issues.push({ loc, msg: fault, type: "value_error" })
    }
    return issues
  })

/**
 * The issues of a decoded body that its schema cannot find: fields that its model does not support, fields that do not
 * go together, and unusable JSON Schemas. Lists at most `maxIssues` of them.
 */
export const chatIssues = (body: ChatBody, facts: ModelFacts): Effect.Effect<ReadonlyArray<Issue>> => {
  const rules = [imageIssues, effortIssues, logprobsIssues, toolIssues, choiceIssues]
  const ruleIssues = rules.flatMap((issuesOf) => issuesOf(body, facts))
  if (body.tools === undefined && body.response_format === undefined) {
    return Effect.succeed(Array.take(ruleIssues, maxIssues))
  }
  return Effect.map(schemaIssues(body), (bodyIssues) => Array.take([...ruleIssues, ...bodyIssues], maxIssues))
}
