import { Effect, Predicate, Runtime, Schema, type Scope } from "effect"
import { availableParallelism } from "node:os"
import type { Gpu, Llama, LlamaModule, LoadedModel } from "./LlamaModule.js"

/** CPU package of llama.cpp for each platform. */
const platformPackages: Readonly<Record<string, string>> = {
  "darwin-arm64": "mac-arm64-metal",
  "darwin-x64": "mac-x64",
  "linux-arm": "linux-armv7l",
  "linux-arm64": "linux-arm64",
  "linux-x64": "linux-x64",
  "win32-arm64": "win-arm64",
  "win32-x64": "win-x64"
}

/** Version of `node-llama-cpp` that `LlamaModule` describes. */
const line = "3.22"

/**
 * Returns the command that installs llama.cpp. Without `--omit=optional`, npm also installs the packages of every
 * graphics card: 725 MB instead of some 70. `platform` is Node's platform and architecture, such as `linux-x64`.
 */
export const installCommand = (platform: string): string => {
  const platformPackage = Object.hasOwn(platformPackages, platform) ? platformPackages[platform] : undefined
  const packages = [
    `node-llama-cpp@${line}`,
    ...(platformPackage === undefined ? [] : [`@node-llama-cpp/${platformPackage}@${line}`])
  ]
  return packages.map((name) => `npm i ${name} --omit=optional`).join(" && ")
}

/** Failure because llama.cpp is not installed, or not for this platform; `command` installs it. */
export class LlamaCppMissing extends Schema.TaggedError<LlamaCppMissing>()("LlamaCppMissing", {
  command: Schema.String,
  /** Message of the import error. */
  reason: Schema.String
}) {
  override get message() {
    return `llama.cpp is not installed (${this.reason}). Install it with: ${this.command}`
  }
}

/** Failure because a file cannot be used as a model: it is missing, not GGUF, or too large for the memory. */
export class ModelFileUnusable extends Schema.TaggedError<ModelFileUnusable>()("ModelFileUnusable", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.file} cannot be used as a model: ${this.reason}`
  }
}

/** A model file, and the resources it may use. */
export interface ModelFile {
  /** Path of a GGUF file. */
  readonly file: string
  /**
   * Upper bound of computing threads. Default: half the number of cores, at least one. Threads that wait for each other
   * burn CPU time: two on a busy machine with two cores took a thousand times as long as one.
   */
  readonly maxThreads?: number
  /** Compute device. Default: the CPU. Others need their own package, such as `@node-llama-cpp/linux-x64-cuda`. */
  readonly gpu?: Gpu
  /** Imports `node-llama-cpp`. Default: from the `node_modules` of this package. */
  readonly load?: () => Promise<object>
}

const isFrom = (module: object): module is LlamaModule =>
  ["getLlama", "LlamaChat", "LlamaText", "resolveChatWrapper"].every((name) =>
    Predicate.hasProperty(module, name) && typeof module[name] === "function"
  )

const reasonOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

const missing = (error: unknown) =>
  new LlamaCppMissing({ command: installCommand(`${process.platform}-${process.arch}`), reason: reasonOf(error) })

// Not a literal, because the module is not installed where this package is built.
const moduleName = "node-llama-cpp"

const importModule = ({ load = () => import(moduleName) }: ModelFile) =>
  Effect.flatMap(
    Effect.tryPromise({ try: load, catch: missing }),
    (module) => isFrom(module) ? Effect.succeed(module) : missing("another version is there")
  )

const startLlama = ({ getLlama }: LlamaModule, { gpu = false, maxThreads }: ModelFile) =>
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

/** Translates an error of loading a model or allocating its memory. */
export const unusable = (file: string) => (error: unknown) => new ModelFileUnusable({ file, reason: reasonOf(error) })

/** Disposes a llama.cpp resource when the scope closes. */
export const released = <A extends { dispose(): Promise<void> }, E>(
  acquire: Effect.Effect<A, E>
): Effect.Effect<A, E, Scope.Scope> =>
  Effect.acquireRelease(acquire, (resource) => Effect.promise(() => resource.dispose()))

/** llama.cpp with a loaded model; both live as long as the scope. */
export interface OpenedModel {
  readonly module: LlamaModule
  readonly llama: Llama
  readonly model: LoadedModel
}

/** Loads llama.cpp and a model, or only the vocabulary of the model. */
export const openModel = (
  options: ModelFile,
  { vocabOnly }: { readonly vocabOnly: boolean }
): Effect.Effect<OpenedModel, LlamaCppMissing | ModelFileUnusable, Scope.Scope> =>
  Effect.gen(function*() {
    const module = yield* importModule(options)
    const llama = yield* released(startLlama(module, options))
    const model = yield* released(Effect.tryPromise({
      try: () => llama.loadModel({ modelPath: options.file, vocabOnly }),
      catch: unusable(options.file)
    }))
    return { module, llama, model }
  })
