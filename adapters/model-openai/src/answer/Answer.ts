import { isJsonObject, type JsonObject, listOf } from "@trunkline/kernel"
import type { Delta, FinishReason, Message, TokenChoice, Usage } from "@trunkline/models"
import type { ReasoningPlace } from "../Capabilities.js"
import { makeSurrogateBuffer, readFinish, readUsage, textIn, tokenChoices, type UpstreamFinish } from "./Fields.js"
import { type DividedText, makeThinkTags } from "./ThinkTags.js"
import { makeToolCalls } from "./ToolCalls.js"

/** Facts of a request that are needed to read its answer. */
export interface AnswerOptions {
  readonly reasoningIn: ReasoningPlace
  /** As in `ModelRequest`. */
  readonly logprobs: number | undefined
  /** Ids of tool requests that the conversation already has. */
  readonly toolIds: ReadonlyArray<string>
}

/** Assembles an answer from chunks; a whole answer is one chunk. */
export interface AnswerAssembly {
  /** Reads a chunk and appends its deltas; returns false if the chunk was empty. */
  readonly push: (chunk: JsonObject, deltas: Array<Delta>) => boolean
  /** Reads a chunk like an earlier one with text alone, but with this text. */
  readonly pushText: (content: string, deltas: Array<Delta>) => boolean
  /** The text of a chunk that has nothing else to read, if chunks like it may be read by `pushText`; otherwise undefined. */
  readonly plainText: (chunk: JsonObject) => string | undefined
  /** Finish reason of the upstream; null before the end. */
  readonly finish: () => UpstreamFinish | null
  /** Appends the remaining deltas, `Usage` and `Finish`; returns false without them if the answer is incomplete. */
  readonly end: (deltas: Array<Delta>) => boolean
}

/** Lists the ids of a conversation's tool requests. */
export const toolIdsIn = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  messages.flatMap((message) => message.role === "assistant" ? message.toolRequests.map(({ id }) => id) : [])

/** Reads text: a string, or a list of parts with strings. */
const contentIn = (content: unknown): string =>
  typeof content === "string"
    ? content
    : listOf(content).map((part) => isJsonObject(part) ? textIn(part.text) : "").join("")

/** Finds the first choice: further ones were not requested. */
const firstChoice = (chunk: JsonObject): JsonObject | undefined =>
  listOf(chunk.choices).filter(isJsonObject).find(({ index }) => index === 0 || typeof index !== "number")

/** Drops tokens that begin before an offset. */
const tokensFrom = (tokens: ReadonlyArray<TokenChoice>, offset: number): ReadonlyArray<TokenChoice> => {
  let at = 0
  return tokens.filter(({ token }) => {
    at += token.length
    return at - token.length >= offset
  })
}

/** Makes the reader of one answer. */
export const makeAnswer = ({ logprobs, reasoningIn, toolIds }: AnswerOptions): AnswerAssembly => {
  const text = makeSurrogateBuffer()
  const reasoning = makeSurrogateBuffer()
  const refusal = makeSurrogateBuffer()
  const tags = reasoningIn === "think_tags" || reasoningIn === "begun_think_tags"
    ? makeThinkTags(reasoningIn === "begun_think_tags")
    : null
  const calls = makeToolCalls(toolIds)
  /** Tokens of text that was not emitted yet; with emitReasoning tags, of all text before the first visible text. */
  let tokens: Array<TokenChoice> = []
  let hasText = false
  let usage: Usage | null = null
  let finish: UpstreamFinish | null = null

  const reasoningOf = (delta: JsonObject): string => {
    const [first, second] = reasoningIn === "reasoning"
      ? [delta.reasoning, delta.reasoning_content]
      : [delta.reasoning_content, delta.reasoning]
    return textIn(first) || textIn(second)
  }

  const emitReasoning = (thoughts: string, deltas: Array<Delta>) => {
    if (thoughts !== "") deltas.push({ _tag: "Reasoning", text: thoughts })
  }

  const emitText = (content: string, deltas: Array<Delta>) => {
    if (content === "") return
    emitReasoning(reasoning.flush(), deltas)
    const contentTokens = hasText ? tokens : tokensFrom(tokens, tags?.textStart() ?? 0)
    tokens = []
    hasText = true
    deltas.push(
      contentTokens.length === 0
        ? { _tag: "Text", text: content }
        : { _tag: "Text", text: content, logprobs: contentTokens }
    )
  }

  const emitDivided = (parts: DividedText, deltas: Array<Delta>) => {
    emitReasoning(parts.reasoning, deltas)
    emitText(parts.text, deltas)
  }

  const emitRefusal = (content: string, deltas: Array<Delta>) => {
    if (content !== "") deltas.push({ _tag: "Refusal", text: content })
  }

  const readChoice = (choice: JsonObject, delta: JsonObject, deltas: Array<Delta>): boolean => {
    const thoughts = reasoningOf(delta)
    const content = contentIn(delta.content)
    const no = textIn(delta.refusal)
    if (logprobs !== undefined && choice.logprobs != null) {
      tokenChoices(choice.logprobs, logprobs).forEach((token) => tokens.push(token))
    }
    emitReasoning(reasoning.push(thoughts), deltas)
    const whole = text.push(content)
    if (tags === null) emitText(whole, deltas)
    else if (whole !== "") emitDivided(tags.push(whole), deltas)
    emitRefusal(refusal.push(no), deltas)
    const fragments = [...listOf(delta.tool_calls), delta.function_call].filter((entry) => calls.push(entry, deltas))
    return thoughts !== "" || content !== "" || no !== "" || fragments.length > 0
  }

  const plainText = (chunk: JsonObject): string | undefined => {
    const choice = firstChoice(chunk)
    const delta = choice?.delta
    if (tags !== null || logprobs !== undefined || !isJsonObject(delta)) return undefined
    const { content, function_call, refusal: no, tool_calls } = delta
    const hasMore = (chunk.usage ?? choice?.usage ?? function_call) != null || listOf(tool_calls).length > 0
      || reasoningOf(delta) !== "" || textIn(no) !== "" || readFinish(choice?.finish_reason) !== null
    return hasMore || content === "" || typeof content !== "string" ? undefined : content
  }

  const reasonOf = (reason: FinishReason): FinishReason =>
    reason === "stop" || reason === "tool_calls" ? calls.count() > 0 ? "tool_calls" : "stop" : reason

  return {
    push: (chunk, deltas) => {
      const choice = firstChoice(chunk)
      usage = readUsage(chunk.usage ?? choice?.usage) ?? usage
      if (choice === undefined) return false
      finish = readFinish(choice.finish_reason) ?? finish
      const delta = isJsonObject(choice.delta) ? choice.delta : choice.message
      return isJsonObject(delta) && readChoice(choice, delta, deltas)
    },
    pushText: (content, deltas) => {
      emitText(text.push(content), deltas)
      return content !== ""
    },
    plainText,
    finish: () => finish,
    end: (deltas) => {
      if (finish === null || finish === "broken") return false
      const rest = text.flush()
      if (tags === null) emitText(rest, deltas)
      else {
        emitDivided(tags.push(rest), deltas)
        emitDivided(tags.flush(), deltas)
      }
      emitReasoning(reasoning.flush(), deltas)
      emitRefusal(refusal.flush(), deltas)
      if (!calls.end(finish === "length" || finish === "content_filter", deltas)) return false
      if (usage !== null) deltas.push({ _tag: "Usage", usage })
      deltas.push({ _tag: "Finish", reason: reasonOf(finish) })
      return true
    }
  }
}
