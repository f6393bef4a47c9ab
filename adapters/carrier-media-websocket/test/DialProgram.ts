import { Connection } from "@trunkline/telephony"
import { Duration, Effect, Schema } from "effect"
import { CarrierMediaWebsocket } from "../src/index.js"
import { events, planFor } from "./Host.js"

/** Makes a call over the line of its first argument, tells the call's id, and stays until it is killed. */
const dial = Effect.gen(function*() {
  const connection = Schema.decodeUnknownSync(Schema.parseJson(Connection))(process.argv[2])
  const carriers = yield* CarrierMediaWebsocket.make(process.env)
  const carrier = carriers.find(({ provider }) => provider === connection.provider)
  if (carrier === undefined) return yield* Effect.dieMessage("There is no such carrier")
  const plan = { ...planFor(connection), ringTimeout: Duration.seconds(30) }
  const { provider_call_id } = yield* carrier.place(plan)
  process.send?.({ provider_call_id, attempt_id: plan.attempt_id })
  return yield* Effect.never
})

await Effect.runPromise(dial.pipe(Effect.scoped, Effect.provide(events)))
