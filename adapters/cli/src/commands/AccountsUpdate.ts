import { scopeKey, Transactions } from "@trunkline/kernel"
import { Account, AccountId, Accounts, Plan } from "@trunkline/rate-limits"
import { Effect, Schema } from "effect"
import { command } from "../Command.js"
import { maybe, otherwise, WorkspaceName } from "../Inputs.js"
import { accountOf } from "../Lookup.js"
import { giveWorkspaces } from "../Ownership.js"

/** `accounts update`: changes an account's plan, or gives it more workspaces. */
export const accountsUpdate = command({
  name: "accounts update",
  about: "Changes an account's plan, or gives it more workspaces. A running server follows within 5 seconds.",
  operands: ["account"],
  flags: {
    plan: { value: "plan", about: "starter, pro or business (default: as it is)" },
    workspace: { value: "organisation/workspace", many: true, about: "one more workspace that it owns" }
  },
  input: Schema.Struct({
    account: AccountId,
    plan: maybe(Plan),
    workspace: otherwise(Schema.Array(WorkspaceName), [])
  }),
  run: Effect.fnUntraced(function*({ account, plan, workspace }) {
    const { run } = yield* Transactions
    const changed = yield* run(Effect.gen(function*() {
      const before = yield* accountOf(account)
      const after = new Account({ ...before, plan: plan ?? before.plan })
      yield* (yield* Accounts).put(after)
      yield* giveWorkspaces(account, workspace)
      return after
    }))
    return {
      text: `The account ${account} has the plan ${changed.plan}.`,
      json: { account_id: account, plan: changed.plan, added: workspace.map(scopeKey) }
    }
  })
})
