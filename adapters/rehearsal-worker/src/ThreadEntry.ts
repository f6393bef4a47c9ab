import type { WorkerOptions } from "node:worker_threads"

/** A module that threads run, and the options of Node.js that it needs. */
export interface ThreadEntry {
  readonly url: URL
  readonly options?: Pick<WorkerOptions, "execArgv">
}

/** The module behind `./worker`: beside this one when bundled, and in TypeScript as long as this one is. */
export const ownEntry: ThreadEntry = import.meta.url.endsWith(".ts")
  ? {
    url: new URL("./worker.source.mjs", import.meta.url),
    options: { execArgv: ["--conditions=@trunkline/source"] }
  }
  : { url: new URL("./worker.js", import.meta.url) }
