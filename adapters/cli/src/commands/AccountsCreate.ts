import { type Scope, scopeKey, Transactions } from "@trunkline/kernel"
import { Account, AccountId, Accounts, AccountStore, Plan } from "@trunkline/rate-limits"
import { Effect, Option, Schema } from "effect"
import { command, CommandFailed } from "../Command.js"
import { maybe, MicroCredits, otherwise, WorkspaceName } from "../Inputs.js"
import { giveWorkspaces } from "../Ownership.js"

const putNew = Effect.fnUntraced(function*(account: Account, workspaces: ReadonlyArray<Scope>) {
  const store = yield* AccountStore
  const { account_id } = account
  if (Option.isSome(yield* store.findAccount(account_id))) {
    return yield* new CommandFailed({
      message: `There is an account ${account_id} already: "trunkline accounts update" changes it`
    })
  }
  yield* (yield* Accounts).put(account)
  yield* giveWorkspaces(account_id, workspaces)
})

/** `accounts create`: opens an account with its workspaces. */
export const accountsCreate = command({
  name: "accounts create",
  about: "Opens an account with its workspaces.",
  operands: ["account"],
  flags: {
    plan: { value: "plan", about: "starter, pro or business (default: starter)" },
    credits: { value: "micro-credits", about: "what it may use of paid services to begin with (default: no limit)" },
    workspace: { value: "organisation/workspace", many: true, about: "a workspace that it owns" },
    init: { about: "make the data folder when it is not there yet" }
  },
  input: Schema.Struct({
    account: AccountId,
    plan: otherwise(Plan, "starter"),
    credits: maybe(MicroCredits),
    workspace: otherwise(Schema.Array(WorkspaceName), [])
  }),
  run: Effect.fnUntraced(function*({ account, credits = null, plan, workspace }) {
    const { run } = yield* Transactions
    yield* run(putNew(new Account({ account_id: account, plan, credits }), workspace))
    const workspaces = workspace.map(scopeKey)
    return {
      text: `The account ${account} is open.`,
      json: { account_id: account, plan, credits, workspaces },
      notice: `Next: trunkline keys create --account ${account}`
    }
  })
})
