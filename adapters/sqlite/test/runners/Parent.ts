import { Effect } from "effect"
import { endless, poolWith } from "./Databases.js"

const [folder = ""] = process.argv.slice(2)

await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
  const { run } = yield* poolWith({ temporaryFolder: folder })
  yield* run("SELECT 1")
  yield* Effect.fork(run(endless))
  yield* run("SELECT 1", { lane: "other" })
  yield* Effect.sync(() => process.stdout.write("working\n"))
  return yield* Effect.never
})))
