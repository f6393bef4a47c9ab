// Runs the TypeScript module that the last argument names in a worker thread, which does not inherit the parent's loader.
import { register } from "tsx/esm/api"

register()
await import(process.argv.at(-1))
