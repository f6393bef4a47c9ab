import { Timestamp, unchecked, WorkspaceId } from "@trunkline/kernel"
import { Array, Option, Schema } from "effect"
import { AccountId, type Plan } from "../accounts/AccountStore.js"
import { KeyBudget } from "../credits/KeyBudget.js"

/** Public id of a key, used to find, list and revoke it. Not a secret. */
export const KeyId = Schema.NonEmptyString.pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

/** A feature enabled per key: `beta` gives access to chat v2 and responses. */
export const Feature = Schema.Literal("beta")
export type Feature = typeof Feature.Type

/** Permissions of a key. */
export const KeyTerms = Schema.Struct({
  /** Accessible workspaces of the account, in any organisation; `*` means all, including future ones. */
  workspaces: Schema.Union(Schema.Literal("*"), Schema.Array(WorkspaceId)),
  features: Schema.Array(Feature),
  /** Usable model ids; null means all models. */
  models: Schema.NullOr(Schema.Array(Schema.String)),
  /** Label chosen by the owner. */
  label: Schema.String,
  /** Spending limit; null (also for stored keys without this field) means all credits of the account. */
  budget: Schema.optionalWith(Schema.NullOr(KeyBudget), { exact: true, default: () => null }).pipe(
    Schema.withConstructorDefault(() => null)
  )
})
export type KeyTerms = typeof KeyTerms.Type

/** A stored key. The key's text cannot be recovered from it. */
export class ApiKey extends Schema.Class<ApiKey>("ApiKey")({
  key_id: KeyId,
  /** SHA-256 of the key text as 64 lower-case hex digits. */
  hash: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/)),
  account_id: AccountId,
  ...KeyTerms.fields,
  created_at: Timestamp,
  /** Time of revocation; null for an active key. */
  revoked_at: Schema.NullOr(Timestamp)
}) {}

const maxKeyLength = 512
const keyForm = /^sk_[^_\s]+_([^_\s]+)_\S+$/

/** The text of a key that its owner has chosen. Messages do not repeat it. */
export const KeyText = Schema.String.annotations({
  message: () => ({ message: "Must be a key of the form sk_<env>_<id>_<secret>", override: true })
}).pipe(
  Schema.filter((text) => text.length <= maxKeyLength && keyForm.test(text), {
    message: () => "Must be a key of the form sk_<env>_<id>_<secret>"
  })
)

/** The public id in a key text of the form `sk_<env>_<public id>_<secret>`; none when the text is not a key. */
export const keyIdOf = (text: string): Option.Option<KeyId> => {
  const id = text.length <= maxKeyLength ? keyForm.exec(text)?.[1] : undefined
  return id === undefined ? Option.none() : Option.some(KeyId.make(id, unchecked))
}

/** Environment label in a key's text, such as `live` or `test`; it has no other effect. */
export const KeyEnvironment = Schema.String.pipe(Schema.pattern(/^[a-z0-9]{1,16}$/), Schema.brand("KeyEnvironment"))
export type KeyEnvironment = typeof KeyEnvironment.Type

/** Formats the text of a key. */
export const keyText = (
  parts: { readonly env: KeyEnvironment; readonly key_id: KeyId; readonly secret: string }
): string => `sk_${parts.env}_${parts.key_id}_${parts.secret}`

/** The authenticated sender of a request. */
export interface Principal extends KeyTerms {
  readonly account_id: AccountId
  readonly plan: Plan
  readonly key_id: KeyId
}

/** True when the caller's key has a feature. */
export const hasFeature = (caller: Principal, feature: Feature): boolean => caller.features.includes(feature)

/** True when the caller's key can use a model. */
export const mayUseModel = (caller: Principal, modelId: string): boolean => caller.models?.includes(modelId) ?? true

/** Route groups by authentication headers; `main` is chat, responses, voices and models. */
export type RouteFamily = "main" | "orgs" | "analytics" | "boards"

/** Key headers of a request; null or empty when absent. */
export interface PresentedKeys {
  /** `api-subscription-key`. */
  readonly subscriptionKey: string | null
  /** Token of the `Authorization: Bearer` header. */
  readonly bearer: string | null
  /** `X-API-Key`. */
  readonly xApiKey: string | null
}

/** Key headers by route group, in order of precedence. */
const headersOf: { readonly [F in RouteFamily]: ReadonlyArray<keyof PresentedKeys> } = {
  main: ["subscriptionKey", "bearer"],
  orgs: ["subscriptionKey", "xApiKey", "bearer"],
  analytics: ["subscriptionKey", "xApiKey", "bearer"],
  boards: ["xApiKey", "subscriptionKey", "bearer"]
}

/**
 * Selects the key of a request; none when it has no key. The first non-empty header of the route group wins:
 * `api-subscription-key`, or `X-API-Key` on boards. `X-API-Key` is accepted everywhere except on `main` routes, and
 * `Authorization` comes last because many clients always send one.
 */
export const presentedKey = (presentedKeys: PresentedKeys, family: RouteFamily): Option.Option<string> =>
  Option.filterMap(
    Array.findFirst(headersOf[family], (header) => (presentedKeys[header] ?? "") !== ""),
    (header) => Option.fromNullable(presentedKeys[header])
  )
