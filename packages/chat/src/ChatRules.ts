import type { Issue } from "@trunkline/errors"
import type { ContentPart, Message, ModelFacts } from "@trunkline/models"
import type { ChatBody } from "./body/ChatBody.js"

const wrong = (loc: Issue["loc"], msg: string): Issue => ({ loc: ["body", ...loc], msg, type: "value_error" })

const partsOf = ({ content }: Message): ReadonlyArray<ContentPart> => typeof content === "string" ? [] : content ?? []

const imageIssues = ({ messages }: ChatBody, { images }: ModelFacts): ReadonlyArray<Issue> => {
  if (images) return []
  return messages.flatMap((message, at) =>
    partsOf(message).flatMap(({ type }, part) =>
      type === "image" ? [wrong(["messages", at, "content", part], "This model does not take images")] : []
    )
  )
}

const effortIssues = ({ reasoning_effort: effort }: ChatBody, { thinking: { onChat } }: ModelFacts) => {
  if (effort === undefined || effort === null || onChat.includes(effort)) return []
  return [wrong(
    ["reasoning_effort"],
    onChat.length === 0 ? "This model does not think" : `This model takes only ${onChat.join(", ")}`
  )]
}

const logprobsIssues = ({ logprobs, top_logprobs }: ChatBody, facts: ModelFacts): ReadonlyArray<Issue> => {
  if (facts.logprobs) {
    return top_logprobs === undefined || logprobs ? [] : [wrong(["top_logprobs"], "Needs logprobs to be true")]
  }
  return [
    ...(logprobs ? [wrong(["logprobs"], "This model does not tell logprobs")] : []),
    ...(top_logprobs === undefined ? [] : [wrong(["top_logprobs"], "This model does not tell logprobs")])
  ]
}

const toolIssues = ({ tools = [] }: ChatBody): ReadonlyArray<Issue> => {
  const names = new Set<string>()
  return tools.flatMap(({ function: { name } }, index) => {
    if (names.has(name)) return [wrong(["tools", index, "function", "name"], "Another function has this name")]
    names.add(name)
    return []
  })
}

const choiceIssues = ({ tool_choice: choice, tools = [] }: ChatBody): ReadonlyArray<Issue> => {
  if (choice === undefined || choice === "none" || choice === "auto") return []
  if (tools.length === 0) return [wrong(["tool_choice"], "Needs tools")]
  return choice === "required" || tools.some(({ function: { name } }) => name === choice.function.name)
    ? []
    : [wrong(["tool_choice", "function", "name"], "None of the tools has this name")]
}

/** What a body that was read asks for and its model does not do, or what does not go together, field by field. */
export const ruleIssues = (body: ChatBody, facts: ModelFacts): ReadonlyArray<Issue> =>
  [imageIssues, effortIssues, logprobsIssues, toolIssues, choiceIssues].flatMap((issuesOf) => issuesOf(body, facts))
