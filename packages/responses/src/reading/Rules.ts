import type { Issue } from "@trunkline/errors"
import type { ModelFacts } from "@trunkline/models"
import { Struct } from "effect"
import { ResponseBody } from "../body/ResponseBody.js"

const issue = (loc: Issue["loc"], msg: string): Issue => ({ loc: ["body", ...loc], msg, type: "value_error" })

const reasoningIssues = ({ reasoning }: ResponseBody, { thinking }: ModelFacts): ReadonlyArray<Issue> => {
  const effort = reasoning?.effort ?? null
  if (thinking.onResponses.length === 0) {
    return effort === null && reasoning?.summary == null
      ? []
      : [issue(["reasoning"], "This model takes no reasoning: leave it out")]
  }
  return effort === null || thinking.onResponses.includes(effort)
    ? []
    : [issue(["reasoning", "effort"], `This model takes ${thinking.onResponses.join(", ")}, or no effort at all`)]
}

const toolIssues = ({ tools }: ResponseBody): ReadonlyArray<Issue> => {
  const names = new Set<string>()
  return (tools ?? []).flatMap(({ name }, index) => {
    const isNew = !names.has(name)
    names.add(name)
    return isNew ? [] : [issue(["tools", index, "name"], "Another tool has this name")]
  })
}

const choiceIssues = (body: ResponseBody): ReadonlyArray<Issue> => {
  const choice = body.tool_choice ?? "auto"
  const tools = body.tools ?? []
  if (choice === "required") return tools.length > 0 ? [] : [issue(["tool_choice"], "There are no tools to require")]
  return typeof choice === "string" || tools.some(({ name }) => name === choice.name)
    ? []
    : [issue(["tool_choice", "name"], "None of the tools has this name")]
}

const renamedTo = (field: string) => `On responses this is ${field}, in the body itself`

const onlyOnChat = "Only chat completions have this field"

/** Fields that `extra_body` rejects, with the reason: responses have them, or chat completions have or had them. */
const misplacedFields: ReadonlyMap<string, string> = new Map([
  ["messages", renamedTo("input")],
  ["max_tokens", renamedTo("max_output_tokens")],
  ["max_completion_tokens", renamedTo("max_output_tokens")],
  ["response_format", renamedTo("text.format")],
  ["reasoning_effort", renamedTo("reasoning.effort")],
  ["functions", renamedTo("tools")],
  ["function_call", renamedTo("tool_choice")],
  ["stop", onlyOnChat],
  ["logprobs", onlyOnChat],
  ["stream_options", onlyOnChat],
  ...Struct.keys(ResponseBody.fields).map((field) => [field, "This field has its place in the body itself"] as const)
])

const extraIssues = ({ extra_body }: ResponseBody): ReadonlyArray<Issue> =>
  Object.keys(extra_body ?? {}).flatMap((field) => {
    const fault = misplacedFields.get(field)
    return fault === undefined ? [] : [issue(["extra_body", field], fault)]
  })

/**
 * The issues of a decoded body that its schema cannot find: fields that its model does not support, and fields that do
 * not go together.
 */
export const ruleIssues = (body: ResponseBody, facts: ModelFacts): ReadonlyArray<Issue> =>
  [reasoningIssues, toolIssues, choiceIssues, extraIssues].flatMap((issuesOf) => issuesOf(body, facts))
