import { type Scope, scopeKey } from "@trunkline/kernel"
import { type Context, Effect, Option } from "effect"
import type { OutboxRow } from "../outbox/OutboxRow.js"
import { type RetiredSecretStore, stillSigning } from "./RetiredSecrets.js"
import { type OwnedWebhook, ownerOf, type WebhookOwner, type WebhookOwners } from "./WebhookOwners.js"

type Signed = Pick<OutboxRow, "scope" | "campaign_id" | "deployment_id" | "url" | "secret">

/** What an owner signs with now. */
interface Signing {
  readonly url: string
  readonly secrets: ReadonlyArray<string>
}

/**
 * Which secrets sign webhooks that are sent at `now`, the newest first: those that their campaign or deployment has by
 * then, so that a receiver which has rotated can verify what was put in before. A webhook whose owner posts elsewhere by
 * now, or not at all, and that of a single call, is signed with the secret that it was put in with.
 */
export const makeSigningSecrets = ({ owners, retired }: {
  readonly owners: Context.Tag.Service<typeof WebhookOwners>
  readonly retired: Context.Tag.Service<typeof RetiredSecretStore>
}) => {
  const signingOf = (scope: Scope, owner: WebhookOwner, now: number): Effect.Effect<Signing | null> =>
    Effect.flatMap(owners.find(scope, owner), (found) => {
      const config = configOf(found)
      if (config === null) return Effect.succeed(null)
      const { secret, url } = config
      if (secret === undefined) return Effect.succeed({ url, secrets: [] })
      return Effect.map(retired.find(scope, owner), (old) => ({
        url,
        secrets: [secret, ...stillSigning(old, secret, now).map((one) => one.secret)]
      }))
    })

  /** Each owner is asked once for all of its webhooks. */
  return (rows: ReadonlyArray<Signed>, now: number): Effect.Effect<ReadonlyArray<ReadonlyArray<string>>> =>
    Effect.suspend(() => {
      const known = new Map<string, Signing | null>()
      return Effect.forEach(rows, (row) =>
        Effect.suspend(() => {
          const owner = ownerOf(row)
          if (owner === null) return Effect.succeed(ownSecret(row))
          const key = `${scopeKey(row.scope)} ${owner.kind} ${owner.id}`
          const secrets = (signing: Signing | null) => signing?.url === row.url ? signing.secrets : ownSecret(row)
          const before = known.get(key)
          if (before !== undefined) return Effect.succeed(secrets(before))
          return Effect.map(signingOf(row.scope, owner, now), (signing) => {
            known.set(key, signing)
            return secrets(signing)
          })
        }))
    })
}

const configOf = (found: Option.Option<OwnedWebhook>) => Option.getOrNull(Option.map(found, ({ config }) => config))

const ownSecret = ({ secret }: Signed): ReadonlyArray<string> => secret === null ? [] : [secret]
