// Runs runner.ts from the sources: child processes do not inherit what translates TypeScript in their parent. Translating
// as CommonJS needs no thread of its own for that, in the process or in the one that watches it.
import { require } from "tsx/cjs/api"

require("./runner.ts", import.meta.url)
