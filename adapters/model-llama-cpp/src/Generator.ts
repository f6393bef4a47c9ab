import type { Usage } from "@trunkline/models"
import type {
  AnswerChunk,
  ChatWrapper,
  GenerationOptions,
  GenerationResult,
  HistoryItem,
  LlamaToken,
  Sequence
} from "./LlamaModule.js"
import type { LlamaPlan } from "./Plan.js"
import { type ChatModel, roomAfter, tokensOf } from "./Prompt.js"
import type { Writer } from "./Writer.js"

/** Resources of one answer. */
export interface AnswerContext {
  readonly sequence: Sequence
  readonly signal: AbortSignal
  readonly seed: number
  /** True when the same seed must give the same answer again. */
  readonly isRepeatable: boolean
  readonly writer: Writer
}

/** Settings of one generation. */
export interface GenerateOptions extends Pick<GenerationOptions, "grammar" | "functions" | "maxParallelFunctionCalls"> {
  /** Receives the text. */
  readonly onText?: (text: string) => void
  readonly maxOutputTokens?: number
}

/** Runs the generations of an answer: one without tools, and up to two more for each tool call. */
export interface Generator {
  /**
   * Generates the continuation of a history; null if the context is full or a stop sequence was found before. Rejects
   * when the answer is aborted, and when a stop sequence is found.
   */
  readonly generate: (
    wrapper: ChatWrapper,
    history: ReadonlyArray<HistoryItem>,
    options: GenerateOptions
  ) => Promise<GenerationResult | null>
  /** Usage so far. */
  readonly usage: () => Usage
}

/** Prompt tokens that are evaluated between two checks for an abort. */
const evaluationStep = 128

/** Makes the generator of one answer. */
export const makeGenerator = (
  chatModel: ChatModel,
  plan: LlamaPlan,
  { isRepeatable, seed, sequence, signal, writer }: AnswerContext
): Generator => {
  const stopping = new AbortController()
  const before = sequence.tokenMeter.usedOutputTokens
  const used = () => sequence.tokenMeter.usedOutputTokens - before
  let reasoningTokens = 0
  let prompt: Pick<Usage, "inputTokens" | "cachedTokens"> | undefined

  /**
   * Evaluates the part of a prompt that the sequence has not evaluated yet, except its end, in steps. Other steps give
   * slightly different floating-point results, enough for another answer: a repeatable one starts from the beginning.
   */
  const read = async (tokens: ReadonlyArray<LlamaToken>) => {
    if (isRepeatable && prompt === undefined) await sequence.clearHistory()
    await sequence.adaptStateToTokens(tokens.slice(0, -1), false)
    const cachedTokens = sequence.nextTokenIndex
    prompt ??= { inputTokens: tokens.length, cachedTokens }
    for (let at = cachedTokens; at + evaluationStep < tokens.length; at += evaluationStep) {
      signal.throwIfAborted()
      await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + evaluationStep))
    }
  }

  const generate: Generator["generate"] = async (
    wrapper,
    history,
    { maxOutputTokens = Infinity, onText, ...options }
  ) => {
    const tokens = tokensOf(chatModel, wrapper, history)
    const room = roomAfter(tokens, sequence.contextSize, options.functions !== undefined)
    const maxTokens = Math.min(room, maxOutputTokens, plan.maxOutputTokens - used())
    if (maxTokens <= 0 || writer.isStopped()) return null
    await read(tokens)
    const chat = new chatModel.module.LlamaChat({ contextSequence: sequence, chatWrapper: wrapper })
    const onResponseChunk = ({ segmentType, text, tokens }: AnswerChunk) => {
      if (segmentType === undefined) onText?.(text)
      else {
        reasoningTokens += tokens.length
        writer.thought(text)
      }
      if (writer.isStopped()) stopping.abort()
    }
    try {
      return await chat.generateResponse(history, {
        ...plan.sampling,
        ...options,
        seed,
        signal: AbortSignal.any([signal, stopping.signal]),
        maxTokens,
        budgets: { thoughtTokens: plan.thoughtTokens, commentTokens: Infinity },
        onResponseChunk
      })
    } finally {
      chat.dispose()
    }
  }

  return {
    generate,
    usage: () => ({ inputTokens: 0, cachedTokens: 0, ...prompt, outputTokens: used(), reasoningTokens })
  }
}
