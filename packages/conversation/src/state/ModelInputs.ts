import { BusinessTime, type ModelInputMessage, withoutSecrets } from "@trunkline/kernel"
import { contentText, type Message, type ModelRequest } from "@trunkline/models"
import type { ModelInput } from "@trunkline/telephony"
import { Effect } from "effect"
import { maskForRecord } from "./ActionState.js"
import type { FlowEvent, Step } from "./CallState.js"

/** Notes of the requests to the model during a call. */
export interface ModelInputs {
  /** Runs the command of a step, and notes what the model is sent for it and what came of it. */
  readonly record: (step: Step, work: Effect.Effect<FlowEvent>) => Effect.Effect<FlowEvent>
  /** The notes so far, in order. */
  readonly all: () => ReadonlyArray<ModelInput>
}

/** Most requests of a call that are kept, and lengths in UTF-16 units of one text and of all texts of a call. */
const maxInputs = 300
const maxText = 8_000
const maxTexts = 64_000

/** Parts of a request that a note repeats only when they change. */
interface Parts {
  readonly system: string
  readonly tools: ReadonlyArray<string>
  readonly options: NonNullable<ModelInput["options"]>
  readonly messages: ReadonlyArray<Message>
}

const optionsOf = ({ effort, limits = {}, sampling = {} }: ModelRequest): Parts["options"] => {
  const settings = {
    effort,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    seed: sampling.seed,
    max_output_tokens: limits.maxOutputTokens,
    stop: limits.stop?.join(" ")
  }
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => value === undefined ? [] : [[name, value]])
  )
}

const partsOf = (request: ModelRequest): Parts => ({
  system: request.messages.flatMap((message) => message.role === "system" ? [message.content] : []).join("\n"),
  tools: (request.tools ?? []).map(({ name }) => name),
  options: optionsOf(request),
  messages: request.messages.filter(({ role }) => role !== "system")
})

/** Number of first messages that two requests have in common; a conversation only adds to those that stay. */
const inCommon = (before: ReadonlyArray<Message>, now: ReadonlyArray<Message>): number => {
  const first = now.findIndex((message, index) => before[index] !== message)
  return first === -1 ? now.length : first
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const messageOf = (message: Message, cut: (text: string) => string): ModelInputMessage => ({
  role: message.role === "other" ? message.as : message.role,
  content: message.content === null ? null : cut(contentText(message.content)),
  ...(message.role === "tool" && { tool_name: message.name }),
  ...(message.role === "assistant" && message.toolRequests.length > 0 && {
    tool_calls: message.toolRequests.map((request) => ({ name: request.name, arguments: cut(request.arguments) }))
  })
})

/** Outcome of a request; null when it was not sent, since the caller had spoken. */
const resultOf = (
  event: FlowEvent
): Pick<ModelInput, "failure" | "input_tokens" | "outcome" | "output_tokens"> | null => {
  const noAnswer = { failure: null, input_tokens: null, output_tokens: null }
  if (event._tag === "Heard") return null
  if (event._tag === "ModelFailed") return { ...noAnswer, outcome: "failed", failure: event.reason }
  if (event._tag !== "Thought" && event._tag !== "Replied") return { ...noAnswer, outcome: "given_up" }
  const { completion, failure } = event._tag === "Thought" ? { ...event, failure: null } : event.reply
  const { usage } = completion
  return {
    outcome: failure === null ? "answered" : "failed",
    failure,
    input_tokens: usage?.inputTokens ?? null,
    output_tokens: usage?.outputTokens ?? null
  }
}

/** Notes nothing. */
export const noModelInputs: ModelInputs = { record: (_, work) => work, all: () => [] }

/**
 * Makes the notes of a call, each as the difference to the one before, so that a long call is not as many histories. The first
 * 300 requests are noted. A text is cut after 8,000 characters, and all texts of a call together after 64,000; a note counts
 * what it lacks. What looks like a key, a token or a password is masked.
 */
export const makeModelInputs = (): ModelInputs => {
  const inputs: Array<ModelInput> = []
  let left = maxTexts
  let before: Parts = { system: "", tools: [], options: {}, messages: [] }

  const note = (step: Step, request: ModelRequest, at: number, event: FlowEvent): void => {
    const result = resultOf(event)
    if (result === null || inputs.length >= maxInputs) return
    let omitted = 0
    const mask = maskForRecord(step.state.actions)
    const cut = (text: string): string => {
      const plain = withoutSecrets(mask(text))
      const short = plain.slice(0, Math.min(maxText, left)).replace(/[\uD800-\uDBFF]$/u, "")
      omitted += plain.length - short.length
      left -= short.length
      return short
    }
    const parts = partsOf(request)
    const kept_messages = inCommon(before.messages, parts.messages)
    inputs.push({
      at,
      turn: step.state.turns.length,
      model: request.model,
      ...(parts.system !== before.system && { system: cut(parts.system) }),
      ...(!isSame(parts.tools, before.tools) && { tools: parts.tools }),
      ...(!isSame(parts.options, before.options) && { options: parts.options }),
      kept_messages,
      messages: parts.messages.slice(kept_messages).map((message) => messageOf(message, cut)),
      omitted,
      ...result
    })
    before = parts
  }

  return {
    record: (step, work) => {
      const { command } = step
      if (command._tag !== "Think") return work
      return Effect.flatMap(BusinessTime.now, (at) => {
        const noteOf = (event: FlowEvent) => Effect.sync(() => note(step, command.request, at, event))
        return work.pipe(Effect.tap(noteOf), Effect.onInterrupt(() => noteOf({ _tag: "TimeUp", outcomes: [] })))
      })
    },
    all: () => inputs
  }
}
