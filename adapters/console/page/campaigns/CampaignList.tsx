import { api } from "../api/client.js"
import { queryOf } from "../api/query.js"
import type { CampaignMetadata, CampaignsListQuery } from "../api/types.js"
import { addressOf, navigate, place, setQuery } from "../state/location.js"
import { canChange } from "../state/session.js"
import { Badge } from "../ui/Badge.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { Link } from "../ui/Link.js"
import { FailureNote } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { momentText } from "../ui/Time.js"
import { useMore } from "../ui/useMore.js"
import { type Column, VirtualTable } from "../ui/VirtualTable.js"

const pageSize = 50

const states = ["scheduled", "active", "paused", "ended", "cancelled"]

const columns: ReadonlyArray<Column<CampaignMetadata>> = [
  { title: "Name", width: "minmax(0, 2.2fr)", cell: ({ name }) => <b>{name}</b> },
  { title: "State", width: "120px", cell: ({ status }) => <Badge code={status} live={status === "active"} /> },
  { title: "Agent", width: "minmax(0, 1.4fr)", from: 1, cell: ({ app_id, app_version }) => `${app_id} · v${app_version ?? "?"}` },
  { title: "Changed", width: "190px", from: 1, cell: ({ updated_at }) => momentText(updated_at) },
  { title: "Id", width: "170px", from: 2, cell: ({ campaign_id }) => <span class="mono muted">{campaign_id}</span> }
]

export const CampaignList = () => {
  const search = place.value.query.get("search") ?? ""
  const status = place.value.query.get("status") ?? ""
  const { more, reload, state } = useMore(
    async (offset: number | null) => {
      const query = { limit: pageSize, offset: offset ?? 0, search, campaign_status: status }
      const sorted = { ...query, sort_by: "updated_at", sort_order: "desc" } as const
      const page = await api().campaigns.list(queryOf<CampaignsListQuery>(sorted))
      const loadedCount = page.offset + page.items.length
      return { items: page.items, next: loadedCount < page.total && page.items.length > 0 ? loadedCount : null }
    },
    [search, status]
  )
  const { failure, isLoading, isWhole, items } = state.value
  const isFiltered = search !== "" || status !== ""
  return (
    <>
      <PageHead title="Campaigns">
        {canChange.value && <Link class="button primary" to={addressOf(["campaigns", "new"])}>New campaign</Link>}
      </PageHead>
      <FailureNote failure={failure} onRetry={reload} />
      <Card
        flush
        title={
          <div class="row">
            <input
              class="input"
              type="search"
              aria-label="Search by name"
              placeholder="Search by name"
              style={{ width: "220px" }}
              value={search}
              onInput={(event) => setQuery({ search: event.currentTarget.value })}
            />
            <select
              class="input"
              aria-label="State"
              style={{ width: "auto" }}
              value={status}
              onChange={(event) => setQuery({ status: event.currentTarget.value })}
            >
              <option value="">Every state</option>
              {states.map((name) => <option key={name} value={name}>{name}</option>)}
            </select>
          </div>
        }
      >
        {items.length === 0 && isLoading && <Skeleton lines={6} />}
        {items.length === 0 && isWhole && (
          <Empty title={isFiltered ? "No campaign matches" : "No campaign yet"}>
            {isFiltered
              ? <button class="button" onClick={() => setQuery({ search: null, status: null })}>Show all</button>
              : (
                <>
                  <p>A campaign calls the people of a list, within the hours and at the rate that you set.</p>
                  {canChange.value && <Link class="button primary" to={addressOf(["campaigns", "new"])}>Create the first</Link>}
                </>
              )}
          </Empty>
        )}
        {items.length > 0 && (
          <VirtualTable
            label="Campaigns"
            columns={columns}
            rows={items}
            keyOf={({ campaign_id }) => campaign_id}
            onOpen={({ campaign_id }) => navigate(addressOf(["campaigns", campaign_id]))}
            onEnd={more}
          />
        )}
      </Card>
    </>
  )
}
