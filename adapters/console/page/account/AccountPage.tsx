import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import type { AccountDetail } from "../api/types.js"
import { Card, Empty, Skeleton, Stat } from "../ui/Card.js"
import { FailureNote } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { Table, type TableColumn } from "../ui/Table.js"
import { now, numberText, spanText, Time } from "../ui/Time.js"
import { byDay, byFamily, creditText, familyText } from "./figures.js"

const listText = (items: ReadonlyArray<string> | "*" | null, fallback: string) =>
  items === "*" || items === null ? fallback : items.length === 0 ? "None" : items.join(", ")

const Key = ({ account_id, key, plan }: AccountDetail) => (
  <Card title="This key">
    <dl class="facts">
      <dt>Name</dt><dd><b>{key.label}</b></dd>
      <dt>Id</dt><dd class="mono">{key.key_id}</dd>
      <dt>Account</dt><dd>{account_id} · plan {plan}</dd>
      <dt>Workspaces</dt><dd>{listText(key.workspaces, "All of the account")}</dd>
      <dt>Models</dt><dd>{listText(key.models, "All")}</dd>
      <dt>Features</dt><dd>{listText(key.features, "All")}</dd>
      <dt>Budget</dt>
      <dd>
        {key.budget === null
          ? "None: all credits of the account"
          : `${creditText(key.budget.used)} of ${creditText(key.budget.limit)} credits used`}
        {key.budget?.resets_at && <div class="small muted">Resets <Time iso={String(key.budget.resets_at)} /></div>}
      </dd>
    </dl>
    <p class="small muted">The server keeps no text of a key. <code>npx trunkline keys create</code> makes another one.</p>
  </Card>
)

const Days = ({ usage }: Pick<AccountDetail, "usage">) => {
  const days = byDay(usage, now.value)
  const max = Math.max(1, ...days.map(({ requests }) => requests))
  return (
    <div class="days" role="img" aria-label={`Requests of the last 30 days, at most ${numberText(max)} a day`}>
      {days.map(({ cost, day, requests }) => (
        <i key={day} title={`${day}: ${numberText(requests)} requests, ${creditText(cost)} credits`}>
          <b style={{ height: `${(100 * requests) / max}%` }} />
        </i>
      ))}
    </div>
  )
}

const usageColumns: ReadonlyArray<TableColumn<ReturnType<typeof byFamily>[number]>> = [
  { title: "Family", cell: ({ api: name }) => <b>{familyText(name)}</b> },
  { title: "Requests", right: true, cell: ({ requests }) => numberText(requests) },
  { title: "Units", cell: ({ units }) => (
    <span class="muted">
      {Object.entries(units).map(([unit, count]) => `${numberText(count)} ${unit.replaceAll("_", " ")}${count === 1 ? "" : "s"}`).join(", ")}
    </span>
  ) },
  { title: "Price", right: true, cell: ({ cost }) => creditText(cost) },
  { title: "Charged", right: true, cell: ({ charged }) => creditText(charged) }
]

const Usage = ({ usage }: Pick<AccountDetail, "usage">) => (
  <Card flush title="Used in the last 30 days">
    {usage.length === 0
      ? <Empty title="Nothing was used yet"><p>Chat, responses and voices are counted here, by day and family. The playground is a way to try them.</p></Empty>
      : (
        <>
          <Days usage={usage} />
          <Table label="Usage by family" columns={usageColumns} rows={byFamily(usage)} keyOf={({ api: name }) => name} />
        </>
      )}
  </Card>
)

const sharers = { account: "Account", organisation: "Organisation", key: "This key" }

const waitText = (seconds: number) => seconds === 0 ? "–" : seconds < 60 ? `${Math.ceil(seconds)} s` : spanText(seconds * 1000)

/** Limits of requests a minute, then those of connections at once. */
const limitsOf = ({ connections, requests }: AccountDetail["limits"]) => [
  ...requests.map(({ api: family, burst, per, per_minute, remaining, reset_after }) => (
    { family, sharer: sharers[per], rate: numberText(per_minute), left: remaining, max: burst, wait: waitText(reset_after) }
  )),
  ...connections.map(({ api: family, limit, open }) => (
    { family, sharer: sharers.account, rate: "at once", left: limit - open, max: limit, wait: "–" }
  ))
]

const limitColumns: ReadonlyArray<TableColumn<ReturnType<typeof limitsOf>[number]>> = [
  { title: "Family", cell: ({ family }) => <b>{familyText(family)}</b> },
  { title: "Shared by", cell: ({ sharer }) => <span class="muted">{sharer}</span> },
  { title: "A minute", right: true, cell: ({ rate }) => rate },
  { title: "Left", cell: ({ family, left, max }) => (
    <span class="meter">
      <meter min={0} max={max} value={left} aria-label={`${familyText(family)}: ${left} of ${max} left`} />
      <span class="number">{numberText(left)} of {numberText(max)}</span>
    </span>
  ) },
  { title: "Full again in", right: true, cell: ({ wait }) => <span class="muted">{wait}</span> }
]

const Limits = ({ limits }: Pick<AccountDetail, "limits">) => (
  <Card flush title="Limits">
    {limitsOf(limits).length === 0
      ? <Empty title="No limits"><p>This server counts no requests.</p></Empty>
      : <Table label="Limits" columns={limitColumns} rows={limitsOf(limits)} keyOf={({ family, sharer }) => `${family} ${sharer}`} />}
  </Card>
)

/** What the key and its account may, and what they have used, by day and family. */
export const AccountPage = () => {
  const { reload, state } = useLoad(() => api().account.get(), [], { everyMillis: 15_000 })
  const { data, failure } = state.value
  return (
    <>
      <PageHead title="Account" />
      <FailureNote failure={failure} onRetry={reload} />
      {data === undefined && failure === undefined && <Skeleton lines={6} />}
      {data && (
        <>
          <div class="stats">
            <Stat name="Credits" value={data.credits.balance === null ? "Unlimited" : creditText(data.credits.balance)} detail={`${creditText(data.credits.reserved)} reserved by requests in progress`} />
            <Stat name="Used in 30 days" value={creditText(data.usage.reduce((sum, { cost }) => sum + cost, 0))} detail="credits, by the price list" />
            <Stat name="Requests that were counted" value={numberText(data.usage.reduce((sum, { requests }) => sum + requests, 0))} detail="of chat, responses and voices" />
            <Stat name="Plan" value={<span style={{ textTransform: "capitalize" }}>{data.plan}</span>} detail={`account ${data.account_id}`} />
          </div>
          <div class="live"><Usage usage={data.usage} /><Key {...data} /></div>
          <Limits limits={data.limits} />
        </>
      )}
    </>
  )
}
