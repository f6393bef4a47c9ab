import { fileURLToPath } from "node:url"

/** The condition that resolves packages of this repository to their TypeScript source. */
const sourceCondition = "--conditions=@trunkline/source"

/**
 * URL of the module behind an export of a package that runs in a worker: `worker.js` beside the given module when that is
 * bundled, and `worker.ts` while it is TypeScript itself.
 *
 * @example
 * const entry = entryBeside(import.meta.url, "worker")
 */
export const entryBeside = (moduleUrl: string, name: string): URL =>
  new URL(`./${name}${moduleUrl.endsWith(".ts") ? ".ts" : ".js"}`, moduleUrl)

/** File to start and the arguments it needs: a loader for TypeScript, otherwise the module itself. */
export interface WorkerCommand {
  readonly url: URL
  readonly args: ReadonlyArray<string>
  /** Options of Node.js; undefined to inherit those of this process. */
  readonly execArgv: ReadonlyArray<string> | undefined
}

/** Command that runs a module, which may be TypeScript, in a thread or a child process. */
export const commandOf = (entry: URL, kind: "thread" | "process"): WorkerCommand =>
  entry.pathname.endsWith(".ts")
    ? {
      url: new URL(`./${kind}.source.mjs`, import.meta.url),
      args: [kind === "thread" ? entry.href : fileURLToPath(entry)],
      execArgv: [sourceCondition]
    }
    : { url: entry, args: [], execArgv: undefined }
