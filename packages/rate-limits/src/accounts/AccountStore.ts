import { MemoryTable, OrgId, type Scope, scopeKey, WorkspaceId } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Order, Schema } from "effect"

/** Storage of accounts and their workspaces. Every write joins the current transaction. */
export class AccountStore extends Context.Tag("@trunkline/rate-limits/AccountStore")<AccountStore, {
  /** Adds or replaces an account. */
  readonly putAccount: (account: Account) => Effect.Effect<void>
  /** Finds an account by its id. */
  readonly findAccount: (id: AccountId) => Effect.Effect<Option.Option<Account>>
  /** All accounts, by ascending id. */
  readonly listAccounts: Effect.Effect<ReadonlyArray<Account>>
  /** Adds or replaces a workspace. */
  readonly putWorkspace: (workspace: Workspace) => Effect.Effect<void>
  /** Finds a workspace. */
  readonly findWorkspace: (scope: Scope) => Effect.Effect<Option.Option<Workspace>>
  /** The workspaces of an account, by ascending organisation id, then workspace id. */
  readonly workspacesOf: (account: AccountId) => Effect.Effect<ReadonlyArray<Workspace>>
}>() {
  /** Stores accounts in memory. */
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

/** Subscription of an account; determines its rate limits. */
export const Plan = Schema.Literal("starter", "pro", "business")
export type Plan = typeof Plan.Type

/** Account id, chosen by the operator: 1 to 128 characters without `/`. */
export const AccountId = Schema.String.pipe(Schema.pattern(/^[^/]{1,128}$/), Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** A paying customer. Limits and credits belong to the account and are shared by all of its keys. */
export class Account extends Schema.Class<Account>("Account")({
  account_id: AccountId,
  plan: Plan,
  /** Initial credits in micro-credits, granted once; the ledger has the balance. Null means unlimited. */
  credits: Schema.NullOr(Schema.NonNegativeInt)
}) {}

/** A workspace and the account that owns it. An account can own workspaces of several organisations. */
export class Workspace extends Schema.Class<Workspace>("Workspace")({
  org_id: OrgId,
  workspace_id: WorkspaceId,
  account_id: AccountId,
  /** Concurrent calls, from 1 to 100,000; absent means the limit of the engine, by default the channels of its lines. */
  max_concurrent_calls: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 100_000)), { exact: true })
}) {}
