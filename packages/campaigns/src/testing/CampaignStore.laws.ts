import { assert, layer } from "@effect/vitest"
import { CampaignId, findOne, type PageRequest, Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import type { Campaign, CampaignStatus } from "../campaign/Campaign.js"
import { campaignSortable, CampaignStore } from "../campaign/CampaignStore.js"
import { at, campaign, scopeOf } from "./Fixtures.js"

const newest = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" } as const

/** The laws of `CampaignStore`. Every law has a workspace of its own, so rows may live as long as the layer. */
export const campaignStoreLaws = <E>(name: string, live: Layer.Layer<CampaignStore | Transactions, E>) =>
  layer(live)(`CampaignStore laws: ${name}`, (it) => {
    const listing = (workspace: string) => (page: Partial<PageRequest>, status: CampaignStatus | null = null) =>
      Effect.flatMap(
        CampaignStore,
        (store) =>
          Effect.map(
            store.list(scopeOf(workspace), { ...newest, ...page }, status),
            ({ items, total }) => [total, ...items.map((item) => item.campaign_id)]
          )
      )

    it.effect("finds a stored campaign in its workspace only, or by id with its workspace", () =>
      Effect.gen(function*() {
        const store = yield* CampaignStore
        const scope = scopeOf("find")
        const put = campaign("camp-find", { name: "हिन्दी", description: "\"quoted\" \\ back" })
        const id = put.campaign_id
        yield* store.put(scope, put)
        assert.deepStrictEqual(yield* store.find(scope, id), Option.some(put))
        assert.deepStrictEqual(yield* findOne(store.findOwnedMany, id), Option.some({ scope, campaign: put }))
        assert.deepStrictEqual(yield* store.find(scopeOf("find-other"), id), Option.none())
        assert.deepStrictEqual(yield* store.find(scope, CampaignId.make("camp-find-none")), Option.none())
        const none = CampaignId.make("camp-find-none")
        assert.deepStrictEqual(yield* findOne(store.findOwnedMany, none), Option.none())
        assert.deepStrictEqual(
          yield* store.findOwnedMany([none, id]),
          new Map([[id, { scope, campaign: put }]])
        )
        assert.deepStrictEqual(yield* store.findOwnedMany([]), new Map())
      }))

    it.effect("replaces a campaign of the same id", () =>
      Effect.gen(function*() {
        const store = yield* CampaignStore
        const scope = scopeOf("again")
        yield* store.put(scope, campaign("camp-again"))
        const update = campaign("camp-again", { name: "changed", status: "active", updated_at: at(9) })
        yield* store.put(scope, update)
        assert.deepStrictEqual(yield* store.find(scope, update.campaign_id), Option.some(update))
        assert.deepStrictEqual(yield* listing("again")({ search: "changed" }, "active"), [1, "camp-again"])
        assert.deepStrictEqual(yield* listing("again")({}, "scheduled"), [0])
      }))

    it.effect("lists the campaigns of a workspace, searched by name, description and id in any case, filtered by status", () =>
      Effect.gen(function*() {
        const store = yield* CampaignStore
        const scope = scopeOf("search")
        yield* store.put(scope, campaign("camp-search-a", { name: "Évening 100%", status: "paused" }))
        yield* store.put(scope, campaign("camp-search-b", { name: "x", description: "ÉVEN_ing", status: "ended" }))
        yield* store.put(scope, campaign("camp-search-c", { name: "night", created_at: at(1), status: "paused" }))
        yield* store.put(scopeOf("search-other"), campaign("camp-search-d"))
        const list = listing("search")
        assert.deepStrictEqual(yield* list({}), [3, "camp-search-c", "camp-search-a", "camp-search-b"])
        assert.deepStrictEqual(yield* list({}, "paused"), [2, "camp-search-c", "camp-search-a"])
        assert.deepStrictEqual(yield* list({ search: "éVEN" }), [2, "camp-search-a", "camp-search-b"])
        assert.deepStrictEqual(yield* list({ search: "éVEN" }, "ended"), [1, "camp-search-b"])
        assert.deepStrictEqual(yield* list({ search: "%" }), [1, "camp-search-a"])
        assert.deepStrictEqual(yield* list({ search: "_" }), [1, "camp-search-b"])
        assert.deepStrictEqual(yield* list({ search: "SEARCH-C" }), [1, "camp-search-c"])
        assert.deepStrictEqual(yield* list({ search: "absent" }), [0])
        assert.deepStrictEqual(yield* list({}, "cancelled"), [0])
      }))

    it.effect("sorts by every sortable field in both directions, ties by ascending id, in pages", () =>
      Effect.gen(function*() {
        const store = yield* CampaignStore
        const scope = scopeOf("sort")
        const put = (id: string, change: Partial<Campaign>) => store.put(scope, campaign(id, change))
        const beta = { name: "beta", created_at: at(3), start_timestamp: at(2) }
        yield* put("camp-sort-b", { ...beta, status: "paused", updated_at: at(4), end_timestamp: at(51) })
        yield* put("camp-sort-a", { ...beta, status: "active", updated_at: at(6), end_timestamp: at(52) })
        yield* put("camp-sort-c", { name: "Alpha", status: "paused", updated_at: at(5), end_timestamp: at(50) })
        const [cab, abc] = ["cab", "abc"]
        const ascending = { name: cab, created_at: cab, start_timestamp: cab, end_timestamp: "cba" }
        const descending = { name: abc, created_at: abc, start_timestamp: abc, end_timestamp: "abc" }
        const orders = [
          ["asc", { ...ascending, status: "abc", updated_at: "bca" }],
          ["desc", { ...descending, status: "bca", updated_at: "acb" }]
        ] as const
        const list = listing("sort")
        for (const sort_by of campaignSortable) {
          for (const [sort_order, order] of orders) {
            const ids = [...order[sort_by]].map((letter) => `camp-sort-${letter}`)
            assert.deepStrictEqual(yield* list({ sort_by, sort_order }), [3, ...ids], `${sort_by} ${sort_order}`)
          }
        }
        assert.deepStrictEqual(yield* list({ offset: 1, limit: 1 }), [3, "camp-sort-b"])
        assert.deepStrictEqual(yield* list({ offset: 3 }), [3])
      }))

    it.effect("returns the open campaigns of all workspaces", () =>
      Effect.gen(function*() {
        const store = yield* CampaignStore
        const statuses = ["scheduled", "active", "paused", "ended", "cancelled"] as const
        for (const status of statuses) {
          yield* store.put(scopeOf(`open-${status}`), campaign(`camp-open-${status}`, { status }))
        }
        yield* store.put(scopeOf("open-active"), campaign("camp-open-over", { status: "active" }))
        yield* store.put(scopeOf("open-active"), campaign("camp-open-over", { status: "ended" }))
        const open = (yield* store.open).filter(({ campaign }) => campaign.campaign_id.startsWith("camp-open-"))
        assert.sameDeepMembers(
          [...open],
          (["scheduled", "active", "paused"] as const).map((status) => ({
            scope: scopeOf(`open-${status}`),
            campaign: campaign(`camp-open-${status}`, { status })
          }))
        )
      }))

    it.effect("rolls back with the transaction", () =>
      Effect.gen(function*() {
        const store = yield* CampaignStore
        const { run } = yield* Transactions
        const scope = scopeOf("undone")
        const before = campaign("camp-undone")
        const rollback = <A>(change: Effect.Effect<A>) =>
          Effect.flip(run(Effect.zipRight(change, Effect.fail("undone"))))
        yield* rollback(store.put(scope, before))
        assert.deepStrictEqual(yield* findOne(store.findOwnedMany, before.campaign_id), Option.none())
        yield* store.put(scope, before)
        yield* rollback(store.put(scope, campaign("camp-undone", { status: "cancelled" })))
        assert.deepStrictEqual(yield* store.find(scope, before.campaign_id), Option.some(before))
      }))
  })
