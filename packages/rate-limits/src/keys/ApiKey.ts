import { Timestamp, WorkspaceId } from "@trunkline/kernel"
import { Option, Schema } from "effect"
import { AccountId } from "../accounts/Account.js"
import { KeyBudget } from "../credits/KeyBudget.js"

/** The public part of a key, by which it is found, listed and revoked. Not a secret. */
export const KeyId = Schema.NonEmptyString.pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

/** Something that is opened per key: `beta` admits to chat v2 and to responses. */
export const Feature = Schema.Literal("beta")
export type Feature = typeof Feature.Type

/** What a key may do. */
export const KeyTerms = Schema.Struct({
  /** The ids of its account's workspaces that it opens, in whichever organisation; `*` opens all, also later ones. */
  workspaces: Schema.Union(Schema.Literal("*"), Schema.Array(WorkspaceId)),
  features: Schema.Array(Feature),
  /** The model ids it may use; null means every model. */
  models: Schema.NullOr(Schema.Array(Schema.String)),
  /** What its owner calls it. */
  label: Schema.String,
  /** What it may spend; null, which is also what a key kept without it means, leaves it all of its account's credits. */
  budget: Schema.optionalWith(Schema.NullOr(KeyBudget), { exact: true, default: () => null }).pipe(
    Schema.withConstructorDefault(() => null)
  )
})
export type KeyTerms = typeof KeyTerms.Type

/** A key as it is kept: its text cannot be had back from this (decisions 17). */
export class ApiKey extends Schema.Class<ApiKey>("ApiKey")({
  key_id: KeyId,
  /** SHA-256 of the whole key text, 64 lower-case hex digits. */
  hash: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/)),
  account_id: AccountId,
  ...KeyTerms.fields,
  created_at: Timestamp,
  /** Since when it opens nothing any more; null while it is good. */
  revoked_at: Schema.NullOr(Timestamp)
}) {}

const maxKeyLength = 512
const keyForm = /^sk_[^_\s]+_([^_\s]+)_\S+$/

/** The public id in a key of the form `sk_<env>_<public id>_<secret>`; none when the text is no key (decisions 17). */
export const keyIdOf = (text: string): Option.Option<KeyId> => {
  const id = text.length <= maxKeyLength ? keyForm.exec(text)?.[1] : undefined
  return id === undefined ? Option.none() : Option.some(KeyId.make(id))
}

/** The installation that a key is of, such as `live` or `test`: it shows in the key's text and means nothing else. */
export const KeyEnvironment = Schema.String.pipe(Schema.pattern(/^[a-z0-9]{1,16}$/), Schema.brand("KeyEnvironment"))
export type KeyEnvironment = typeof KeyEnvironment.Type

/** The text of a key (decisions 17). */
export const keyText = (
  parts: { readonly env: KeyEnvironment; readonly key_id: KeyId; readonly secret: string }
): string => `sk_${parts.env}_${parts.key_id}_${parts.secret}`
