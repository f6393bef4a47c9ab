import { LimitsRedis } from "@trunkline/limits-redis"
import { Console, Effect } from "effect"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { sharedUrl } from "../../../test/setup/Redis.js"
import { drain } from "./Drain.js"

const [prefix = ""] = process.argv.slice(2)

/** Drains the bucket when a line arrives on standard input, and prints the result. */
const program = Effect.gen(function*() {
  yield* Console.log("ready")
  const input = createInterface(process.stdin)
  yield* Effect.promise(() => once(input, "line"))
  input.close()
  yield* Console.log(JSON.stringify(yield* drain))
})

await Effect.runPromise(
  Effect.provide(program, LimitsRedis.layer({ url: sharedUrl, prefix, timeout: "10 seconds" }))
)
