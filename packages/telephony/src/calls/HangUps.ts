import { NotFound, RuleViolation } from "@trunkline/errors"
import { AttemptId, Bus, findOne, type Scope, unchecked } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { AttemptStore } from "../attempts/AttemptStore.js"
import { CallRegistry } from "./LiveCalls.js"

/** Topic of the calls that somebody wants to be ended, by their attempts. */
const hangUpTopic = "hang-up"

/** Answer to a request to hang up. */
export const HangUp = Schema.Struct({
  attempt_id: AttemptId,
  /** `ending`: the call is being ended. `ended`: it was over before. */
  status: Schema.Literal("ending", "ended")
})
export type HangUp = typeof HangUp.Type

/** Ends calls that somebody watches: they stop ringing, or the agent's side hangs up. */
export class HangUps extends Context.Tag("@trunkline/telephony/HangUps")<HangUps, {
  /**
   * Ends the call of an attempt, in whichever process carries it; its record comes as that of any call. Fails for an attempt
   * of another workspace, and for one that waits to be dialled.
   */
  readonly hangUp: (scope: Scope, id: AttemptId) => Effect.Effect<HangUp, NotFound | RuleViolation>
}>() {
  static readonly layer = Layer.scoped(
    HangUps,
    Effect.gen(function*() {
      const store = yield* AttemptStore
      const registry = yield* CallRegistry
      const bus = yield* Bus

      const requests = yield* bus.subscribe(hangUpTopic)
      if (bus.isShared) {
        yield* Effect.forkScoped(
          Effect.forever(
            Effect.flatMap(requests, (id) => id === null ? Effect.void : registry.end(AttemptId.make(id, unchecked)))
          )
        )
      }

      return HangUps.of({
        hangUp: Effect.fn("HangUps.hangUp")(function*(scope, attempt_id) {
          const attempt = Option.getOrUndefined(yield* findOne(store.findMany, attempt_id))
          if (attempt?.org_id !== scope.org_id || attempt.workspace_id !== scope.workspace_id) {
            return yield* new NotFound({ resource: "attempt", id: attempt_id })
          }
          if (attempt.state === "ended") return { attempt_id, status: "ended" }
          if (attempt.state === "pending") {
            return yield* RuleViolation.at(
              ["path", "attempt_id"],
              "This call waits for a line and has not been dialled"
            )
          }
          if (!(yield* registry.end(attempt_id))) yield* bus.publish(hangUpTopic, attempt_id)
          return { attempt_id, status: "ending" }
        })
      })
    })
  )
}
