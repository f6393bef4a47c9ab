import { assert, layer } from "@effect/vitest"
import { OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { Account, AccountId, AccountStore, Workspace } from "../accounts/AccountStore.js"

const account = (name: string, credits: number | null = null) =>
  new Account({ account_id: AccountId.make(`account-${name}`), plan: "starter", credits })

const workspace = (name: string, owner: Account) =>
  new Workspace({
    org_id: OrgId.make(`org-${name}`),
    workspace_id: WorkspaceId.make("main"),
    account_id: owner.account_id
  })

/** Laws of `AccountStore`. Each law uses its own accounts, so one layer can serve all laws. */
export const accountStoreLaws = <E>(name: string, live: Layer.Layer<AccountStore | Transactions, E>) =>
  layer(live)(`AccountStore laws: ${name}`, (it) => {
    it.effect("finds stored accounts and workspaces only", () =>
      Effect.gen(function*() {
        const store = yield* AccountStore
        const owner = account("find", 1_000_000)
        const ownWorkspace = workspace("find", owner)
        yield* store.putAccount(owner)
        yield* store.putWorkspace(ownWorkspace)
        assert.deepStrictEqual(yield* store.findAccount(owner.account_id), Option.some(owner))
        assert.deepStrictEqual(yield* store.findAccount(account("find-none").account_id), Option.none())
        assert.deepStrictEqual(yield* store.findWorkspace(new Scope(ownWorkspace)), Option.some(ownWorkspace))
        const stranger = new Scope({ ...ownWorkspace, org_id: OrgId.make("org-find-none") })
        assert.deepStrictEqual(yield* store.findWorkspace(stranger), Option.none())
        const sibling = new Scope({ ...ownWorkspace, workspace_id: WorkspaceId.make("second") })
        assert.deepStrictEqual(yield* store.findWorkspace(sibling), Option.none())
      }))

    it.effect("replaces an account or workspace that is stored again", () =>
      Effect.gen(function*() {
        const store = yield* AccountStore
        const [first, second] = [account("again", 5), account("again-other")]
        yield* store.putAccount(first)
        yield* store.putAccount(second)
        yield* store.putWorkspace(workspace("again", first))
        const upgrade = new Account({ ...first, plan: "business", credits: null })
        yield* store.putAccount(upgrade)
        yield* store.putWorkspace(workspace("again", second))
        assert.deepStrictEqual(yield* store.findAccount(first.account_id), Option.some(upgrade))
        const newWorkspace = workspace("again", second)
        assert.deepStrictEqual(yield* store.findWorkspace(new Scope(newWorkspace)), Option.some(newWorkspace))
      }))

    it.effect("lists every account once by ascending id", () =>
      Effect.gen(function*() {
        const store = yield* AccountStore
        const [last, first] = [account("list-b"), account("list-a", 5)]
        yield* Effect.forEach([last, account("list-a"), first], store.putAccount)
        const accounts = (yield* store.listAccounts).filter(({ account_id }) => account_id.startsWith("account-list-"))
        assert.deepStrictEqual(accounts, [first, last])
      }))

    it.effect("lists the workspaces of an account in order, without those moved to another account", () =>
      Effect.gen(function*() {
        const store = yield* AccountStore
        const [owner, other] = [account("own"), account("own-other")]
        const [first, last] = [workspace("own-a", owner), workspace("own-b", owner)]
        const second = new Workspace({ ...first, workspace_id: WorkspaceId.make("second") })
        yield* Effect.forEach([last, second, first, workspace("own-c", owner)], store.putWorkspace)
        yield* store.putWorkspace(workspace("own-c", other))
        assert.deepStrictEqual(yield* store.workspacesOf(owner.account_id), [first, second, last])
        assert.deepStrictEqual(yield* store.workspacesOf(other.account_id), [workspace("own-c", other)])
        assert.deepStrictEqual(yield* store.workspacesOf(account("own-none").account_id), [])
      }))

    it.effect("rolls writes back when the transaction fails", () =>
      Effect.gen(function*() {
        const store = yield* AccountStore
        const { run } = yield* Transactions
        const owner = account("rollback")
        const ownWorkspace = workspace("rollback", owner)
        const both = Effect.zipRight(store.putAccount(owner), store.putWorkspace(ownWorkspace))
        yield* Effect.flip(run(Effect.zipRight(both, Effect.fail("refused"))))
        assert.deepStrictEqual(yield* store.findAccount(owner.account_id), Option.none())
        assert.deepStrictEqual(yield* store.findWorkspace(new Scope(ownWorkspace)), Option.none())
      }))
  })
