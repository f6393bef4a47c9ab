import { AccountId, Keys } from "@trunkline/rate-limits"
import { Effect, Schema } from "effect"
import { command, CommandFailed } from "../Command.js"
import { KeyToFind } from "../Inputs.js"
import { accountOf } from "../Lookup.js"

/** `keys revoke`: closes a key for good. */
export const keysRevoke = command({
  name: "keys revoke",
  about: "Closes a key for good. A running server refuses it within 5 seconds.",
  operands: ["key"],
  flags: { account: { value: "account", needed: true, about: "whose key it is" } },
  input: Schema.Struct({ account: AccountId, key: KeyToFind }),
  run: Effect.fnUntraced(function*({ account, key: key_id }) {
    yield* accountOf(account)
    yield* (yield* Keys).revoke(account, key_id).pipe(
      Effect.mapError(() => {
        const next = `"trunkline keys list --account ${account}" shows its keys`
        return new CommandFailed({ message: `${account} has no key of this id: ${next}` })
      })
    )
    return {
      text: `The key ${key_id} of ${account} is revoked: a running server refuses it within 5 seconds.`,
      json: { account_id: account, key_id, revoked: true }
    }
  })
})
