import type { WorkerOptions } from "node:worker_threads"

/** A module that threads run, and the options of Node.js that it needs. */
export interface ThreadEntry {
  readonly url: URL
  readonly options?: Pick<WorkerOptions, "execArgv">
}
