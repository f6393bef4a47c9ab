import { Schema } from "effect"

/** The package of llama.cpp for each platform, without graphics cards. */
const platformPackages: Readonly<Record<string, string>> = {
  "darwin-arm64": "mac-arm64-metal",
  "darwin-x64": "mac-x64",
  "linux-arm": "linux-armv7l",
  "linux-arm64": "linux-arm64",
  "linux-x64": "linux-x64",
  "win32-arm64": "win-arm64",
  "win32-x64": "win-x64"
}

/** The line where these interfaces hold. */
const line = "3.22"

/**
 * How to install llama.cpp: without `--omit=optional` npm takes the packages of every graphics card, 725 MB instead of
 * some 70 (design: llm 3). `platform` is Node's platform and architecture, such as `linux-x64`.
 */
export const installCommand = (platform: string): string => {
  const own = Object.hasOwn(platformPackages, platform) ? platformPackages[platform] : undefined
  const packages = [`node-llama-cpp@${line}`, ...(own === undefined ? [] : [`@node-llama-cpp/${own}@${line}`])]
  return packages.map((name) => `npm i ${name} --omit=optional`).join(" && ")
}

/** llama.cpp is not installed, or not for this platform; `command` installs it. */
export class LlamaCppMissing extends Schema.TaggedError<LlamaCppMissing>()("LlamaCppMissing", {
  command: Schema.String,
  /** What could not be loaded. */
  reason: Schema.String
}) {
  override get message() {
    return `llama.cpp is not installed (${this.reason}). Install it with: ${this.command}`
  }
}

/** A file cannot be used as a model: it is missing, no GGUF, or too large for the memory. */
export class ModelFileUnusable extends Schema.TaggedError<ModelFileUnusable>()("ModelFileUnusable", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.file} cannot be used as a model: ${this.reason}`
  }
}
