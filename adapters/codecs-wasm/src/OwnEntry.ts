import type { ThreadEntry } from "./thread/ThreadEntry.js"

/** The module behind `./worker`: beside this one when bundled, and in TypeScript as long as this one is. */
export const ownEntry: ThreadEntry = import.meta.url.endsWith(".ts")
  ? {
    url: new URL("./worker.source.mjs", import.meta.url),
    options: { execArgv: ["--conditions=@trunkline/source"] }
  }
  : { url: new URL("./worker.js", import.meta.url) }
