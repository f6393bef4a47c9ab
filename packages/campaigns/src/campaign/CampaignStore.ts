import { applyPage, type CampaignId, MemoryTable, type PageRequest, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { type Campaign, type CampaignStatus, isFinalStatus } from "./Campaign.js"

/** A campaign with the workspace that owns it. */
export interface OwnedCampaign {
  readonly scope: Scope
  readonly campaign: Campaign
}

/** Stores campaigns. Every write joins the running transaction. */
export class CampaignStore extends Context.Tag("@trunkline/campaigns/CampaignStore")<CampaignStore, {
  /** Adds or replaces a campaign of the workspace. */
  readonly put: (scope: Scope, campaign: Campaign) => Effect.Effect<void>
  /** Finds a campaign of the workspace. */
  readonly find: (scope: Scope, id: CampaignId) => Effect.Effect<Option.Option<Campaign>>
  /** Finds campaigns by id in any workspace; leaves out ids of none. For the runner only. */
  readonly findOwnedMany: (
    ids: ReadonlyArray<CampaignId>
  ) => Effect.Effect<ReadonlyMap<CampaignId, OwnedCampaign>>
  /** Lists the campaigns of a workspace, sorted and searched as the page says; a `status` other than null filters. */
  readonly list: (
    scope: Scope,
    page: PageRequest,
    status: CampaignStatus | null
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Campaign>; readonly total: number }>
  /** All campaigns of all workspaces that are neither ended nor cancelled. */
  readonly open: Effect.Effect<ReadonlyArray<OwnedCampaign>>
}>() {
  /** Stores campaigns in memory. */
  static readonly layerMemory = Layer.sync(CampaignStore, () => {
    const rows = MemoryTable.make<CampaignId, OwnedCampaign>()
    const of = (scope: Scope) => [...rows.values()].filter((row) => scopeKey(row.scope) === scopeKey(scope))
    return CampaignStore.of({
      put: (scope, campaign) => rows.set(campaign.campaign_id, { scope, campaign }),
      find: (scope, id) =>
        Effect.sync(() =>
          Option.fromNullable(rows.get(id)).pipe(
            Option.filter((row) => scopeKey(row.scope) === scopeKey(scope)),
            Option.map((row) => row.campaign)
          )
        ),
      findOwnedMany: (ids) =>
        Effect.sync(() => {
          const campaigns = ids.flatMap((id) => rows.get(id) ?? [])
          return new Map(campaigns.map((ownedCampaign) => [ownedCampaign.campaign.campaign_id, ownedCampaign]))
        }),
      list: (scope, page, status) =>
        Effect.sync(() =>
          applyPage(
            of(scope).map((row) => row.campaign).filter((campaign) => status === null || campaign.status === status),
            page,
            campaignColumns
          )
        ),
      open: Effect.sync(() => [...rows.values()].filter((row) => !isFinalStatus(row.campaign.status)))
    })
  })
}

/** Fields that lists of campaigns can be sorted by. */
export const campaignSortable = [
  "created_at",
  "updated_at",
  "name",
  "status",
  "start_timestamp",
  "end_timestamp"
] as const

/** Columns by which lists of campaigns are searched and sorted. */
export const campaignColumns = {
  id: (row: Campaign) => row.campaign_id,
  text: (row: Campaign) => [row.name, row.description ?? "", row.campaign_id],
  sortKey: (row: Campaign, by: string): string | number => {
    switch (by) {
      case "name":
        return row.name
      case "status":
        return row.status
      case "updated_at":
        return row.updated_at.epochMillis
      case "start_timestamp":
        return row.start_timestamp.epochMillis
      case "end_timestamp":
        return row.end_timestamp.epochMillis
      default:
        return row.created_at.epochMillis
    }
  }
}
