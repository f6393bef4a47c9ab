// Runs the TypeScript module that the last argument names in a child process, which does not inherit the parent's loader.
// Translating to CommonJS needs no loader thread, unlike `register` of tsx, so the child starts faster.
import { require } from "tsx/cjs/api"

require(process.argv.at(-1), import.meta.url)
