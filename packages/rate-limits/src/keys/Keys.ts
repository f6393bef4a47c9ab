import { InvalidApiKey, NotAllowed, NotFound } from "@trunkline/errors"
import { BusinessTime, constantTimeEqual, type Scope, scopeKey, sha256Hex } from "@trunkline/kernel"
import { Context, Effect, Encoding, Layer, Option, Redacted } from "effect"
import type { AccountId } from "../accounts/Account.js"
import { AccountStore } from "../accounts/AccountStore.js"
import type { Plan } from "../accounts/Plan.js"
import { ApiKey, type KeyEnvironment, KeyId, keyIdOf, type KeyTerms, keyText } from "./ApiKey.js"
import type { Caller } from "./Caller.js"
import { Entropy } from "./Entropy.js"
import { KeyStore } from "./KeyStore.js"
import { presentedKey, type PresentedKeys, type RouteFamily } from "./PresentedKey.js"
import { remembered } from "./Remembered.js"

/** A new key: the only moment at which its text can be seen. */
export interface CreatedKey {
  readonly key: ApiKey
  readonly text: Redacted.Redacted
}

const publicIdBytes = 6
const secretBytes = 32

/** What a presented key is compared with when there is no such key, so that the answer takes as long. */
const noHash = "0".repeat(64)

/** The text of a key, and the public id in it. */
const identified = (text: string) => Option.map(keyIdOf(text), (id) => ({ id, text }))

const refused = () => new InvalidApiKey()

const isGood = ({ revoked_at }: ApiKey): boolean => revoked_at === null

const callerOf = ({ account_id, budget, features, key_id, label, models, workspaces }: ApiKey, plan: Plan): Caller => ({
  account_id,
  plan,
  key_id,
  label,
  workspaces,
  features,
  models,
  budget
})

/**
 * Lets requests in by their key, and manages the keys of accounts. What was looked up is used for some seconds: a key
 * that another process revokes opens nothing any more after 5 of them, one that is revoked here at once. While nothing
 * can be looked up, because the store is busy, a key that was good less than a minute ago goes on to be.
 */
export class Keys extends Context.Tag("@trunkline/rate-limits/Keys")<Keys, {
  /**
   * Who presents this key. Fails alike when it is missing, malformed, unknown or revoked; only what may be a key is looked
   * up, and that takes the same work whether there is such a key or not.
   */
  readonly authenticate: (presented: PresentedKeys, family: RouteFamily) => Effect.Effect<Caller, InvalidApiKey>
  /** Lets the caller into a workspace that its account owns and its key opens; one that does not exist looks the same. */
  readonly admit: (caller: Caller, scope: Scope) => Effect.Effect<void, NotAllowed>
  /** Makes a key for an account. */
  readonly create: (
    account: AccountId,
    options: { readonly env: KeyEnvironment; readonly terms: KeyTerms }
  ) => Effect.Effect<CreatedKey, NotFound>
  /**
   * Takes a key whose text the operator chose, such as one of a bootstrap file. When its public id is known already,
   * the text and the terms are replaced, and it stays revoked if it was. `InvalidApiKey` when the text is no key.
   */
  readonly adopt: (
    account: AccountId,
    options: { readonly text: Redacted.Redacted; readonly terms: KeyTerms }
  ) => Effect.Effect<void, InvalidApiKey | NotFound>
  /** Closes a key of an account for good. */
  readonly revoke: (account: AccountId, key: KeyId) => Effect.Effect<void, NotFound>
  /** Every key of an account, revoked ones too. */
  readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<ApiKey>>
}>() {
  static readonly layer = Layer.effect(
    Keys,
    Effect.gen(function*() {
      const accounts = yield* AccountStore
      const entropy = yield* Entropy
      const store = yield* KeyStore
      const keysById = remembered(store.findByPublicId, (id) => id)
      const accountsById = remembered(accounts.findAccount, (id) => id)
      const workspacesByScope = remembered(accounts.findWorkspace, scopeKey)

      const stored = ({ id, text }: { readonly id: KeyId; readonly text: string }) =>
        Effect.zipWith(keysById.get(id), sha256Hex(text), (stored, hash) => {
          const expected = Option.match(stored, { onNone: () => noHash, onSome: (key) => key.hash })
          return constantTimeEqual(hash, expected) ? Option.filter(stored, isGood) : Option.none()
        })

      const withPlan = (key: ApiKey) =>
        Effect.flatMap(
          accountsById.get(key.account_id),
          Option.match({ onNone: refused, onSome: ({ plan }) => Effect.succeed(callerOf(key, plan)) })
        )

      /** These two stand before every request: no spans, no generators. */
      const authenticate = (presented: PresentedKeys, family: RouteFamily) =>
        Option.match(Option.flatMap(presentedKey(presented, family), identified), {
          onNone: refused,
          onSome: (presented) => Effect.flatMap(stored(presented), Option.match({ onNone: refused, onSome: withPlan }))
        })

      const admit = ({ account_id, workspaces }: Caller, scope: Scope) =>
        Effect.flatMap(workspacesByScope.get(scope), (workspace) => {
          const isOpen = workspaces === "*" || workspaces.includes(scope.workspace_id)
          return isOpen && Option.exists(workspace, (found) => found.account_id === account_id)
            ? Effect.void
            : new NotAllowed({ message: "This API key has no access to this organisation and workspace" })
        })

      const demand = (account_id: AccountId) =>
        accounts.findAccount(account_id).pipe(
          Effect.flatten,
          Effect.mapError(() => new NotFound({ resource: "account", id: account_id }))
        )

      const keyOf = Effect.fnUntraced(function*({ account_id, key_id, terms, text }: {
        readonly account_id: AccountId
        readonly key_id: KeyId
        readonly terms: KeyTerms
        readonly text: string
      }) {
        const hash = yield* sha256Hex(text)
        const created_at = yield* BusinessTime.date
        return new ApiKey({ key_id, hash, account_id, ...terms, created_at, revoked_at: null })
      })

      const create = Effect.fn("Keys.create")(
        function*(account_id: AccountId, { env, terms }: { readonly env: KeyEnvironment; readonly terms: KeyTerms }) {
          yield* demand(account_id)
          const key_id = KeyId.make(Encoding.encodeHex(yield* entropy.bytes(publicIdBytes)))
          const secret = Encoding.encodeBase64Url(yield* entropy.bytes(secretBytes))
          const text = keyText({ env, key_id, secret })
          const key = yield* keyOf({ account_id, key_id, terms, text })
          return { key, text: Redacted.make(text), isNew: yield* store.insert(key) }
        },
        Effect.repeat({ until: ({ isNew }) => isNew }),
        Effect.map(({ key, text }) => ({ key, text }))
      )

      const adopt = Effect.fn("Keys.adopt")(
        function*(
          account_id: AccountId,
          options: { readonly text: Redacted.Redacted; readonly terms: KeyTerms }
        ) {
          yield* demand(account_id)
          const text = Redacted.value(options.text)
          const key_id = yield* Effect.mapError(keyIdOf(text), () => new InvalidApiKey())
          const key = yield* keyOf({ account_id, key_id, text, terms: options.terms })
          if (!(yield* store.insert(key))) yield* store.amend(key)
          yield* keysById.forget(key_id)
        }
      )

      const revoke = Effect.fn("Keys.revoke")(function*(account_id: AccountId, key_id: KeyId) {
        const at = yield* BusinessTime.date
        const revoked = yield* store.revoke({ account_id, key_id, at })
        yield* keysById.forget(key_id)
        if (!revoked) {
          return yield* new NotFound({ resource: "key", id: key_id })
        }
      })

      return Keys.of({ authenticate, admit, create, adopt, revoke, list: store.list })
    })
  )
}
