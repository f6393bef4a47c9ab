import { MemoryTable, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { OutboxRow } from "../outbox/OutboxRow.js"
import { type OwnedWebhook, ownerOf, type WebhookOwner, type WebhookOwners } from "./WebhookOwners.js"

/** Earlier secrets that still sign beside the current one. */
export const RetiredSecrets = Schema.Struct({
  /** Secret that replaced them. If the owner has another one now, they are void. */
  successor: Schema.String,
  /** Newest first. */
  secrets: Schema.Array(Schema.Struct({
    secret: Schema.String,
    /** End of its use, in real milliseconds since 1970. */
    until: Schema.Int
  }))
})
export type RetiredSecrets = typeof RetiredSecrets.Type

/** Stores retired secrets. Writes join the running transaction. */
export class RetiredSecretStore extends Context.Tag("@trunkline/webhooks/RetiredSecretStore")<RetiredSecretStore, {
  /** Retired secrets of an owner; none if it has never rotated. */
  readonly find: (scope: Scope, owner: WebhookOwner) => Effect.Effect<Option.Option<RetiredSecrets>>
  /** Replaces the retired secrets of an owner. */
  readonly put: (scope: Scope, owner: WebhookOwner, retiredSecrets: RetiredSecrets) => Effect.Effect<void>
}>() {
  /** Stores retired secrets in memory. */
  static readonly layerMemory = Layer.sync(RetiredSecretStore, () => {
    const rows = MemoryTable.make<string, RetiredSecrets>()
    const keyOf = (scope: Scope, owner: WebhookOwner) => `${scopeKey(scope)} ${owner.kind} ${owner.id}`
    return RetiredSecretStore.of({
      find: (scope, owner) => Effect.sync(() => Option.fromNullable(rows.get(keyOf(scope, owner)))),
      put: (scope, owner, retiredSecrets) => rows.set(keyOf(scope, owner), retiredSecrets)
    })
  })
}

/** Retired secrets that still sign at `now` beside the current one. */
export const activeRetiredSecrets = (
  retiredSecrets: Option.Option<RetiredSecrets>,
  current: string | undefined,
  now: number
): RetiredSecrets["secrets"] =>
  Option.match(retiredSecrets, {
    onNone: () => [],
    onSome: ({ secrets, successor }) => successor === current ? secrets.filter(({ until }) => until > now) : []
  })

type SignedRow = Pick<OutboxRow, "scope" | "campaign_id" | "deployment_id" | "url" | "secret">

/** URL and secrets of an owner. */
interface Signing {
  readonly url: string
  readonly secrets: ReadonlyArray<string>
}

/**
 * Makes a function that looks up the secrets that sign webhooks sent at `now`, newest first. They are the current secrets
 * of the campaign or deployment, so that a receiver that has rotated can verify webhooks from before. A webhook of a
 * single call, or of an owner that now has another URL or none, is signed with the secret it was enqueued with.
 */
export const makeSigningSecrets = ({ owners, retired }: {
  readonly owners: Context.Tag.Service<typeof WebhookOwners>
  readonly retired: Context.Tag.Service<typeof RetiredSecretStore>
}) => {
  const signingOf = (scope: Scope, owner: WebhookOwner, now: number): Effect.Effect<Signing | null> =>
    Effect.flatMap(owners.find(scope, owner), (ownedWebhook) => {
      const config = configOf(ownedWebhook)
      if (config === null) return Effect.succeed(null)
      const { secret, url } = config
      if (secret === undefined) return Effect.succeed({ url, secrets: [] })
      return Effect.map(retired.find(scope, owner), (old) => ({
        url,
        secrets: [secret, ...activeRetiredSecrets(old, secret, now).map((one) => one.secret)]
      }))
    })

  /** Looks up each owner once for all of its webhooks. */
  return (rows: ReadonlyArray<SignedRow>, now: number): Effect.Effect<ReadonlyArray<ReadonlyArray<string>>> =>
    Effect.suspend(() => {
      const ownersByKey = new Map<string, readonly [Scope, WebhookOwner]>()
      const keys = rows.map((row) => {
        const owner = ownerOf(row)
        if (owner === null) return null
        const key = `${scopeKey(row.scope)} ${owner.kind} ${owner.id}`
        if (!ownersByKey.has(key)) ownersByKey.set(key, [row.scope, owner])
        return key
      })
      const signings = new Map<string | null, Signing | null>()
      const lookUp = Effect.forEach(
        ownersByKey,
        ([key, [scope, owner]]) =>
          Effect.map(signingOf(scope, owner, now), (signing) => void signings.set(key, signing)),
        { discard: true }
      )
      return Effect.map(lookUp, () =>
        rows.map((row, index) => {
          const signing = signings.get(keys[index] ?? null) ?? null
          return signing?.url === row.url ? signing.secrets : ownSecret(row)
        }))
    })
}

const configOf = (ownedWebhook: Option.Option<OwnedWebhook>) =>
  Option.getOrNull(Option.map(ownedWebhook, ({ config }) => config))

const ownSecret = ({ secret }: SignedRow): ReadonlyArray<string> => secret === null ? [] : [secret]
