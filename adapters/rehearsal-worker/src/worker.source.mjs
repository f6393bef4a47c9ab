// Runs worker.ts from the sources: threads do not inherit what translates TypeScript in the main thread.
import { register } from "tsx/esm/api"

register()
await import("./worker.ts")
