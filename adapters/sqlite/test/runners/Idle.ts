import { Effect, Scope } from "effect"
import { poolWith } from "./Databases.js"

const [folder = ""] = process.argv.slice(2)

// The scope is never closed: the process has to end without that.
await Effect.runPromise(Effect.gen(function*() {
  const { run } = yield* Scope.extend(poolWith({ temporaryFolder: folder }), yield* Scope.make())
  yield* run("SELECT 1")
}))
