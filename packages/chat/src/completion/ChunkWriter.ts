import { envelope, type Failure, internalEnvelope } from "@trunkline/errors"
import { encodeTexts, sseFrame, sseText } from "@trunkline/kernel"
import type { AnswerEvent, TokenChoice } from "@trunkline/models"
import { Cause, Option } from "effect"
import { type ChatHead, replacementCharacter, toChatLogprobs, toChatUsage, wellFormed } from "./ToChatCompletion.js"

/** The JSON before and after the choice in every event of a stream. */
interface EventTemplate {
  readonly opening: string
  readonly closing: string
}

type Delta = Extract<AnswerEvent, { readonly _tag: "Piece" }>["delta"]

/** The JSON before and after a text in a delta. */
interface TextTemplate {
  readonly before: string
  readonly after: string
}

const content: TextTemplate = { before: "\"content\":", after: "" }
const reasoning: TextTemplate = { before: "\"reasoning_content\":", after: "" }
const refusal: TextTemplate = { before: "\"refusal\":", after: "" }

const argumentsOf = (index: number): TextTemplate => ({
  before: `"tool_calls":[{"index":${index},"function":{"arguments":`,
  after: "}}]"
})

const endsInHighSurrogate = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

const fillIn = ({ after, before }: TextTemplate, text: string): string => `${before}${JSON.stringify(text)}${after}`

/**
 * Writes the deltas of one choice, one frame each. It runs once per token, and therefore concatenates prepared JSON
 * instead of serializing whole objects. A high surrogate at the end of a delta is held back until the low one arrives.
 */
const makeChoiceWriter = ({ closing, opening }: EventTemplate, index: number) => {
  const before = `${opening}{"index":${index},"delta":{`
  const toolArguments: Array<TextTemplate> = []
  const pendingSurrogates = new Map<TextTemplate, string>()

  const frame = (delta: string, logprobs = "null", finish = "null"): string =>
    sseText(`${before}${delta}},"logprobs":${logprobs},"finish_reason":${finish}}${closing}`)

  const withPending = (template: TextTemplate, text: string): string => {
    const pending = pendingSurrogates.get(template)
    const whole = pending === undefined ? text : pending + text
    if (pending !== undefined) pendingSurrogates.delete(template)
    if (!endsInHighSurrogate(whole)) return wellFormed(whole)
    pendingSurrogates.set(template, whole.slice(-1))
    return wellFormed(whole.slice(0, -1))
  }

  const textFrames = (
    template: TextTemplate,
    text: string,
    tokens?: ReadonlyArray<TokenChoice>
  ): ReadonlyArray<string> => {
    const whole = withPending(template, text)
    if (tokens !== undefined) return [frame(fillIn(template, whole), JSON.stringify(toChatLogprobs(tokens)))]
    return whole === "" ? [] : [frame(fillIn(template, whole))]
  }

  return {
    /** The first event of the choice. */
    begin: (): string => frame(`"role":"assistant",${fillIn(content, "")}`),
    /** The events of a delta; empty when it has nothing to show yet. */
    write: (delta: Delta): ReadonlyArray<string> => {
      switch (delta._tag) {
        case "Text":
          return textFrames(content, delta.text, delta.logprobs)
        case "Reasoning":
          return textFrames(reasoning, delta.text)
        case "Refusal":
          return textFrames(refusal, delta.text)
        case "ToolStart": {
          const { id, index, name } = delta
          const start = { index, id, type: "function", function: { name, arguments: "" } }
          return [frame(`"tool_calls":[${JSON.stringify(start)}]`)]
        }
        case "ToolArgs":
          return textFrames(toolArguments[delta.index] ??= argumentsOf(delta.index), delta.text)
        case "Finish":
          return [
            ...[...pendingSurrogates.keys()].map((template) => frame(fillIn(template, replacementCharacter))),
            frame("", "null", JSON.stringify(delta.reason))
          ]
      }
    }
  }
}

/** Writes the events of a streamed completion. */
interface ChunkWriter {
  /** The frames of events that arrived together. */
  readonly write: (events: ReadonlyArray<AnswerEvent>) => ReadonlyArray<Uint8Array>
  /** True once it has written a frame. */
  readonly hasBegun: () => boolean
}

/** A writer for one stream. With `includeUsage` all events have `usage`. */
export const makeChunkWriter = (
  { created, id, model }: ChatHead,
  { includeUsage }: { readonly includeUsage: boolean }
): ChunkWriter => {
  const head = JSON.stringify({ id, object: "chat.completion.chunk", created, model })
  const opening = `${head.slice(0, -1)},"choices":[`
  const closing = includeUsage ? "],\"usage\":null}" : "]}"
  const choices = new Map<number, ReturnType<typeof makeChoiceWriter>>()
  let hasBegun = false

  return {
    write: (events) => {
      const frames: Array<string> = []
      for (const event of events) {
        if (event._tag === "Total") {
          if (includeUsage) frames.push(sseText(`${opening}],"usage":${JSON.stringify(toChatUsage(event.usage))}}`))
          continue
        }
        const existing = choices.get(event.choice)
        const choice = existing ?? makeChoiceWriter({ opening, closing }, event.choice)
        if (existing === undefined) {
          choices.set(event.choice, choice)
          frames.push(choice.begin())
        }
        frames.push(...choice.write(event.delta))
      }
      hasBegun ||= frames.length > 0
      return encodeTexts(frames)
    },
    hasBegun: () => hasBegun
  }
}

/** The last event of every chat stream, successful or not, as in OpenAI's API. */
export const doneFrame: Uint8Array = sseFrame("[DONE]")

/**
 * The events that end a chat stream after a failure: the error, then `[DONE]`. A defect is reported as an internal
 * error without details; the caller logs it.
 */
export const chatFailureFrames = (cause: Cause.Cause<Failure>, requestId: string): ReadonlyArray<Uint8Array> => {
  const { body } = Option.match(Cause.failureOption(cause), {
    onNone: () => internalEnvelope("chat", requestId),
    onSome: (failure) => envelope("chat", failure, requestId)
  })
  return [sseFrame(JSON.stringify(body)), doneFrame]
}
