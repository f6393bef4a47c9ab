import type { Delta, FinishReason, Message, TokenChoice, Usage } from "@trunkline/models"
import type { ReasoningPlace } from "../Capabilities.js"
import { isObject, type JsonObject, listIn, textIn } from "../Json.js"
import { makePairKeeper } from "./PairKeeper.js"
import { readFinish, type UpstreamFinish } from "./ReadFinish.js"
import { readUsage } from "./ReadUsage.js"
import { type Divided, makeThinkTags } from "./ThinkTags.js"
import { tokenChoices } from "./TokenChoices.js"
import { makeToolCalls } from "./ToolCalls.js"

/** What has to be known of a request to read its answer. */
export interface Asked {
  readonly reasoningIn: ReasoningPlace
  /** As in `ModelRequest`. */
  readonly logprobs: number | undefined
  /** The ids of tool requests that the conversation has already. */
  readonly toolIds: ReadonlyArray<string>
}

/** An answer that is put together from chunks; a whole answer is one chunk. */
export interface Answer {
  /** Takes a chunk in, adds what follows from it to the deltas, and tells whether there was anything in it. */
  readonly push: (chunk: JsonObject, deltas: Array<Delta>) => boolean
  /** Why the upstream says that it ended; null before that. */
  readonly finish: () => UpstreamFinish | null
  /** Adds what is left, `Usage` and `Finish`. False, and nothing of the kind, when this is no whole answer. */
  readonly end: (deltas: Array<Delta>) => boolean
}

/** The ids of a conversation's tool requests. */
export const toolIdsIn = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  messages.flatMap((message) => message.role === "assistant" ? message.toolRequests.map(({ id }) => id) : [])

/** Text is a string, or a list of parts with strings. */
const contentIn = (content: unknown): string =>
  typeof content === "string"
    ? content
    : listIn(content).map((part) => isObject(part) ? textIn(part.text) : "").join("")

/** Further answers beside the first were not asked for. */
const firstChoice = (chunk: JsonObject): JsonObject | undefined =>
  listIn(chunk.choices).filter(isObject).find(({ index }) => index === 0 || typeof index !== "number")

/** Tokens, less those that begin before an offset. */
const tokensFrom = (tokens: ReadonlyArray<TokenChoice>, offset: number): ReadonlyArray<TokenChoice> => {
  let at = 0
  return tokens.filter(({ token }) => {
    at += token.length
    return at - token.length >= offset
  })
}

/** Puts one answer together. */
export const makeAnswer = ({ logprobs, reasoningIn, toolIds }: Asked): Answer => {
  const text = makePairKeeper()
  const reasoning = makePairKeeper()
  const refusal = makePairKeeper()
  const tags = reasoningIn === "think_tags" || reasoningIn === "begun_think_tags"
    ? makeThinkTags(reasoningIn === "begun_think_tags")
    : null
  const calls = makeToolCalls(toolIds)
  /** Of text that was not shown yet, or with tags of all text while nothing was said. */
  let tokens: Array<TokenChoice> = []
  let said = false
  let usage: Usage | null = null
  let finish: UpstreamFinish | null = null

  const reasoningOf = (delta: JsonObject): string => {
    const [first, second] = reasoningIn === "reasoning"
      ? [delta.reasoning, delta.reasoning_content]
      : [delta.reasoning_content, delta.reasoning]
    return textIn(first) || textIn(second)
  }

  const think = (thought: string, deltas: Array<Delta>) => {
    if (thought !== "") deltas.push({ _tag: "Reasoning", text: thought })
  }

  const say = (words: string, deltas: Array<Delta>) => {
    if (words === "") return
    think(reasoning.flush(), deltas)
    const own = said ? tokens : tokensFrom(tokens, tags?.saidFrom() ?? 0)
    tokens = []
    said = true
    deltas.push(own.length === 0 ? { _tag: "Text", text: words } : { _tag: "Text", text: words, logprobs: own })
  }

  const divide = (divided: Divided, deltas: Array<Delta>) => {
    think(divided.reasoning, deltas)
    say(divided.text, deltas)
  }

  const refuse = (words: string, deltas: Array<Delta>) => {
    if (words !== "") deltas.push({ _tag: "Refusal", text: words })
  }

  const take = (choice: JsonObject, delta: JsonObject, deltas: Array<Delta>): boolean => {
    const thought = reasoningOf(delta)
    const words = contentIn(delta.content)
    const no = textIn(delta.refusal)
    if (logprobs !== undefined && choice.logprobs != null) {
      tokenChoices(choice.logprobs, logprobs).forEach((token) => tokens.push(token))
    }
    think(reasoning.push(thought), deltas)
    const whole = text.push(words)
    if (tags === null) say(whole, deltas)
    else if (whole !== "") divide(tags.push(whole), deltas)
    refuse(refusal.push(no), deltas)
    const fragments = [...listIn(delta.tool_calls), delta.function_call].filter((entry) => calls.push(entry, deltas))
    return thought !== "" || words !== "" || no !== "" || fragments.length > 0
  }

  const reasonOf = (told: FinishReason): FinishReason =>
    told === "stop" || told === "tool_calls" ? calls.count() > 0 ? "tool_calls" : "stop" : told

  return {
    push: (chunk, deltas) => {
      const choice = firstChoice(chunk)
      usage = readUsage(chunk.usage ?? choice?.usage) ?? usage
      if (choice === undefined) return false
      finish = readFinish(choice.finish_reason) ?? finish
      const delta = isObject(choice.delta) ? choice.delta : choice.message
      return isObject(delta) && take(choice, delta, deltas)
    },
    finish: () => finish,
    end: (deltas) => {
      if (finish === null || finish === "broken") return false
      const rest = text.flush()
      if (tags === null) say(rest, deltas)
      else {
        divide(tags.push(rest), deltas)
        divide(tags.flush(), deltas)
      }
      think(reasoning.flush(), deltas)
      refuse(refusal.flush(), deltas)
      if (!calls.end(finish === "length" || finish === "content_filter", deltas)) return false
      if (usage !== null) deltas.push({ _tag: "Usage", usage })
      deltas.push({ _tag: "Finish", reason: reasonOf(finish) })
      return true
    }
  }
}
