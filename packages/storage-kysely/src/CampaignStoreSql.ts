import { Campaign, campaignColumns, campaignSortable, CampaignStore, type OwnedCampaign } from "@trunkline/campaigns"
import type { Scope } from "@trunkline/kernel"
import { Effect, Layer, Option } from "effect"
import { sql } from "kysely"
import { bodyOf, columnsOf, pageOfRows, scopeOf, searchText } from "./Rows.js"
import { Sql } from "./Sql.js"

const { decode, encode, read } = bodyOf(Campaign)

const rowOf = (scope: Scope, campaign: Campaign) => ({
  ...columnsOf(scope),
  campaign_id: campaign.campaign_id,
  search: searchText(campaignColumns.text(campaign)),
  name: campaign.name,
  status: campaign.status,
  created_at: campaign.created_at.epochMillis,
  updated_at: campaign.updated_at.epochMillis,
  start_timestamp: campaign.start_timestamp.epochMillis,
  end_timestamp: campaign.end_timestamp.epochMillis,
  body: encode(campaign)
})

type OwnedRow = typeof Scope.Encoded & { readonly campaign_id: string; readonly body: string }

/** Campaigns whose bodies are remembered with what they decode to. */
const REMEMBERED = 1_000

/**
 * Reads campaigns with their workspaces. Each dial does, and decoding one takes longer than finding it: what was decoded
 * last serves again for as long as the row holds the same text.
 */
const makeOwnedOf = () => {
  const known = new Map<string, { readonly body: string; readonly owned: OwnedCampaign }>()
  return (row: OwnedRow): OwnedCampaign => {
    const before = known.get(row.campaign_id)
    if (before?.body === row.body) return before.owned
    const owned = { scope: scopeOf(row), campaign: decode(row.body) }
    if (known.size >= REMEMBERED) known.clear()
    known.set(row.campaign_id, { body: row.body, owned })
    return owned
  }
}

/** `CampaignStore` in SQL. */
export const CampaignStoreSql = {
  layer: Layer.effect(
    CampaignStore,
    Effect.gen(function*() {
      const { query } = yield* Sql
      const ownedOf = makeOwnedOf()
      return CampaignStore.of({
        put: (scope, campaign) =>
          query((db) => {
            const row = rowOf(scope, campaign)
            return db.insertInto("campaigns").values(row)
              .onConflict((conflict) => conflict.column("campaign_id").doUpdateSet(row))
              .execute()
          }).pipe(Effect.asVoid),
        find: (scope, campaign_id) =>
          query((db) =>
            db.selectFrom("campaigns").select("body")
              .where((is) => is.and({ campaign_id, ...columnsOf(scope) }))
              .executeTakeFirst()
          ).pipe(Effect.map(read)),
        findOwned: (id) =>
          query((db) =>
            db.selectFrom("campaigns").select(["campaign_id", "org_id", "workspace_id", "body"])
              .where("campaign_id", "=", id)
              .executeTakeFirst()
          ).pipe(Effect.map(Option.fromNullable), Effect.map(Option.map(ownedOf))),
        list: (scope, page, status) =>
          query((db) =>
            pageOfRows(
              db.selectFrom("campaigns")
                .where((is) => is.and({ ...columnsOf(scope), ...(status === null ? {} : { status }) })),
              page,
              { id: "campaign_id", sortable: campaignSortable, decode }
            )
          ),
        open: query((db) =>
          db.selectFrom("campaigns").select(["campaign_id", "org_id", "workspace_id", "body"])
            .where(sql<boolean>`status not in ('ended', 'cancelled')`)
            .orderBy("campaign_id")
            .execute()
        ).pipe(Effect.map((rows) => rows.map(ownedOf)))
      })
    })
  )
}
