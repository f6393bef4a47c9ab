import { type Scope, scopeKey, Transactions } from "@trunkline/kernel"
import { Account, AccountId, Accounts, AccountStore, CreditLedger, Plan, Workspace } from "@trunkline/rate-limits"
import { Effect, Option, Schema } from "effect"
import { command, CommandFailed, getAccount } from "../Command.js"
import { CallLimit, MicroCredits, optional, withDefault, WorkspaceName } from "../Inputs.js"
import { formatList, table } from "../Text.js"

/** A limit of concurrent calls: null for that of the engine, undefined to leave it as it is. */
type NewLimit = number | null | undefined

/** Assigns workspaces to an account; fails when one belongs to another account. */
const assignWorkspaces = Effect.fnUntraced(function*(
  account_id: AccountId,
  workspaces: ReadonlyArray<Scope>,
  newLimit: NewLimit
) {
  const store = yield* AccountStore
  for (const scope of workspaces) {
    const owner = yield* store.findWorkspace(scope)
    if (Option.isSome(owner) && owner.value.account_id !== account_id) {
      return yield* new CommandFailed({
        message: `The workspace ${scopeKey(scope)} belongs to ${owner.value.account_id}: choose another name`
      })
    }
    const limit = newLimit === undefined ? Option.getOrUndefined(owner)?.max_concurrent_calls : newLimit ?? undefined
    yield* store.putWorkspace(
      new Workspace({ ...scope, account_id, ...(limit !== undefined && { max_concurrent_calls: limit }) })
    )
  }
})

/** Fails at a limit that is for no workspace. */
const needsWorkspace = (limit: NewLimit, workspaces: ReadonlyArray<Scope>) =>
  limit === undefined || workspaces.length > 0
    ? Effect.void
    : new CommandFailed({ message: "--max-concurrent-calls is a limit of workspaces: name them with --workspace" })

const createAccount = Effect.fnUntraced(function*(account: Account, workspaces: ReadonlyArray<Scope>, limit: NewLimit) {
  const store = yield* AccountStore
  const { account_id } = account
  if (Option.isSome(yield* store.findAccount(account_id))) {
    return yield* new CommandFailed({
      message: `The account ${account_id} already exists: use "trunkline accounts update" to change it`
    })
  }
  yield* (yield* Accounts).put(account)
  yield* assignWorkspaces(account_id, workspaces, limit)
})

/** `accounts create`: creates an account with its workspaces. */
export const accountsCreate = command("accounts create", {
  input: Schema.Struct({
    account: AccountId,
    plan: withDefault(Plan, "starter"),
    credits: optional(MicroCredits),
    workspace: withDefault(Schema.Array(WorkspaceName), []),
    "max-concurrent-calls": optional(CallLimit)
  }),
  run: Effect.fnUntraced(function*({ account, credits = null, "max-concurrent-calls": limit, plan, workspace }) {
    yield* needsWorkspace(limit, workspace)
    const { run } = yield* Transactions
    yield* run(createAccount(new Account({ account_id: account, plan, credits }), workspace, limit))
    const workspaces = workspace.map(scopeKey)
    return {
      text: `The account ${account} was created.`,
      json: { account_id: account, plan, credits, workspaces },
      notice: `Next: trunkline keys create --account ${account}`
    }
  })
})

/** `accounts update`: changes an account's plan or adds workspaces. */
export const accountsUpdate = command("accounts update", {
  input: Schema.Struct({
    account: AccountId,
    plan: optional(Plan),
    workspace: withDefault(Schema.Array(WorkspaceName), []),
    "max-concurrent-calls": optional(CallLimit)
  }),
  run: Effect.fnUntraced(function*({ account, "max-concurrent-calls": limit, plan, workspace }) {
    yield* needsWorkspace(limit, workspace)
    const { run } = yield* Transactions
    const changedAccount = yield* run(Effect.gen(function*() {
      const before = yield* getAccount(account)
      const after = new Account({ ...before, plan: plan ?? before.plan })
      yield* (yield* Accounts).put(after)
      yield* assignWorkspaces(account, workspace, limit)
      return after
    }))
    return {
      text: `The account ${account} has the plan ${changedAccount.plan}.`,
      json: { account_id: account, plan: changedAccount.plan, added: workspace.map(scopeKey) }
    }
  })
})

const describeAccount = Effect.fnUntraced(function*({ account_id, credits, plan }: Account) {
  const balance = credits === null ? null : yield* (yield* CreditLedger).balance(account_id)
  const workspaces = (yield* (yield* AccountStore).workspacesOf(account_id)).map(scopeKey)
  return { account_id, plan, balance, workspaces }
})

/** `accounts list`: lists all accounts with their balances and workspaces. */
export const accountsList = command("accounts list", {
  input: Schema.Struct({}),
  run: Effect.fnUntraced(function*() {
    const accounts = yield* Effect.forEach(yield* (yield* AccountStore).listAccounts, describeAccount)
    const text = table(accounts, [
      { title: "ACCOUNT", of: ({ account_id }) => account_id },
      { title: "PLAN", of: ({ plan }) => plan },
      { title: "CREDITS", of: ({ balance }) => balance ?? "unlimited" },
      { title: "WORKSPACES", of: ({ workspaces }) => formatList(workspaces) }
    ], "There are no accounts")
    return { text, json: accounts }
  })
})
