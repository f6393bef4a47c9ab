import type { Scope } from "@trunkline/kernel"
import { Effect } from "effect"
import type { Contact } from "./Contact.js"
import { DispatchStore } from "./DispatchStore.js"
import { Roster } from "./Roster.js"

/**
 * Finishes someone who waits if a completed stop file has their number, and says whether one has. Whatever may lead to
 * a dial goes through here, in the transaction that would lead to it.
 */
export const stopGate = Effect.map(
  Effect.all([Roster, DispatchStore]),
  ([roster, dispatch]) =>
  (
    scope: Scope,
    { campaign_id, user_phone_number }: Pick<Contact, "campaign_id" | "user_phone_number">
  ): Effect.Effect<boolean> =>
    Effect.gen(function*() {
      const stopped = yield* roster.stopped(scope, campaign_id, [user_phone_number])
      if (stopped.size === 0) return false
      yield* dispatch.stop(campaign_id, [user_phone_number])
      return true
    })
)
