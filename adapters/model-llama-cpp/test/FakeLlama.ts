import { setImmediate } from "node:timers/promises"
import type {
  ChatGenerator,
  ChatWrapper,
  GenerationOptions,
  GenerationResult,
  HistoryItem,
  LlamaModule,
  LlamaText,
  Sequence
} from "../src/LlamaModule.js"

/** Behaviour of a fake model for an answer; it returns the chunks of its text. */
export type FakeAnswer = (history: ReadonlyArray<HistoryItem>, options: GenerationOptions) => ReadonlyArray<string>

/** Overrides of a fake; by default everything works, and every answer is "fine". */
export interface FakeOptions {
  readonly answer?: FakeAnswer
  /** Delay of an answer after its abort, as llama.cpp finishes the tokens that it is computing. */
  readonly lingers?: Promise<void>
  readonly startsWith?: Error
  readonly loadsWith?: Error
  readonly contextWith?: Error
}

/** Calls that a fake has recorded. */
export interface Seen {
  /** Highest number of responses generated in a sequence at the same time. */
  mostInOnePlace: number
  readonly disposed: Array<string>
  readonly options: Array<GenerationOptions>
}

const codes = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0)

const textOf = (parts: ReadonlyArray<unknown>): LlamaText & { readonly text: string } => {
  const text = parts.map((part) => typeof part === "object" && part !== null && "text" in part ? part.text : part).join(
    ""
  )
  return { text, tokenize: (tokenizer) => tokenizer(text), mapValues: (change) => textOf([change(text)]) }
}

const wrapper: ChatWrapper = {
  settings: { functions: { call: { prefix: "call:", paramsPrefix: "(", suffix: ")" } } },
  generateContextState: ({ chatHistory }) => ({
    contextText: textOf(chatHistory.map((item) => item.type === "model" ? "model:" : `${item.type}:${item.text};`)),
    stopGenerationTriggers: []
  })
}

class FakeSequence implements Sequence {
  busy = 0
  read: ReadonlyArray<number> = []
  readonly tokenMeter = { usedOutputTokens: 0 }
  constructor(readonly contextSize: number) {}
  get nextTokenIndex() {
    return this.read.length
  }
  compareContextTokens(tokens: ReadonlyArray<number>) {
    const differs = tokens.findIndex((token, index) => token !== this.read[index])
    return { firstDifferentIndex: differs < 0 ? tokens.length : differs }
  }
  async clearHistory() {
    this.read = []
  }
  async adaptStateToTokens(tokens: ReadonlyArray<number>) {
    this.read = tokens.slice(0, this.compareContextTokens(tokens).firstDifferentIndex)
  }
  async evaluateWithoutGeneratingNewTokens(tokens: ReadonlyArray<number>) {
    await setImmediate()
    this.read = [...this.read, ...tokens]
  }
}

/** Something in the place of `node-llama-cpp` whose token is a character, and what it has seen. */
export const fakeLlama = (
  { answer = () => ["fine"], contextWith, lingers, loadsWith, startsWith }: FakeOptions = {}
): { readonly load: () => Promise<LlamaModule>; readonly seen: Seen } => {
  const seen: Seen = { mostInOnePlace: 0, disposed: [], options: [] }
  const disposing = (name: string) => async () => void seen.disposed.push(name)
  const sequences = new Map<Sequence, FakeSequence>()

  class LlamaChat implements ChatGenerator {
    readonly #sequence: FakeSequence
    constructor({ contextSequence }: { readonly contextSequence: Sequence }) {
      this.#sequence = sequences.get(contextSequence) ?? new FakeSequence(0)
    }
    async generateResponse(history: ReadonlyArray<HistoryItem>, options: GenerationOptions): Promise<GenerationResult> {
      const sequence = this.#sequence
      seen.options.push(options)
      sequence.busy++
      seen.mostInOnePlace = Math.max(seen.mostInOnePlace, sequence.busy)
      try {
        let written = 0
        for (const text of answer(history, options)) {
          await setImmediate()
          if (options.signal.aborted) await lingers
          options.signal.throwIfAborted()
          if (written === options.maxTokens) return this.#ended("maxTokens", history)
          written++
          sequence.tokenMeter.usedOutputTokens++
          options.onResponseChunk({ segmentType: undefined, text, tokens: [0] })
        }
        return this.#ended("eogToken", history)
      } finally {
        sequence.busy--
      }
    }
    #ended(stopReason: string, cleanHistory: ReadonlyArray<HistoryItem>): GenerationResult {
      return { lastEvaluation: { cleanHistory }, metadata: { stopReason } }
    }
    dispose() {}
  }

  const module: LlamaModule = {
    LlamaChat,
    LlamaText: textOf,
    resolveChatWrapper: () => wrapper,
    getLlama: async () => {
      if (startsWith !== undefined) throw startsWith
      return {
        dispose: disposing("llama"),
        createGrammar: async ({ grammar }) => ({ grammar }),
        loadModel: async () => {
          if (loadsWith !== undefined) throw loadsWith
          return {
            dispose: disposing("model"),
            tokenizer: codes,
            createContext: async ({ contextSize }) => {
              if (contextWith !== undefined) throw contextWith
              return {
                dispose: disposing("context"),
                getSequence: () => {
                  const sequence = new FakeSequence(typeof contextSize === "number" ? contextSize : contextSize.max)
                  sequences.set(sequence, sequence)
                  return sequence
                }
              }
            }
          }
        }
      }
    }
  }
  return { load: () => Promise.resolve(module), seen }
}
