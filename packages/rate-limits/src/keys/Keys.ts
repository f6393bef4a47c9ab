import { InvalidApiKey, NotAllowed, NotFound } from "@trunkline/errors"
import { BusinessTime, constantTimeEqual, Entropy, type Scope, scopeKey, sha256Hex } from "@trunkline/kernel"
import { Context, Effect, Encoding, Layer, Option, Redacted } from "effect"
import { type AccountId, AccountStore, type Plan } from "../accounts/AccountStore.js"
import {
  ApiKey,
  type Caller,
  type KeyEnvironment,
  KeyId,
  keyIdOf,
  type KeyTerms,
  keyText,
  presentedKey,
  type PresentedKeys,
  type RouteFamily
} from "./ApiKey.js"
import { cachedLookup } from "./CachedLookup.js"
import { KeyStore } from "./KeyStore.js"

/** A new key with its text, which is not available later. */
export interface CreatedKey {
  readonly key: ApiKey
  readonly text: Redacted.Redacted
}

const publicIdBytes = 6
const secretBytes = 32

/** Compared with the hash of an unknown key, for constant response time. */
const dummyHash = "0".repeat(64)

/** Parses the public id of a key text. */
const parseKey = (text: string) => Option.map(keyIdOf(text), (id) => ({ id, text }))

const invalidKey = () => new InvalidApiKey()

const isActive = ({ revoked_at }: ApiKey): boolean => revoked_at === null

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
 * Authenticates requests by API key and manages the keys of accounts. Lookups are cached for 4 seconds: a key that
 * another process revokes is rejected within 5 seconds, a key revoked by this process immediately. While the store is
 * busy, a key that was valid less than a minute ago stays valid (docs/decisions.md, 29 and 130).
 */
export class Keys extends Context.Tag("@trunkline/rate-limits/Keys")<Keys, {
  /**
   * Authenticates a key. Fails with the same error for missing, malformed, unknown and revoked keys. Only well-formed keys
   * are looked up, with the same work whether the key exists or not.
   */
  readonly authenticate: (presented: PresentedKeys, family: RouteFamily) => Effect.Effect<Caller, InvalidApiKey>
  /** Checks the caller's access to a workspace; fails with the same error when the workspace does not exist. */
  readonly admit: (caller: Caller, scope: Scope) => Effect.Effect<void, NotAllowed>
  /** Creates a key for an account. */
  readonly create: (
    account: AccountId,
    options: { readonly env: KeyEnvironment; readonly terms: KeyTerms }
  ) => Effect.Effect<CreatedKey, NotFound>
  /**
   * Stores a key whose text was chosen by the operator, for example in a bootstrap file. If its public id exists, its text
   * and terms are replaced and it stays revoked if it was. Fails with `InvalidApiKey` when the text is not a key.
   */
  readonly adopt: (
    account: AccountId,
    options: { readonly text: Redacted.Redacted; readonly terms: KeyTerms }
  ) => Effect.Effect<void, InvalidApiKey | NotFound>
  /** Revokes a key of an account permanently. */
  readonly revoke: (account: AccountId, key: KeyId) => Effect.Effect<void, NotFound>
  /** All keys of an account, including revoked ones. */
  readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<ApiKey>>
}>() {
  static readonly layer = Layer.effect(
    Keys,
    Effect.gen(function*() {
      const accounts = yield* AccountStore
      const entropy = yield* Entropy
      const store = yield* KeyStore
      const keysById = cachedLookup(store.findByPublicId, (id) => id)
      const accountsById = cachedLookup(accounts.findAccount, (id) => id)
      const workspacesByScope = cachedLookup(accounts.findWorkspace, scopeKey)

      const findActive = ({ id, text }: { readonly id: KeyId; readonly text: string }) =>
        Effect.zipWith(keysById.get(id), sha256Hex(text), (stored, hash) => {
          const expected = Option.match(stored, { onNone: () => dummyHash, onSome: (key) => key.hash })
          return constantTimeEqual(hash, expected) ? Option.filter(stored, isActive) : Option.none()
        })

      const withPlan = (key: ApiKey) =>
        Effect.flatMap(
          accountsById.get(key.account_id),
          Option.match({ onNone: invalidKey, onSome: ({ plan }) => Effect.succeed(callerOf(key, plan)) })
        )

      /** This and `admit` run for every request, hence without spans and generators. */
      const authenticate = (presented: PresentedKeys, family: RouteFamily) =>
        Option.match(Option.flatMap(presentedKey(presented, family), parseKey), {
          onNone: invalidKey,
          onSome: (presented) =>
            Effect.flatMap(findActive(presented), Option.match({ onNone: invalidKey, onSome: withPlan }))
        })

      const admit = ({ account_id, workspaces }: Caller, scope: Scope) =>
        Effect.flatMap(workspacesByScope.get(scope), (workspace) => {
          const isOpen = workspaces === "*" || workspaces.includes(scope.workspace_id)
          return isOpen && Option.exists(workspace, (found) => found.account_id === account_id)
            ? Effect.void
            : new NotAllowed({ message: "This API key has no access to this organisation and workspace" })
        })

      const requireAccount = (account_id: AccountId) =>
        accounts.findAccount(account_id).pipe(
          Effect.flatten,
          Effect.mapError(() => new NotFound({ resource: "account", id: account_id }))
        )

      const makeKey = Effect.fnUntraced(function*({ account_id, key_id, terms, text }: {
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
          yield* requireAccount(account_id)
          const key_id = KeyId.make(Encoding.encodeHex(yield* entropy.bytes(publicIdBytes)))
          const secret = Encoding.encodeBase64Url(yield* entropy.bytes(secretBytes))
          const text = keyText({ env, key_id, secret })
          const key = yield* makeKey({ account_id, key_id, terms, text })
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
          yield* requireAccount(account_id)
          const text = Redacted.value(options.text)
          const key_id = yield* Effect.mapError(keyIdOf(text), () => new InvalidApiKey())
          const key = yield* makeKey({ account_id, key_id, text, terms: options.terms })
          if (!(yield* store.insert(key))) yield* store.amend(key)
          yield* keysById.invalidate(key_id)
        }
      )

      const revoke = Effect.fn("Keys.revoke")(function*(account_id: AccountId, key_id: KeyId) {
        const at = yield* BusinessTime.date
        const revoked = yield* store.revoke({ account_id, key_id, at })
        yield* keysById.invalidate(key_id)
        if (!revoked) {
          return yield* new NotFound({ resource: "key", id: key_id })
        }
      })

      return Keys.of({ authenticate, admit, create, adopt, revoke, list: store.list })
    })
  )
}
