import { Campaign, campaignColumns, campaignSortable, CampaignStore, type OwnedCampaign } from "@trunkline/campaigns"
import type { Scope } from "@trunkline/kernel"
import { Effect, Layer, Option } from "effect"
import { sql } from "kysely"
import { jsonColumn, makeDecodeCache, pageOfRows, scopeColumns, scopeOf, searchText } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"

const { decode, encode } = jsonColumn(Campaign)

const rowOf = (scope: Scope, campaign: Campaign) => ({
  ...scopeColumns(scope),
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

/** Number of cached campaigns; each dial and each webhook reads one. */
const cachedCampaigns = 1_000

const ownedColumns = ["campaign_id", "org_id", "workspace_id", "body"] as const

const findManyOwned = ({ orderedJoin, textRows }: SqlDialect) =>
  `select campaign_id, org_id, workspace_id, body from ${textRows("id")}
  ${orderedJoin("campaigns", { on: "campaign_id = id.value" })}`

/** `CampaignStore` in SQL. */
export const CampaignStoreSql = {
  layer: Layer.effect(
    CampaignStore,
    Effect.gen(function*() {
      const { dialect, execute, query } = yield* Sql
      const campaigns = makeDecodeCache(decode, cachedCampaigns)
      const findMany = findManyOwned(dialect)
      const ownedOf = (row: OwnedRow): OwnedCampaign => ({
        scope: scopeOf(row),
        campaign: campaigns.decode(row.campaign_id, row.body)
      })
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
            db.selectFrom("campaigns").select(ownedColumns)
              .where((eb) => eb.and({ campaign_id, ...scopeColumns(scope) }))
              .executeTakeFirst()
          ).pipe(Effect.map((row) => Option.map(Option.fromNullable(row), (row) => ownedOf(row).campaign))),
        findOwnedMany: (ids) =>
          Effect.map(
            execute<OwnedRow>(findMany, [JSON.stringify(ids)]),
            ({ rows }) =>
              new Map(rows.map(ownedOf).map((ownedCampaign) => [ownedCampaign.campaign.campaign_id, ownedCampaign]))
          ),
        list: (scope, page, status) =>
          query((db) =>
            pageOfRows(
              db.selectFrom("campaigns")
                .where((eb) => eb.and({ ...scopeColumns(scope), ...(status === null ? {} : { status }) })),
              page,
              { id: "campaign_id", dialect, sortable: campaignSortable, decode }
            )
          ),
        open: query((db) =>
          db.selectFrom("campaigns").select(ownedColumns)
            .where(sql<boolean>`status not in ('ended', 'cancelled')`)
            .orderBy("campaign_id")
            .execute()
        ).pipe(Effect.map((rows) => rows.map(ownedOf)))
      })
    })
  )
}
