import { MemoryTable, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Order } from "effect"
import type { Account, AccountId, Workspace } from "./Account.js"

/** Keeps accounts and the workspaces they own. Every write joins the running transaction. */
export class AccountStore extends Context.Tag("@trunkline/rate-limits/AccountStore")<AccountStore, {
  /** Keeps an account, in place of the one with the same id. */
  readonly putAccount: (account: Account) => Effect.Effect<void>
  /** The account of this id. */
  readonly findAccount: (id: AccountId) => Effect.Effect<Option.Option<Account>>
  /** Every account, in the order of their ids. */
  readonly listAccounts: Effect.Effect<ReadonlyArray<Account>>
  /** Keeps a workspace, in place of the one with the same organisation and workspace id. */
  readonly putWorkspace: (workspace: Workspace) => Effect.Effect<void>
  /** The workspace of this organisation and workspace id. */
  readonly findWorkspace: (scope: Scope) => Effect.Effect<Option.Option<Workspace>>
  /** The workspaces that an account owns, in the order of their organisations' ids, then their own. */
  readonly workspacesOf: (account: AccountId) => Effect.Effect<ReadonlyArray<Workspace>>
}>() {
  /** Keeps accounts in memory. */
  static readonly layerMemory = Layer.sync(AccountStore, () => {
    const accounts = MemoryTable.make<AccountId, Account>()
    const workspaces = MemoryTable.make<string, Workspace>()
    return AccountStore.of({
      putAccount: (account) => accounts.set(account.account_id, account),
      findAccount: (id) => Effect.sync(() => Option.fromNullable(accounts.get(id))),
      listAccounts: Effect.sync(() => Array.from(accounts.values()).sort(byId)),
      putWorkspace: (workspace) => workspaces.set(scopeKey(workspace), workspace),
      findWorkspace: (scope) => Effect.sync(() => Option.fromNullable(workspaces.get(scopeKey(scope)))),
      workspacesOf: (account) =>
        Effect.sync(() =>
          Array.from(workspaces.values())
            .filter(({ account_id }) => account_id === account)
            .sort(byScope)
        )
    })
  })
}

const byId = Order.mapInput(Order.string, ({ account_id }: Account) => account_id)

const byScope = Order.combine(
  Order.mapInput(Order.string, ({ org_id }: Workspace) => org_id),
  Order.mapInput(Order.string, ({ workspace_id }: Workspace) => workspace_id)
)
