import { AccountId, Credits } from "@trunkline/rate-limits"
import { Effect, Schema } from "effect"
import { command } from "../Command.js"
import { accountOf } from "../Lookup.js"
import { momentText, table } from "../Text.js"

/** How many entries of the ledger are shown. */
const shownEntries = 10

/** `credits show`: what an account has left, and the newest entries of its ledger. */
export const creditsShow = command({
  name: "credits show",
  about: `Shows what an account has left, in micro-credits, and the newest ${shownEntries} entries of its ledger.`,
  operands: ["account"],
  flags: {},
  input: Schema.Struct({ account: AccountId }),
  run: Effect.fnUntraced(function*({ account: account_id }) {
    yield* accountOf(account_id)
    const credits = yield* Credits
    const { balance, reserved } = yield* credits.standing(account_id)
    const entries = (yield* credits.entries(account_id, shownEntries)).map(({ amount, at, kind, reference }) => ({
      at: momentText(at),
      kind,
      amount,
      reference
    }))
    const ledger = table(entries, [
      { title: "WHEN", of: ({ at }) => at },
      { title: "KIND", of: ({ kind }) => kind },
      { title: "AMOUNT", of: ({ amount }) => amount },
      { title: "REFERENCE", of: ({ reference }) => reference }
    ], "Its ledger has no entries.")
    const left = balance === null ? "has no limit" : `has ${balance} micro-credits`
    return {
      text: `${account_id} ${left}; ${reserved} are set aside for requests that are being carried out.\n\n${ledger}`,
      json: { account_id, balance, reserved, entries }
    }
  })
})
