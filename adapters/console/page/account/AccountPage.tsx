import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import type { AccountDetail } from "../api/types.js"
import { Card, Empty, Skeleton, Stat } from "../ui/Card.js"
import { FailureNote } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { now, numberText, spanText, Time } from "../ui/Time.js"
import { byDay, byFamily, creditText, familyText } from "./figures.js"

const listText = (items: ReadonlyArray<string> | "*" | null, all: string) =>
  items === "*" || items === null ? all : items.length === 0 ? "None" : items.join(", ")

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
  const most = Math.max(1, ...days.map(({ requests }) => requests))
  return (
    <div class="days" role="img" aria-label={`Requests of the last 30 days, at most ${numberText(most)} a day`}>
      {days.map(({ cost, day, requests }) => (
        <i key={day} title={`${day}: ${numberText(requests)} requests, ${creditText(cost)} credits`}>
          <b style={{ height: `${(100 * requests) / most}%` }} />
        </i>
      ))}
    </div>
  )
}

const Usage = ({ usage }: Pick<AccountDetail, "usage">) => (
  <Card flush title="Used in the last 30 days">
    {usage.length === 0
      ? <Empty title="Nothing was used yet"><p>Chat, responses and voices are counted here, by day and family. The playground is a way to try them.</p></Empty>
      : (
        <>
          <Days usage={usage} />
          <div class="table-wrap" tabIndex={0} role="region" aria-label="Usage by family">
            <table>
              <thead><tr><th>Family</th><th class="right">Requests</th><th>Units</th><th class="right">Price</th><th class="right">Charged</th></tr></thead>
              <tbody>
                {byFamily(usage).map(({ api: name, charged, cost, requests, units }) => (
                  <tr key={name}>
                    <td><b>{familyText(name)}</b></td>
                    <td class="right">{numberText(requests)}</td>
                    <td class="muted">{Object.entries(units).map(([unit, count]) => `${numberText(count)} ${unit.replaceAll("_", " ")}${count === 1 ? "" : "s"}`).join(", ")}</td>
                    <td class="right">{creditText(cost)}</td>
                    <td class="right">{creditText(charged)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
  </Card>
)

const sharers = { account: "Account", organisation: "Organisation", key: "This key" }

const Limits = ({ limits: { connections, requests } }: Pick<AccountDetail, "limits">) => (
  <Card flush title="Limits">
    {requests.length === 0 && connections.length === 0
      ? <Empty title="No limits"><p>This server counts no requests.</p></Empty>
      : (
        <div class="table-wrap" tabIndex={0} role="region" aria-label="Limits">
          <table>
            <thead><tr><th>Family</th><th>Shared by</th><th class="right">A minute</th><th>Left</th><th class="right">Full again in</th></tr></thead>
            <tbody>
              {requests.map(({ api: name, burst, per, per_minute, remaining, reset_after }) => (
                <tr key={`${name} ${per}`}>
                  <td><b>{familyText(name)}</b></td>
                  <td class="muted">{sharers[per]}</td>
                  <td class="right">{numberText(per_minute)}</td>
                  <td><span class="meter"><meter min={0} max={burst} value={remaining} aria-label={`${familyText(name)}: ${remaining} of ${burst} left`} /><span class="number">{numberText(remaining)} of {numberText(burst)}</span></span></td>
                  <td class="right muted">{reset_after === 0 ? "–" : reset_after < 60 ? `${Math.ceil(reset_after)} s` : spanText(reset_after * 1000)}</td>
                </tr>
              ))}
              {connections.map(({ api: name, limit, open }) => (
                <tr key={name}>
                  <td><b>{familyText(name)}</b></td>
                  <td class="muted">Account</td>
                  <td class="right muted">at once</td>
                  <td><span class="meter"><meter min={0} max={limit} value={limit - open} aria-label={`${familyText(name)}: ${limit - open} of ${limit} left`} /><span class="number">{numberText(limit - open)} of {numberText(limit)}</span></span></td>
                  <td class="right muted">–</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
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
