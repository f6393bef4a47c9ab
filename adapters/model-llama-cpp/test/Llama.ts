import { Effect, Layer } from "effect"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { ChatWrapper, LlamaModule } from "../src/LlamaModule.js"
import { writeTinyGguf } from "./TinyGguf.js"

/** Where `node-llama-cpp` is looked for: in the folder of an environment variable, and where Node looks from here. */
const places = [
  ...(process.env.TRUNKLINE_LLAMA_CPP === undefined ? [] : [join(process.env.TRUNKLINE_LLAMA_CPP, "node_modules")]),
  ...(createRequire(import.meta.url).resolve.paths("node-llama-cpp") ?? [])
]

const entry = places.map((place) => join(place, "node-llama-cpp", "dist", "index.js")).find(existsSync)

/** True if llama.cpp is installed and can be tested. */
export const hasLlama = entry !== undefined

/** Why tests of the real thing are skipped, for their titles. */
export const skippedWithout = "skipped where node-llama-cpp is not installed (see TRUNKLINE_LLAMA_CPP)"

/** The module that was found. */
export const load = (): Promise<LlamaModule> => import(pathToFileURL(entry ?? "").href)

/** The module with a template that asks for tools by a letter, which even a model without sense writes now and then. */
export const loadEager = async (): Promise<LlamaModule> => {
  const module = await load()
  const eager = (wrapper: ChatWrapper): ChatWrapper => {
    const { functions } = wrapper.settings
    const settings = {
      ...wrapper.settings,
      functions: {
        ...functions,
        call: { ...functions.call, prefix: "o", paramsPrefix: "(", suffix: ")", prefixAlternateMatches: [] },
        parallelism: { call: { sectionPrefix: "", betweenCalls: "" } }
      }
    }
    return new Proxy(wrapper, { get: (its, key) => key === "settings" ? settings : Reflect.get(its, key, its) })
  }
  return { ...module, resolveChatWrapper: (...args) => eager(module.resolveChatWrapper(...args)) }
}

/** The template of ChatML. */
export const chatMl =
  "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n"

/** Runs a test with a tiny model in a temporary file. */
export const withTinyModel = <A, E>(
  options: Parameters<typeof writeTinyGguf>[1],
  use: (file: string) => Layer.Layer<A, E>
): Layer.Layer<A, E> =>
  Layer.unwrapScoped(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-llama-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ).pipe(Effect.map((folder) => {
      const file = join(folder, "tiny.gguf")
      writeTinyGguf(file, options)
      return use(file)
    }))
  )
