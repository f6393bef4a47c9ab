import { AccountId, Keys } from "@trunkline/rate-limits"
import { Effect, Schema } from "effect"
import { command } from "../Command.js"
import { keyColumns, keyJson } from "../ListedKey.js"
import { accountOf } from "../Lookup.js"
import { table } from "../Text.js"

/** `keys list`: the keys of an account, without what would open anything. */
export const keysList = command({
  name: "keys list",
  about: "Lists the keys of an account, revoked ones too.",
  operands: [],
  flags: { account: { value: "account", needed: true, about: "whose keys" } },
  input: Schema.Struct({ account: AccountId }),
  run: Effect.fnUntraced(function*({ account }) {
    yield* accountOf(account)
    const keys = yield* (yield* Keys).list(account)
    return { text: table(keys, keyColumns, `${account} has no keys`), json: keys.map((key) => keyJson(key)) }
  })
})
