import { InvalidApiKey, NotAllowed, type NotFound, type RuleViolation } from "@trunkline/errors"
import { constantTimeEqual, Entropy, type Scope, scopeKey, sha256 } from "@trunkline/kernel"
import { Context, Effect, Either, Encoding, Layer, Option } from "effect"
import { type AccountId, AccountStore, type Plan, type Workspace } from "../accounts/AccountStore.js"
import {
  type ApiKey,
  type KeyEnvironment,
  type KeyId,
  keyIdOf,
  type KeyTerms,
  presentedKey,
  type PresentedKeys,
  type Principal,
  type RouteFamily
} from "./ApiKey.js"
import { cachedLookup } from "./CachedLookup.js"
import { KeyStore } from "./KeyStore.js"
import { type ChosenKey, type CreatedKey, keyWrites } from "./KeyWrites.js"

/** Compared with the digest of an unknown key, for constant response time. */
const dummyDigest = new Uint8Array(32)

/** A stored key with the digest of its text in bytes. */
interface LoadedKey {
  readonly key: ApiKey
  readonly digest: Uint8Array
}

const loadedKey = (key: ApiKey): LoadedKey => ({ key, digest: Either.getOrThrow(Encoding.decodeHex(key.hash)) })

/** The text of a key with its public id. */
interface ParsedKey {
  readonly id: KeyId
  readonly text: string
}

/** The key of a request; undefined when it has none, or one that is not a key. */
const parsedKey = (presentedKeys: PresentedKeys, family: RouteFamily): ParsedKey | undefined => {
  const text = Option.getOrUndefined(presentedKey(presentedKeys, family))
  const id = text === undefined ? undefined : Option.getOrUndefined(keyIdOf(text))
  return text === undefined || id === undefined ? undefined : { id, text }
}

const invalidKey = () => new InvalidApiKey()

/** True when the text is that of the loaded key, which is active. Takes the same work where there is no such key. */
const isKeyText = (text: string, entry: LoadedKey | undefined): boolean =>
  constantTimeEqual(sha256(text), entry?.digest ?? dummyDigest) && entry?.key.revoked_at === null

const noAccess = () => new NotAllowed({ message: "This API key has no access to this organisation and workspace" })

const outcomeOfAdmission = (
  { account_id, workspaces }: Principal,
  scope: Scope,
  workspace: Workspace | undefined
): Either.Either<void, NotAllowed> => {
  const isOpen = workspaces === "*" || workspaces.includes(scope.workspace_id)
  return isOpen && workspace?.account_id === account_id ? Either.void : Either.left(noAccess())
}

const callerOf = (
  { account_id, budget, features, key_id, label, models, workspaces }: ApiKey,
  plan: Plan
): Principal => ({
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
   *
   * Decides when it is called where it needs no store, and returns an `Either`: for a key and an account looked up less than
   * 4 seconds ago, and for a missing or malformed key. Call it again for another decision.
   */
  readonly authenticate: (presentedKeys: PresentedKeys, family: RouteFamily) => Effect.Effect<Principal, InvalidApiKey>
  /**
   * Checks the caller's access to a workspace; fails with the same error when the workspace does not exist. Decides when it is
   * called, as `authenticate`, for a workspace looked up less than 4 seconds ago.
   */
  readonly admit: (caller: Principal, scope: Scope) => Effect.Effect<void, NotAllowed>
  /** Creates a key for an account. */
  readonly create: (
    account: AccountId,
    options: { readonly env: KeyEnvironment; readonly terms: KeyTerms }
  ) => Effect.Effect<CreatedKey, NotFound>
  /**
   * Stores a key whose text was chosen by the operator, for example in a bootstrap file. If its public id exists, its text
   * and terms are replaced and it stays revoked if it was. Fails with `InvalidApiKey` when the text is not a key.
   */
  readonly adopt: (account: AccountId, chosenKey: ChosenKey) => Effect.Effect<void, InvalidApiKey | NotFound>
  /**
   * Makes sure that an account has a key with this text and these terms, however often it is called. A key of the account
   * with its public id gets the text and the terms. Fails with `RuleViolation` when it was revoked or is another account's.
   */
  readonly ensure: (
    account: AccountId,
    chosenKey: ChosenKey
  ) => Effect.Effect<ApiKey, InvalidApiKey | NotFound | RuleViolation>
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
      const clock = yield* Effect.clock
      const keysById = cachedLookup(
        (id: KeyId) => Effect.map(store.findByPublicId(id), Option.map(loadedKey)),
        (id) => id
      )
      const accountsById = cachedLookup(accounts.findAccount, (id) => id)
      const workspacesByScope = cachedLookup(accounts.findWorkspace, scopeKey)

      const authenticateKey = ({ id, text }: ParsedKey) =>
        Effect.flatMap(keysById.get(id), (storedKey) => {
          const entry = Option.getOrUndefined(storedKey)
          if (!isKeyText(text, entry) || entry === undefined) return invalidKey()
          return Effect.flatMap(
            accountsById.get(entry.key.account_id),
            Option.match({ onNone: invalidKey, onSome: ({ plan }) => Effect.succeed(callerOf(entry.key, plan)) })
          )
        })

      const authenticateFresh = ({ id, text }: ParsedKey) => {
        const now = clock.unsafeCurrentTimeMillis()
        const entry = keysById.fresh(id, now)
        const account = entry && accountsById.fresh(entry.key.account_id, now)
        if (entry === undefined || account === undefined) return undefined
        return isKeyText(text, entry) ? Either.right(callerOf(entry.key, account.plan)) : Either.left(invalidKey())
      }

      /** This and `admit` run for every request, hence without spans and generators. */
      const authenticate = (
        presentedKeys: PresentedKeys,
        family: RouteFamily
      ): Effect.Effect<Principal, InvalidApiKey> => {
        const credential = parsedKey(presentedKeys, family)
        return credential === undefined
          ? Either.left(invalidKey())
          : authenticateFresh(credential) ?? authenticateKey(credential)
      }

      const admit = (caller: Principal, scope: Scope): Effect.Effect<void, NotAllowed> => {
        const workspace = workspacesByScope.fresh(scope, clock.unsafeCurrentTimeMillis())
        return workspace === undefined
          ? Effect.flatMap(
            workspacesByScope.get(scope),
            (workspace) => outcomeOfAdmission(caller, scope, Option.getOrUndefined(workspace))
          )
          : outcomeOfAdmission(caller, scope, workspace)
      }

      const writes = keyWrites({ accounts, entropy, store, invalidate: keysById.invalidate })
      return Keys.of({ authenticate, admit, ...writes, list: store.list })
    })
  )
}
