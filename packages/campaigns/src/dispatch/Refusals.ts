import { Ids, trusted } from "@trunkline/kernel"
import { Attempt, AttemptListener, AttemptStore, BLOCKED_NUMBER, notConnected, verdict } from "@trunkline/telephony"
import { Effect } from "effect"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import type { Contact } from "../contacts/Contact.js"
import { refuse } from "../gate/Decision.js"
import { countedAs } from "../progress/AttemptOutcome.js"
import type { KnownLine } from "./DialLines.js"
import { DispatchStore } from "./DispatchStore.js"
import { makeNewAttempt } from "./NewAttempt.js"

const blocked = notConnected("blocked", BLOCKED_NUMBER)

/**
 * Ends the attempts to call blocked numbers without a dial: each has a result and a webhook like any other (shapes 13).
 * All of it joins the running transaction, which claims the person for the attempt; what is answered is told to the
 * listener once that is kept.
 */
export const makeRefusals = Effect.gen(function*() {
  const ids = yield* Ids
  const store = yield* AttemptStore
  const dispatch = yield* DispatchStore
  const listener = yield* AttemptListener
  const newAttempt = yield* makeNewAttempt

  const keep = (owned: OwnedCampaign, contact: Contact, { connection, line }: KnownLine, at: number) =>
    Effect.gen(function*() {
      const [from] = line.phone_numbers
      if (from === undefined) return []
      const attempt_id = yield* ids.attemptId
      const { campaign_id, user_phone_number } = contact
      const { connection_id } = line
      const open = newAttempt(owned, contact, { attempt_id, attempted_at: at, connection_id, connection, from })
      const result = { ...verdict(blocked, null), next_action_status: null, finished_at: at }
      const attempt = new Attempt({ ...open, state: "ended", result }, trusted)
      yield* dispatch.claim({ scope: owned.scope, campaign_id }, [{ user_phone_number, attempt_id, from }], at)
      yield* dispatch.settle({
        campaign_id,
        user_phone_number,
        attempt_id,
        outcome: countedAs(blocked, null),
        last_outcome: result,
        decision: refuse("blocked_number", at),
        next: null
      })
      yield* store.insert(attempt)
      yield* listener.ended(attempt)
      return [attempt]
    })

  return { keep, kept: (refused: ReadonlyArray<Attempt>) => Effect.forEach(refused, listener.kept, { discard: true }) }
})
