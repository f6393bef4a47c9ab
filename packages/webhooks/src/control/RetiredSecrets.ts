import { MemoryTable, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { WebhookOwner } from "./WebhookOwners.js"

/** Secrets that sign beside the present one, for a while. */
export const RetiredSecrets = Schema.Struct({
  /** The secret that took their place: when the owner has another one by now, they are void. */
  successor: Schema.String,
  /** Newest first. */
  secrets: Schema.Array(Schema.Struct({
    secret: Schema.String,
    /** It signs until then, in real milliseconds since 1970. */
    until: Schema.Int
  }))
})
export type RetiredSecrets = typeof RetiredSecrets.Type

/** Keeps the secrets that have been rotated out. Every write joins the running transaction. */
export class RetiredSecretStore extends Context.Tag("@trunkline/webhooks/RetiredSecretStore")<RetiredSecretStore, {
  /** Those of an owner; none when it has never rotated. */
  readonly find: (scope: Scope, owner: WebhookOwner) => Effect.Effect<Option.Option<RetiredSecrets>>
  /** Puts these in place of those that are there. */
  readonly put: (scope: Scope, owner: WebhookOwner, retired: RetiredSecrets) => Effect.Effect<void>
}>() {
  /** Secrets in memory, gone when the layer is. */
  static readonly layerMemory = Layer.sync(RetiredSecretStore, () => {
    const rows = MemoryTable.make<string, RetiredSecrets>()
    const keyOf = (scope: Scope, owner: WebhookOwner) => `${scopeKey(scope)} ${owner.kind} ${owner.id}`
    return RetiredSecretStore.of({
      find: (scope, owner) => Effect.sync(() => Option.fromNullable(rows.get(keyOf(scope, owner)))),
      put: (scope, owner, retired) => rows.set(keyOf(scope, owner), retired)
    })
  })
}

/** The retired secrets that still sign at `now` beside the present one. */
export const stillSigning = (
  retired: Option.Option<RetiredSecrets>,
  present: string | undefined,
  now: number
): RetiredSecrets["secrets"] =>
  Option.match(retired, {
    onNone: () => [],
    onSome: ({ secrets, successor }) => successor === present ? secrets.filter(({ until }) => until > now) : []
  })
