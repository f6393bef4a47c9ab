import type { Issue } from "@trunkline/errors"
import type { ModelFacts } from "@trunkline/models"
import { Struct } from "effect"
import { ResponseBody } from "../body/ResponseBody.js"

const wrong = (loc: Issue["loc"], msg: string): Issue => ({ loc: ["body", ...loc], msg, type: "value_error" })

const reasoningIssues = ({ reasoning }: ResponseBody, { thinking }: ModelFacts): ReadonlyArray<Issue> => {
  const effort = reasoning?.effort ?? null
  if (thinking.onResponses.length === 0) {
    return effort === null && reasoning?.summary == null
      ? []
      : [wrong(["reasoning"], "This model takes no reasoning: leave it out")]
  }
  return effort === null || thinking.onResponses.includes(effort)
    ? []
    : [wrong(["reasoning", "effort"], `This model takes ${thinking.onResponses.join(", ")}, or no effort at all`)]
}

const toolIssues = ({ tools }: ResponseBody): ReadonlyArray<Issue> => {
  const names = new Set<string>()
  return (tools ?? []).flatMap(({ name }, index) => {
    const isNew = !names.has(name)
    names.add(name)
    return isNew ? [] : [wrong(["tools", index, "name"], "Another tool has this name")]
  })
}

const choiceIssues = (body: ResponseBody): ReadonlyArray<Issue> => {
  const choice = body.tool_choice ?? "auto"
  const tools = body.tools ?? []
  if (choice === "required") return tools.length > 0 ? [] : [wrong(["tool_choice"], "There are no tools to require")]
  return typeof choice === "string" || tools.some(({ name }) => name === choice.name)
    ? []
    : [wrong(["tool_choice", "name"], "None of the tools has this name")]
}

const calledHere = (place: string) => `On responses this is ${place}, in the body itself`

const onlyOnChat = "Only chat completions have this field"

/** Why a field may not stand in `extra_body`: responses have it, or chat completions do, today or formerly. */
const misplaced: ReadonlyMap<string, string> = new Map([
  ["messages", calledHere("input")],
  ["max_tokens", calledHere("max_output_tokens")],
  ["max_completion_tokens", calledHere("max_output_tokens")],
  ["response_format", calledHere("text.format")],
  ["reasoning_effort", calledHere("reasoning.effort")],
  ["functions", calledHere("tools")],
  ["function_call", calledHere("tool_choice")],
  ["stop", onlyOnChat],
  ["logprobs", onlyOnChat],
  ["stream_options", onlyOnChat],
  ...Struct.keys(ResponseBody.fields).map((field) => [field, "This field has its place in the body itself"] as const)
])

const extraIssues = ({ extra_body }: ResponseBody): ReadonlyArray<Issue> =>
  Object.keys(extra_body ?? {}).flatMap((field) => {
    const fault = misplaced.get(field)
    return fault === undefined ? [] : [wrong(["extra_body", field], fault)]
  })

/** What is wrong with a body beyond the form of its fields: what its model does not take, and what does not go together. */
export const ruleIssues = (body: ResponseBody, facts: ModelFacts): ReadonlyArray<Issue> =>
  [reasoningIssues, toolIssues, choiceIssues, extraIssues].flatMap((issuesOf) => issuesOf(body, facts))
