import { Effect, Predicate, Runtime, type Scope } from "effect"
import { availableParallelism } from "node:os"
import { installCommand, LlamaCppMissing, ModelFileUnusable } from "./LlamaCppMissing.js"
import type { Gpu, Llama, LlamaModule, LoadedModel } from "./LlamaModule.js"

/** Where a model is, and what it may use of the machine. */
export interface ModelFile {
  /** The path of a GGUF file. */
  readonly file: string
  /**
   * How many threads compute at most; half the processor's when absent, and at least one. Threads that wait for each
   * other burn processor time: two on a busy machine with two cores took a thousand times as long as one (design: llm 3).
   */
  readonly maxThreads?: number
  /** What computes; the processor alone when absent. Others need their own package, such as `@node-llama-cpp/linux-x64-cuda`. */
  readonly gpu?: Gpu
  /** Imports `node-llama-cpp` from where it is installed; from this package's `node_modules` when absent. */
  readonly load?: () => Promise<object>
}

const isFrom = (module: object): module is LlamaModule =>
  ["getLlama", "LlamaChat", "LlamaText", "resolveChatWrapper"].every((name) =>
    Predicate.hasProperty(module, name) && typeof module[name] === "function"
  )

const reasonOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

const missing = (error: unknown) =>
  new LlamaCppMissing({ command: installCommand(`${process.platform}-${process.arch}`), reason: reasonOf(error) })

// A name that is no literal: it is not installed where this is built.
const moduleName = "node-llama-cpp"

const imported = ({ load = () => import(moduleName) }: ModelFile) =>
  Effect.flatMap(
    Effect.tryPromise({ try: load, catch: missing }),
    (module) => isFrom(module) ? Effect.succeed(module) : missing("another version is there")
  )

const started = ({ getLlama }: LlamaModule, { gpu = false, maxThreads }: ModelFile) =>
  Effect.gen(function*() {
    const runFork = Runtime.runFork(yield* Effect.runtime())
    return yield* Effect.tryPromise({
      try: () =>
        getLlama({
          gpu,
          build: "never",
          maxThreads: maxThreads ?? Math.max(1, Math.floor(availableParallelism() / 2)),
          skipDownload: true,
          progressLogs: false,
          logger: (level, message) => void runFork(Effect.logDebug(`llama.cpp, ${level}: ${message.trim()}`))
        }),
      catch: missing
    })
  })

/** The failure of a model to be loaded, or to get its memory. */
export const unusable = (file: string) => (error: unknown) => new ModelFileUnusable({ file, reason: reasonOf(error) })

/** What llama.cpp gave is given back with the scope. */
export const released = <A extends { dispose(): Promise<void> }, E>(
  acquired: Effect.Effect<A, E>
): Effect.Effect<A, E, Scope.Scope> => Effect.acquireRelease(acquired, (held) => Effect.promise(() => held.dispose()))

/** llama.cpp with a model that is loaded, both until the scope ends. */
export interface OpenedModel {
  readonly module: LlamaModule
  readonly llama: Llama
  readonly model: LoadedModel
}

/** Loads llama.cpp and a model, or only the model's vocabulary. */
export const openModel = (
  options: ModelFile,
  { vocabOnly }: { readonly vocabOnly: boolean }
): Effect.Effect<OpenedModel, LlamaCppMissing | ModelFileUnusable, Scope.Scope> =>
  Effect.gen(function*() {
    const module = yield* imported(options)
    const llama = yield* released(started(module, options))
    const model = yield* released(Effect.tryPromise({
      try: () => llama.loadModel({ modelPath: options.file, vocabOnly }),
      catch: unusable(options.file)
    }))
    return { module, llama, model }
  })
