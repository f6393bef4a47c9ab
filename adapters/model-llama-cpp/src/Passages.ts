import type { Usage } from "@trunkline/models"
import type { AnswerChunk, Answered, AnswerOptions, ChatWrapper, HistoryItem, Sequence, Token } from "./LlamaModule.js"
import type { Plan } from "./Plan.js"
import { type Desk, roomAfter, tokensOf } from "./Prompt.js"
import type { Writer } from "./Writer.js"

/** What an answer is written with. */
export interface Writing {
  readonly sequence: Sequence
  readonly signal: AbortSignal
  readonly seed: number
  /** Whether the seed is to give the same answer again. */
  readonly isRepeatable: boolean
  readonly writer: Writer
}

/** What one passage of an answer may be. */
export interface PassageOptions extends Pick<AnswerOptions, "grammar" | "functions" | "maxParallelFunctionCalls"> {
  /** Hears its text. */
  readonly onText?: (text: string) => void
  readonly mostTokens?: number
}

/** The passages of an answer: an answer without tools has one, and each tool that is asked for takes up to two more. */
export interface Passages {
  /**
   * Writes the next one after what was told; null where there is no room for it, or a stop sequence was met before. It
   * rejects when its answer is not wanted any more, and when a stop sequence is met.
   */
  readonly goOn: (
    wrapper: ChatWrapper,
    told: ReadonlyArray<HistoryItem>,
    options: PassageOptions
  ) => Promise<Answered | null>
  /** What they took so far. */
  readonly usage: () => Usage
}

/** So many tokens of a prompt are read before anybody looks whether the answer is still wanted. */
const readAtOnce = 128

/** The passages of an answer that is about to begin. */
export const makePassages = (
  desk: Desk,
  plan: Plan,
  { isRepeatable, seed, sequence, signal, writer }: Writing
): Passages => {
  const stopping = new AbortController()
  const before = sequence.tokenMeter.usedOutputTokens
  const used = () => sequence.tokenMeter.usedOutputTokens - before
  let reasoningTokens = 0
  let prompt: Pick<Usage, "inputTokens" | "cachedTokens"> | undefined

  /**
   * Reads, in steps, as much of a prompt as was not read before, but for its end. What is read in other steps is not the
   * same to the last bit, which is enough for another answer: a repeatable one is read from its beginning.
   */
  const read = async (tokens: ReadonlyArray<Token>) => {
    if (isRepeatable && prompt === undefined) await sequence.clearHistory()
    await sequence.adaptStateToTokens(tokens.slice(0, -1), false)
    const known = sequence.nextTokenIndex
    prompt ??= { inputTokens: tokens.length, cachedTokens: known }
    for (let at = known; at + readAtOnce < tokens.length; at += readAtOnce) {
      signal.throwIfAborted()
      await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + readAtOnce))
    }
  }

  const goOn: Passages["goOn"] = async (wrapper, told, { mostTokens = Infinity, onText, ...options }) => {
    const tokens = tokensOf(desk, wrapper, told)
    const room = roomAfter(tokens, sequence.contextSize, options.functions !== undefined)
    const maxTokens = Math.min(room, mostTokens, plan.maxOutputTokens - used())
    if (maxTokens <= 0 || writer.stopped()) return null
    await read(tokens)
    const chat = new desk.module.LlamaChat({ contextSequence: sequence, chatWrapper: wrapper })
    const onResponseChunk = ({ segmentType, text, tokens }: AnswerChunk) => {
      if (segmentType === undefined) onText?.(text)
      else {
        reasoningTokens += tokens.length
        writer.thought(text)
      }
      if (writer.stopped()) stopping.abort()
    }
    try {
      return await chat.generateResponse(told, {
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
    goOn,
    usage: () => ({ inputTokens: 0, cachedTokens: 0, ...prompt, outputTokens: used(), reasoningTokens })
  }
}
