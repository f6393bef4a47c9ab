/** A token of a model's vocabulary. */
export type LlamaToken = number

/** Tokenizes a text; special tokens only with `specialTokens`. */
export type Tokenize = (text: string, specialTokens?: boolean, options?: "trimLeadingSpace") => Array<LlamaToken>

/** A text with embedded special tokens, as `node-llama-cpp` represents it. */
export interface LlamaText {
  tokenize(tokenizer: Tokenize): Array<LlamaToken>
  mapValues(change: (value: unknown) => unknown): LlamaText
}

type Text = string | LlamaText

/** A tool call in a conversation. */
export interface CallItem {
  readonly type: "functionCall"
  readonly name: string
  readonly params: unknown
  readonly result: unknown
  /** False when it belongs to the same group of parallel calls as the one before. */
  readonly startsNewChunk: boolean
}

/** A thought of the model in a conversation. */
export interface ThoughtItem {
  readonly type: "segment"
  readonly segmentType: "thought"
  readonly text: string
  readonly ended: true
}

/** A part of a model's turn; a string is text. */
export type ModelPart = string | CallItem | ThoughtItem

/** A turn in a conversation. */
export type HistoryItem =
  | { readonly type: "system"; readonly text: string }
  | { readonly type: "user"; readonly text: string }
  | { readonly type: "model"; readonly response: ReadonlyArray<ModelPart> }

/** Tools by their names. */
export type Functions = Readonly<
  Record<string, { readonly description?: string; readonly params?: Readonly<Record<string, unknown>> }>
>

/** A rendered conversation, and the triggers that end the answer. */
export interface ContextState {
  readonly contextText: LlamaText
  readonly stopGenerationTriggers: ReadonlyArray<LlamaText>
  readonly functionCall?: {
    readonly initiallyEngaged: boolean
    readonly disengageInitiallyEngaged: ReadonlyArray<LlamaText>
  }
}

/** Syntax of tool calls and thoughts in a template. */
export interface ChatSettings {
  readonly functions: {
    readonly call: { readonly prefix: Text; readonly paramsPrefix: Text; readonly suffix: Text }
    readonly parallelism?: { readonly call: { readonly sectionPrefix: Text; readonly betweenCalls?: Text } }
  }
  readonly segments?: { readonly thought?: unknown }
}

/** The chat template of a model. */
export interface ChatWrapper {
  readonly settings: ChatSettings
  generateContextState(options: {
    readonly chatHistory: ReadonlyArray<HistoryItem>
    readonly availableFunctions?: Functions | undefined
  }): ContextState
}

/** A GBNF grammar that constrains an answer. */
export interface Grammar {
  readonly grammar: string
}

/** A chunk of an answer; without a segment it is text. */
export interface AnswerChunk {
  readonly segmentType: string | undefined
  readonly text: string
  readonly tokens: ReadonlyArray<LlamaToken>
}

/** Options of a generation. */
export interface GenerationOptions {
  readonly signal: AbortSignal
  readonly maxTokens: number
  readonly temperature: number
  readonly topP: number
  readonly topK: number
  readonly seed: number
  readonly repeatPenalty: false | {
    readonly lastTokens: number
    readonly penalty: number
    readonly penalizeNewLine: boolean
    readonly frequencyPenalty: number
    readonly presencePenalty: number
  }
  readonly budgets: { readonly thoughtTokens: number; readonly commentTokens: number }
  readonly onResponseChunk: (chunk: AnswerChunk) => void
  readonly grammar?: Grammar
  readonly functions?: Functions
  readonly maxParallelFunctionCalls?: number
}

/** Result of a generation. */
export interface GenerationResult {
  readonly functionCalls?: ReadonlyArray<{ readonly functionName: string }>
  readonly lastEvaluation: { readonly cleanHistory: ReadonlyArray<HistoryItem> }
  readonly metadata: { readonly stopReason: string }
}

/** Generates the next turn of a conversation. */
export interface ChatGenerator {
  generateResponse(history: ReadonlyArray<HistoryItem>, options: GenerationOptions): Promise<GenerationResult>
  dispose(): void
}

/** A sequence of a context, which holds one conversation. */
export interface Sequence {
  readonly contextSize: number
  readonly nextTokenIndex: number
  readonly tokenMeter: { readonly usedOutputTokens: number }
  compareContextTokens(tokens: ReadonlyArray<LlamaToken>): { readonly firstDifferentIndex: number }
  clearHistory(): Promise<void>
  adaptStateToTokens(tokens: ReadonlyArray<LlamaToken>, allowShift: boolean): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: ReadonlyArray<LlamaToken>): Promise<void>
}

interface Disposable {
  dispose(): Promise<void>
}

/** Context memory of a model. */
export interface LlamaContext extends Disposable {
  getSequence(): Sequence
}

/** A loaded model. */
export interface LoadedModel extends Disposable {
  readonly tokenizer: Tokenize
  createContext(options: {
    readonly sequences: number
    readonly contextSize: number | { readonly max: number }
  }): Promise<LlamaContext>
}

/** The llama.cpp runtime. */
export interface Llama extends Disposable {
  loadModel(options: { readonly modelPath: string; readonly vocabOnly: boolean }): Promise<LoadedModel>
  createGrammar(options: { readonly grammar: string }): Promise<Grammar>
}

/** Compute device of llama.cpp; false for the CPU only. */
export type Gpu = false | "auto" | "cuda" | "metal" | "vulkan"

/** The part of the module `node-llama-cpp` (3.22) that this package uses. */
export interface LlamaModule {
  readonly getLlama: (options: {
    readonly gpu: Gpu
    readonly build: "never"
    readonly maxThreads: number
    readonly skipDownload: true
    readonly progressLogs: false
    readonly logger: (level: string, message: string) => void
  }) => Promise<Llama>
  readonly LlamaChat: new(
    options: { readonly contextSequence: Sequence; readonly chatWrapper: ChatWrapper }
  ) => ChatGenerator
  readonly LlamaText: (parts: ReadonlyArray<Text>) => LlamaText
  readonly resolveChatWrapper: (model: LoadedModel, options: { readonly warningLogs: false }) => ChatWrapper
}
