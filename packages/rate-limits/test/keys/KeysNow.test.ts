import { assert, describe, it } from "@effect/vitest"
import { InvalidApiKey } from "@trunkline/errors"
import { OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import {
  Account,
  AccountId,
  AccountStore,
  Entropy,
  KeyEnvironment,
  Keys,
  KeyStore,
  type KeyTerms,
  Workspace
} from "@trunkline/rate-limits"
import { Effect, Either, Layer, Redacted, TestClock } from "effect"

const acme = AccountId.make("acme")
const scopeOf = (workspace: string) =>
  new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make(workspace) })
const [main, second] = [scopeOf("main"), scopeOf("second")]
const terms: KeyTerms = {
  workspaces: [main.workspace_id],
  features: [],
  models: null,
  label: "Backend",
  budget: null
}

const live = Keys.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(AccountStore.layerMemory, KeyStore.layerMemory, Entropy.layerSeeded("keys at once"))
  )
)

const subscribe = (key: string | null) => ({ subscriptionKey: key, bearer: null, xApiKey: null })

const opened = Effect.gen(function*() {
  const accounts = yield* AccountStore
  yield* accounts.putAccount(new Account({ account_id: acme, plan: "pro", credits: null }))
  yield* Effect.forEach([main, second], (scope) => accounts.putWorkspace(new Workspace({ ...scope, account_id: acme })))
  const keys = yield* Keys
  const { key, text } = yield* keys.create(acme, { env: KeyEnvironment.make("test"), terms })
  return { key, keys, presented: subscribe(Redacted.value(text)) }
})

describe("Keys, at once", () => {
  it.effect("authenticates a key after its first use, until its lookup is 4 seconds old", () =>
    Effect.gen(function*() {
      const { keys, presented } = yield* opened
      assert.isFalse(Either.isEither(keys.authenticate(presented, "main")))
      const caller = yield* keys.authenticate(presented, "main")
      assert.deepStrictEqual<unknown>(keys.authenticate(presented, "main"), Either.right(caller))
      yield* TestClock.adjust("4 seconds")
      assert.isFalse(Either.isEither(keys.authenticate(presented, "main")))
      assert.deepStrictEqual(yield* keys.authenticate(presented, "main"), caller)
      assert.deepStrictEqual<unknown>(keys.authenticate(presented, "main"), Either.right(caller))
    }).pipe(Effect.provide(live)))

  it.effect("rejects missing and malformed keys and wrong secrets with the error of the effect", () =>
    Effect.gen(function*() {
      const { keys, presented } = yield* opened
      yield* keys.authenticate(presented, "main")
      const wrong = [
        null,
        "",
        "sk_test",
        `${presented.subscriptionKey}x`,
        presented.subscriptionKey?.slice(0, -1) ?? ""
      ]
      for (const text of wrong) {
        const refusal = yield* Effect.flip(keys.authenticate(subscribe(text), "main"))
        assert.deepStrictEqual<unknown>(keys.authenticate(subscribe(text), "main"), Either.left(refusal))
        assert.instanceOf(refusal, InvalidApiKey)
      }
    }).pipe(Effect.provide(live)))

  it.effect("never authenticates a key that this process has revoked", () =>
    Effect.gen(function*() {
      const { key, keys, presented } = yield* opened
      yield* keys.authenticate(presented, "main")
      yield* keys.revoke(acme, key.key_id)
      assert.isFalse(Either.isEither(keys.authenticate(presented, "main")))
      const refusal = yield* Effect.flip(keys.authenticate(presented, "main"))
      assert.deepStrictEqual<unknown>(keys.authenticate(presented, "main"), Either.left(refusal))
    }).pipe(Effect.provide(live)))

  it.effect("admits to the workspaces of the key after their first use, with the outcome of the effect", () =>
    Effect.gen(function*() {
      const { keys, presented } = yield* opened
      const caller = yield* keys.authenticate(presented, "main")
      for (const scope of [main, second]) {
        assert.isFalse(Either.isEither(keys.admit(caller, scope)))
        const outcome = yield* Effect.either(keys.admit(caller, scope))
        assert.strictEqual(Either.isRight(outcome), scope === main)
        assert.deepStrictEqual<unknown>(keys.admit(caller, scope), outcome)
      }
    }).pipe(Effect.provide(live)))
})
