import { Effect } from "effect"
import { createCampaign, outboundBody, scope } from "./SharedCampaign.js"
import { sharedEngine } from "./SharedEngine.js"

/** A process that accepts a campaign with its people and a call, and leaves all work to others. */
const [, , database = "", data = "", people = ""] = process.argv

process.once("disconnect", () => process.exit(0))
const run = Effect.gen(function*() {
  const engine = yield* sharedEngine({ database, data, roles: ["api"], tell: () => undefined })
  const campaign = yield* createCampaign(engine, Number(people))
  yield* engine.outbounds.start(scope, outboundBody)
  process.send?.({ campaign })
  return yield* Effect.never
})
void Effect.runPromise(Effect.scoped(run))
