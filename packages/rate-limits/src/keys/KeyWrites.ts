import { InvalidApiKey, NotFound, RuleViolation } from "@trunkline/errors"
import { BusinessTime, type Entropy, sha256Hex } from "@trunkline/kernel"
import { Effect, Encoding, Option, Redacted } from "effect"
import type { AccountId, AccountStore } from "../accounts/AccountStore.js"
import { ApiKey, type KeyEnvironment, KeyId, keyIdOf, type KeyTerms, keyText } from "./ApiKey.js"
import type { KeyStore } from "./KeyStore.js"

/** A new key with its text, which is not available later. */
export interface CreatedKey {
  readonly key: ApiKey
  readonly text: Redacted.Redacted
}

/** A key whose text was chosen by its owner. */
export interface ChosenKey {
  readonly text: Redacted.Redacted
  readonly terms: KeyTerms
}

const publicIdBytes = 6
const secretBytes = 32

/** Makes the writes of `Keys`. `invalidate` is told of the key that was written. */
export const keyWrites = ({ accounts, entropy, invalidate, store }: {
  readonly accounts: typeof AccountStore.Service
  readonly entropy: typeof Entropy.Service
  readonly invalidate: (id: KeyId) => Effect.Effect<void>
  readonly store: typeof KeyStore.Service
}) => {
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

  const replace = Effect.fnUntraced(function*<E>(key: ApiKey, check: (storedKey: ApiKey) => Effect.Effect<void, E>) {
    const storedKey = Option.getOrElse(yield* store.findByPublicId(key.key_id), () => key)
    yield* check(storedKey)
    yield* store.amend(key)
    return storedKey
  })

  /** Stores a key, and replaces the one with its public id where `check` allows it. */
  const put = Effect.fnUntraced(function*<E>(
    account_id: AccountId,
    { terms, text: keyText }: ChosenKey,
    check: (storedKey: ApiKey) => Effect.Effect<void, E>
  ) {
    yield* requireAccount(account_id)
    const text = Redacted.value(keyText)
    const key_id = yield* Effect.mapError(keyIdOf(text), () => new InvalidApiKey())
    const key = yield* makeKey({ account_id, key_id, text, terms })
    const isNew = yield* store.insert(key)
    const { created_at, revoked_at } = isNew ? key : yield* replace(key, check)
    yield* invalidate(key_id)
    return new ApiKey({ ...key, created_at, revoked_at })
  })

  const adopt = Effect.fn("Keys.adopt")((account_id: AccountId, chosenKey: ChosenKey) =>
    Effect.asVoid(put(account_id, chosenKey, () => Effect.void))
  )

  const ensure = Effect.fn("Keys.ensure")((account_id: AccountId, chosenKey: ChosenKey) =>
    put(account_id, chosenKey, (storedKey) =>
      storedKey.account_id !== account_id
        ? Effect.fail(RuleViolation.at(["key"], "Its id belongs to a key of another account: choose another id"))
        : storedKey.revoked_at !== null
        ? Effect.fail(RuleViolation.at(["key"], "The key with its id was revoked: choose a key with another id"))
        : Effect.void)
  )

  const revoke = Effect.fn("Keys.revoke")(function*(account_id: AccountId, key_id: KeyId) {
    const at = yield* BusinessTime.date
    const didRevoke = yield* store.revoke({ account_id, key_id, at })
    yield* invalidate(key_id)
    if (!didRevoke) {
      return yield* new NotFound({ resource: "key", id: key_id })
    }
  })

  return { create, adopt, ensure, revoke }
}
