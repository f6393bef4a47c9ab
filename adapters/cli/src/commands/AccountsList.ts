import { scopeKey } from "@trunkline/kernel"
import { type Account, AccountStore, CreditLedger } from "@trunkline/rate-limits"
import { Effect, Schema } from "effect"
import { command } from "../Command.js"
import { listed, table } from "../Text.js"

const look = Effect.fnUntraced(function*({ account_id, credits, plan }: Account) {
  const balance = credits === null ? null : yield* (yield* CreditLedger).balance(account_id)
  const workspaces = (yield* (yield* AccountStore).workspacesOf(account_id)).map(scopeKey)
  return { account_id, plan, balance, workspaces }
})

/** `accounts list`: every account, with what it has left and its workspaces. */
export const accountsList = command({
  name: "accounts list",
  about: "Lists every account, with what is left of its micro-credits, and its workspaces.",
  operands: [],
  flags: {},
  input: Schema.Struct({}),
  run: Effect.fnUntraced(function*() {
    const accounts = yield* Effect.forEach(yield* (yield* AccountStore).listAccounts, look)
    const text = table(accounts, [
      { title: "ACCOUNT", of: ({ account_id }) => account_id },
      { title: "PLAN", of: ({ plan }) => plan },
      { title: "CREDITS", of: ({ balance }) => balance ?? "no limit" },
      { title: "WORKSPACES", of: ({ workspaces }) => listed(workspaces) }
    ], "There are no accounts")
    return { text, json: accounts }
  })
})
