import { type AttemptId, BusinessTime, findOne } from "@trunkline/kernel"
import { type Attempt, AttemptStore, CreateOutbound, Outbounds } from "@trunkline/telephony"
import { Effect, Option, Schema } from "effect"
import { line, scope } from "./Fixtures.js"

/** Request body of a single call to a number. */
export const outboundBody = (number = "9876543210", changes: Record<string, unknown> = {}) =>
  Schema.decodeUnknownSync(CreateOutbound)({
    app_config: {
      app_id: "support",
      app_version: 1,
      connection_config: { connection_id: "sim-1", agent_phone_number: line },
      ...changes
    },
    user_config: { user_phone_number: number }
  })

/** Waits until an attempt has ended and returns it. */
export const ended = (id: AttemptId): Effect.Effect<Attempt, never, AttemptStore> =>
  Effect.gen(function*() {
    const attempt = yield* findOne((yield* AttemptStore).findMany, id)
    if (Option.isSome(attempt) && attempt.value.state === "ended") return attempt.value
    yield* BusinessTime.sleep("1 second")
    return yield* ended(id)
  })

/** Makes a single call and waits for its end. */
export const calling = (number?: string) =>
  Effect.gen(function*() {
    const outbounds = yield* Outbounds
    yield* Effect.fork(outbounds.run)
    return yield* Effect.flatMap(Effect.orDie(outbounds.start(scope, outboundBody(number))), ended)
  })
