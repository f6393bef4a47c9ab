import { assert, describe, it } from "@effect/vitest"
import { OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import {
  Account,
  AccountId,
  AccountStore,
  Entropy,
  hasFeature,
  KeyEnvironment,
  KeyId,
  Keys,
  KeyStore,
  type KeyTerms,
  mayUseModel,
  Workspace
} from "@trunkline/rate-limits"
import { Context, DateTime, Effect, Layer, Redacted, Ref, TestClock } from "effect"

const acme = AccountId.make("acme")
const globex = AccountId.make("globex")
const main = WorkspaceId.make("main")
const env = KeyEnvironment.make("test")
const terms: KeyTerms = { workspaces: [main], features: ["beta"], models: null, label: "Backend", budget: null }

const scopeOf = (org: string, workspace: string) =>
  new Scope({ org_id: OrgId.make(org), workspace_id: WorkspaceId.make(workspace) })

const seeded = Layer.effectDiscard(Effect.gen(function*() {
  const accounts = yield* AccountStore
  yield* accounts.putAccount(new Account({ account_id: acme, plan: "pro", credits: null }))
  yield* accounts.putAccount(new Account({ account_id: globex, plan: "starter", credits: 0 }))
  yield* Effect.forEach([["acme", "main", acme], ["acme", "second", acme], ["globex", "main", globex]] as const, (
    [org, workspace, account_id]
  ) => accounts.putWorkspace(new Workspace({ ...scopeOf(org, workspace), account_id })))
}))

const liveWith = (entropy: Layer.Layer<Entropy>) =>
  Layer.merge(Keys.layer, seeded).pipe(
    Layer.provide(Layer.mergeAll(AccountStore.layerMemory, KeyStore.layerMemory, entropy))
  )

const live = liveWith(Entropy.layerSeeded("keys"))

/** Every draw repeats the next byte. */
const counting = Layer.effect(
  Entropy,
  Effect.map(Ref.make(0), (draws) => ({
    bytes: (count) =>
      Effect.map(Ref.getAndUpdate(draws, (draw) => draw + 1), (draw) => new Uint8Array(count).fill(draw))
  }))
)

const subscribe = (key: string | null) => ({ subscriptionKey: key, bearer: null, xApiKey: null })

const authenticate = (text: string) => Effect.flatMap(Keys, (keys) => keys.authenticate(subscribe(text), "main"))

const createText = (account: AccountId, change: Partial<KeyTerms> = {}) =>
  Effect.flatMap(Keys, (keys) => keys.create(account, { env, terms: { ...terms, ...change } })).pipe(
    Effect.map(({ text }) => Redacted.value(text))
  )

describe("Keys", () => {
  it.effect("authenticates a new key with the plan and terms of its account", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      const { key, text } = yield* keys.create(acme, { env, terms })
      assert.match(Redacted.value(text), /^sk_test_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/)
      const caller = yield* keys.authenticate(subscribe(Redacted.value(text)), "main")
      assert.deepStrictEqual(caller, { account_id: acme, plan: "pro", key_id: key.key_id, ...terms })
    }).pipe(Effect.provide(live)))

  it.effect("creates unique keys and stores no key text", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      const texts = [yield* createText(acme), yield* createText(acme)]
      const keyList = yield* keys.list(acme)
      assert.strictEqual(new Set(keyList.map(({ key_id }) => key_id)).size, 2)
      assert.notStrictEqual(texts[0], texts[1])
      const secrets = texts.map((text) => text.split("_").slice(3).join("_"))
      assert.isTrue(secrets.every((secret) => !JSON.stringify(keyList).includes(secret)))
    }).pipe(Effect.provide(live)))

  it.effect("does not reuse a public id", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      const takenId = KeyId.make("000000000000")
      yield* keys.adopt(acme, { text: Redacted.make(`sk_test_${takenId}_secret`), terms })
      const { key } = yield* keys.create(acme, { env, terms })
      assert.strictEqual(key.key_id, "020202020202")
      yield* authenticate(`sk_test_${takenId}_secret`)
    }).pipe(Effect.provide(liveWith(counting))))

  it.effect("rejects missing, malformed, unknown, altered and revoked keys with the same error", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      const good = yield* createText(acme)
      const revoked = yield* keys.create(acme, { env, terms })
      yield* keys.revoke(acme, revoked.key.key_id)
      const bad = [
        null,
        "",
        "nonsense",
        "sk_test_abc_def",
        `${good}x`,
        good.slice(0, -1),
        good.replace("sk_test", "sk_live"),
        Redacted.value(revoked.text)
      ]
      for (const text of bad) {
        const refused = yield* Effect.flip(keys.authenticate(subscribe(text), "main"))
        assert.strictEqual(refused._tag, "InvalidApiKey")
      }
      yield* authenticate(good)
    }).pipe(Effect.provide(live)))

  it.effect("looks nothing up for a missing or malformed key", () =>
    Effect.gen(function*() {
      const looked: Array<string> = []
      const store = Layer.map(KeyStore.layerMemory, (context) => {
        const store = Context.get(context, KeyStore)
        return Context.make(
          KeyStore,
          KeyStore.of({
            ...store,
            findByPublicId: (id) => Effect.zipRight(Effect.sync(() => looked.push(id)), store.findByPublicId(id))
          })
        )
      })
      yield* Effect.gen(function*() {
        const keys = yield* Keys
        for (const text of [null, "", "nonsense"]) yield* Effect.flip(keys.authenticate(subscribe(text), "main"))
        assert.deepStrictEqual(looked, [])
        yield* Effect.flip(authenticate("sk_test_abc_def"))
        assert.deepStrictEqual(looked, ["abc"])
      }).pipe(Effect.provide(Layer.provide(Keys.layer, [AccountStore.layerMemory, store, Entropy.layerSeeded("keys")])))
    }))

  it.effect("uses the preferred header and ignores keys in the others", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      const { key, text } = yield* keys.create(acme, { env, terms })
      const other = yield* createText(acme)
      const authenticate = (subscriptionKey: string, bearer: string) =>
        keys.authenticate({ subscriptionKey, bearer, xApiKey: null }, "main")
      for (const bearer of [other, "not one of ours"]) {
        assert.strictEqual((yield* authenticate(Redacted.value(text), bearer)).key_id, key.key_id)
      }
      assert.strictEqual((yield* Effect.flip(authenticate("not one of ours", other)))._tag, "InvalidApiKey")
    }).pipe(Effect.provide(live)))

  it.effect("admits a caller to its accessible workspaces and rejects all others with the same error", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      const narrow = yield* authenticate(yield* createText(acme))
      const wide = yield* authenticate(yield* createText(acme, { workspaces: "*" }))
      yield* keys.admit(narrow, scopeOf("acme", "main"))
      yield* keys.admit(wide, scopeOf("acme", "main"))
      yield* keys.admit(wide, scopeOf("acme", "second"))
      const refused = yield* Effect.forEach([
        keys.admit(narrow, scopeOf("acme", "second")),
        keys.admit(narrow, scopeOf("globex", "main")),
        keys.admit(wide, scopeOf("globex", "main")),
        keys.admit(wide, scopeOf("acme", "third")),
        keys.admit(wide, scopeOf("nobody", "main"))
      ], Effect.flip)
      assert.deepStrictEqual(new Set(refused.map(({ _tag }) => _tag)), new Set(["NotAllowed"]))
      assert.strictEqual(new Set(refused.map(({ message }) => message)).size, 1)
    }).pipe(Effect.provide(live)))

  it.effect("checks features and models per key", () =>
    Effect.gen(function*() {
      const open = yield* authenticate(yield* createText(acme))
      const closed = yield* authenticate(yield* createText(acme, { features: [], models: ["core-105b"] }))
      assert.deepStrictEqual([open, closed].map((caller) => hasFeature(caller, "beta")), [true, false])
      assert.deepStrictEqual([open, closed].map((caller) => mayUseModel(caller, "core-105b")), [true, true])
      assert.deepStrictEqual([open, closed].map((caller) => mayUseModel(caller, "model-g")), [true, false])
    }).pipe(Effect.provide(live)))

  it.effect("accepts an adopted key and updates its terms when it is adopted again", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      const text = "sk_demo_bootstrap_choose_me"
      yield* keys.adopt(acme, { text: Redacted.make(text), terms })
      yield* keys.adopt(acme, { text: Redacted.make(text), terms: { ...terms, features: [] } })
      const caller = yield* authenticate(text)
      assert.strictEqual(caller.key_id, "bootstrap")
      assert.isFalse(hasFeature(caller, "beta"))
      assert.strictEqual((yield* keys.list(acme)).length, 1)
    }).pipe(Effect.provide(live)))

  it.effect("replaces the text of an adopted key and keeps its revocation", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      yield* keys.adopt(acme, { text: Redacted.make("sk_demo_one_old"), terms })
      yield* keys.adopt(acme, { text: Redacted.make("sk_demo_one_new"), terms })
      yield* Effect.flip(authenticate("sk_demo_one_old"))
      yield* authenticate("sk_demo_one_new")
      yield* keys.revoke(acme, KeyId.make("one"))
      yield* keys.adopt(acme, { text: Redacted.make("sk_demo_one_new"), terms })
      yield* Effect.flip(authenticate("sk_demo_one_new"))
    }).pipe(Effect.provide(live)))

  it.effect("keeps one key that is ensured again and again, also at once, with the last terms", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      const chosen = { text: Redacted.make("sk_demo_desk_choose_me"), terms }
      yield* Effect.flip(authenticate("sk_demo_desk_choose_me"))
      yield* TestClock.setTime(1_000)
      const [first] = yield* Effect.all([keys.ensure(acme, chosen), keys.ensure(acme, chosen)], { concurrency: 2 })
      yield* authenticate("sk_demo_desk_choose_me")
      yield* TestClock.setTime(2_000)
      const again = yield* keys.ensure(acme, { ...chosen, terms: { ...terms, label: "desk" } })
      assert.deepStrictEqual([again.key_id, again.created_at, again.label], [first.key_id, first.created_at, "desk"])
      assert.deepStrictEqual(yield* keys.list(acme), [again])
      yield* keys.ensure(acme, { terms, text: Redacted.make("sk_demo_desk_another_secret") })
      yield* Effect.flip(authenticate("sk_demo_desk_choose_me"))
      yield* authenticate("sk_demo_desk_another_secret")
    }).pipe(Effect.provide(live)))

  it.effect("rejects to ensure a key that was revoked or is another account's, and changes nothing", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      const chosen = { text: Redacted.make("sk_demo_desk_choose_me"), terms }
      yield* keys.ensure(acme, chosen)
      const failure = yield* Effect.flip(keys.ensure(globex, { ...chosen, text: Redacted.make("sk_demo_desk_theirs") }))
      assert.include(failure.message, "another account")
      yield* authenticate("sk_demo_desk_choose_me")
      yield* keys.revoke(acme, KeyId.make("desk"))
      const revoked = yield* Effect.flip(keys.ensure(acme, chosen))
      assert.deepStrictEqual([revoked._tag, revoked.message], [
        "RuleViolation",
        "key: The key with its id was revoked: choose a key with another id"
      ])
      assert.strictEqual((yield* keys.list(globex)).length, 0)
    }).pipe(Effect.provide(live)))

  it.effect("rejects the adoption of other text without repeating it", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      const refused = yield* Effect.flip(keys.adopt(acme, { text: Redacted.make("hunter2"), terms }))
      assert.strictEqual(refused._tag, "InvalidApiKey")
      assert.notInclude(String(refused), "hunter2")
    }).pipe(Effect.provide(live)))

  it.effect("requires an existing account and lets only the own account revoke a key", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      const nobody = AccountId.make("nobody")
      const text = Redacted.make("sk_demo_one_secret")
      assert.strictEqual((yield* Effect.flip(keys.create(nobody, { env, terms })))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(keys.adopt(nobody, { text, terms })))._tag, "NotFound")
      yield* keys.adopt(acme, { text, terms })
      const refused = yield* Effect.flip(keys.revoke(globex, KeyId.make("one")))
      assert.strictEqual(refused.resource, "key")
      yield* authenticate("sk_demo_one_secret")
    }).pipe(Effect.provide(live)))

  it.effect("records when keys are created and revoked", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      yield* TestClock.setTime(1_000)
      const { key } = yield* keys.create(acme, { env, terms })
      yield* TestClock.setTime(2_000)
      yield* keys.revoke(acme, key.key_id)
      yield* TestClock.setTime(3_000)
      yield* keys.revoke(acme, key.key_id)
      const moments = (yield* keys.list(acme)).map(({ created_at, revoked_at }) => [created_at, revoked_at])
      assert.deepStrictEqual(moments, [[DateTime.unsafeMake(1_000), DateTime.unsafeMake(2_000)]])
    }).pipe(Effect.provide(live)))
})
