/** A token of a model's vocabulary. */
export type Token = number

/** Turns a text into tokens; special ones only where told. */
export type Tokenize = (text: string, specialTokens?: boolean, options?: "trimLeadingSpace") => Array<Token>

/** A text in which some places are special tokens, as `node-llama-cpp` keeps it. */
export interface LlamaText {
  tokenize(tokenizer: Tokenize): Array<Token>
  mapValues(change: (value: unknown) => unknown): LlamaText
}

type Text = string | LlamaText

/** A tool that was asked for, in a conversation. */
export interface CallItem {
  readonly type: "functionCall"
  readonly name: string
  readonly params: unknown
  readonly result: unknown
  /** Whether it was not asked for together with the one before. */
  readonly startsNewChunk: boolean
}

/** What a model thought, in a conversation. */
export interface ThoughtItem {
  readonly type: "segment"
  readonly segmentType: "thought"
  readonly text: string
  readonly ended: true
}

/** A part of a model's turn; a text is what it said. */
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

/** A conversation as a model reads it, and where its answer ends. */
export interface ContextState {
  readonly contextText: LlamaText
  readonly stopGenerationTriggers: ReadonlyArray<LlamaText>
  readonly functionCall?: {
    readonly initiallyEngaged: boolean
    readonly disengageInitiallyEngaged: ReadonlyArray<LlamaText>
  }
}

/** How a model writes what is no text. */
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

/** Rules for what a model may write. */
export interface Grammar {
  readonly grammar: string
}

/** A piece of an answer; without a segment it is text. */
export interface AnswerChunk {
  readonly segmentType: string | undefined
  readonly text: string
  readonly tokens: ReadonlyArray<Token>
}

/** How an answer is written. */
export interface AnswerOptions {
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

/** What became of an answer. */
export interface Answered {
  readonly functionCalls?: ReadonlyArray<{ readonly functionName: string }>
  readonly lastEvaluation: { readonly cleanHistory: ReadonlyArray<HistoryItem> }
  readonly metadata: { readonly stopReason: string }
}

/** Writes the next turn of a conversation. */
export interface Chat {
  generateResponse(history: ReadonlyArray<HistoryItem>, options: AnswerOptions): Promise<Answered>
  dispose(): void
}

/** A place in a context: what one answer is written in, with everything before it. */
export interface Sequence {
  readonly contextSize: number
  readonly nextTokenIndex: number
  readonly tokenMeter: { readonly usedOutputTokens: number }
  compareContextTokens(tokens: ReadonlyArray<Token>): { readonly firstDifferentIndex: number }
  clearHistory(): Promise<void>
  adaptStateToTokens(tokens: ReadonlyArray<Token>, allowShift: boolean): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: ReadonlyArray<Token>): Promise<void>
}

interface Disposable {
  dispose(): Promise<void>
}

/** Memory for answers. */
export interface LlamaContext extends Disposable {
  getSequence(): Sequence
}

/** A model that is loaded. */
export interface LoadedModel extends Disposable {
  readonly tokenizer: Tokenize
  createContext(options: {
    readonly sequences: number
    readonly contextSize: number | { readonly max: number }
  }): Promise<LlamaContext>
}

/** llama.cpp. */
export interface Llama extends Disposable {
  loadModel(options: { readonly modelPath: string; readonly vocabOnly: boolean }): Promise<LoadedModel>
  createGrammar(options: { readonly grammar: string }): Promise<Grammar>
}

/** What a machine computes with: false is the processor alone. */
export type Gpu = false | "auto" | "cuda" | "metal" | "vulkan"

/** As much of the module `node-llama-cpp` (3.22) as is used here. */
export interface LlamaModule {
  readonly getLlama: (options: {
    readonly gpu: Gpu
    readonly build: "never"
    readonly maxThreads: number
    readonly skipDownload: true
    readonly progressLogs: false
    readonly logger: (level: string, message: string) => void
  }) => Promise<Llama>
  readonly LlamaChat: new(options: { readonly contextSequence: Sequence; readonly chatWrapper: ChatWrapper }) => Chat
  readonly LlamaText: (parts: ReadonlyArray<Text>) => LlamaText
  readonly resolveChatWrapper: (model: LoadedModel, options: { readonly warningLogs: false }) => ChatWrapper
}
