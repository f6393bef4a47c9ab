// Runs writer.ts from the sources: child processes do not inherit what translates TypeScript in their parent. Translating
// as CommonJS needs no thread of its own for that.
import { require } from "tsx/cjs/api"

require("./writer.ts", import.meta.url)
