import { Effect, Fiber } from "effect"
import { type CallNews, lostCode, sharedEngine } from "./SharedEngine.js"

/** An engine in a process of its own, which sends the news of its calls to its parent, and ends with it. */
const [, , database = "", data = "", webhook = ""] = process.argv

process.once("disconnect", () => process.exit(0))
const tell = (news: CallNews): void => void process.send?.(news)
const onLost = (): Effect.Effect<void> => Effect.sync((): void => void process.exit(lostCode))
const run = Effect.zipRight(
  Effect.map(
    sharedEngine({ database, data, tell, onLost, ...(webhook !== "" && { webhook }) }),
    () => tell({ _tag: "Ready" })
  ),
  Effect.never
)
const fiber = Effect.runFork(Effect.scoped(run))
process.once("SIGTERM", () => void Effect.runPromise(Fiber.interrupt(fiber)).then(() => process.exit(0)))
