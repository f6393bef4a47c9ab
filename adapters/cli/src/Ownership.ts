import { type Scope, scopeKey } from "@trunkline/kernel"
import { type AccountId, AccountStore, Workspace } from "@trunkline/rate-limits"
import { Effect, Option } from "effect"
import { CommandFailed } from "./Command.js"

/** Gives workspaces to an account; one that belongs to another fails the command. */
export const giveWorkspaces = Effect.fnUntraced(function*(account_id: AccountId, workspaces: ReadonlyArray<Scope>) {
  const store = yield* AccountStore
  for (const scope of workspaces) {
    const owner = yield* store.findWorkspace(scope)
    if (Option.isSome(owner) && owner.value.account_id !== account_id) {
      return yield* new CommandFailed({
        message: `The workspace ${scopeKey(scope)} belongs to ${owner.value.account_id}: choose another name`
      })
    }
    yield* store.putWorkspace(new Workspace({ ...scope, account_id }))
  }
})
