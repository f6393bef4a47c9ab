import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { TrunklineError } from "@trunkline/client"
import { useLoad } from "../api/load.js"
import type { BoardRecord, Delivery, Rule } from "../api/types.js"
import { canChange } from "../state/session.js"
import { Badge } from "../ui/Badge.js"
import { Button } from "../ui/Button.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"
import { Table, type TableColumn } from "../ui/Table.js"
import { Time } from "../ui/Time.js"
import { reportDone } from "../ui/Toasts.js"

const columns: ReadonlyArray<TableColumn<Delivery>> = [
  { title: "For", cell: ({ scheduled_for }) => <Time iso={scheduled_for} /> },
  { title: "Channel", cell: ({ channel }) => channel },
  { title: "State", cell: ({ status }) => <Badge code={status} /> },
  { title: "Tries", cell: ({ tries }) => tries },
  { title: "Error", cell: ({ last_error }) => <span class="small">{last_error ?? ""}</span> }
]

const Deliveries = ({ board, rule }: { readonly board: string; readonly rule: string }) => {
  const { state } = useLoad(() => api().notifications.deliveries(board, rule), [board, rule])
  const { data, failure } = state.value
  if (data === undefined) return failure ? <FailureNote failure={failure} /> : <Skeleton lines={2} />
  if (data.items.length === 0) return <p class="muted">Nothing has been sent yet.</p>
  return <Table label="Deliveries" columns={columns} rows={data.items.slice(0, 10)} keyOf={({ delivery_id }) => delivery_id} />
}

const RuleCard = ({ board, onChange, rule }: { readonly board: BoardRecord; readonly rule: Rule; readonly onChange: () => void }) => {
  const isOpen = useSignal(false)
  const widget = board.tabs.flatMap(({ widgets }) => widgets).find(({ id }) => id === rule.widget_id)
  const switchTo = async (enabled: boolean) => {
    await api().notifications.update(board.id, rule.rule_id, { enabled })
    onChange()
  }
  const remove = async () => {
    await api().notifications.remove(board.id, rule.rule_id)
    reportDone("The report was removed")
    onChange()
  }
  return (
    <Card
      title={rule.name ?? widget?.name ?? "Report"}
      actions={canChange.value && (
        <>
          <Button size="small" onClick={() => switchTo(!rule.enabled)}>{rule.enabled ? "Pause" : "Resume"}</Button>
          <Button size="small" kind="danger" onClick={remove}>Remove</Button>
        </>
      )}
    >
      <dl class="facts">
        <dt>Widget</dt><dd>{widget?.name ?? rule.widget_id}</dd>
        <dt>When</dt><dd><code>{rule.cron}</code></dd>
        <dt>Next run</dt><dd>{rule.enabled ? <Time iso={rule.next_run_at} /> : "Paused"}</dd>
        <dt>Mail</dt><dd>{rule.email_recipients?.join(", ") ?? "–"}</dd>
        <dt>Chat</dt><dd>{rule.slack_configured ? rule.slack_channel_name ?? "A webhook" : "–"}</dd>
      </dl>
      <div><Button size="small" onClick={() => (isOpen.value = !isOpen.value)}>{isOpen.value ? "Hide deliveries" : "Deliveries"}</Button></div>
      {isOpen.value && <Deliveries board={board.id} rule={rule.rule_id} />}
    </Card>
  )
}

/** Reports of a board by cron, to mail and chat, with their next runs and deliveries. */
export const Reports = ({ board }: { readonly board: BoardRecord }) => {
  const { reload, state } = useLoad(() => api().notifications.list(board.id), [board.id])
  const widgets = board.tabs.flatMap((tab) => tab.widgets)
  const draft = useSignal({ widget: widgets[0]?.id ?? "", cron: "0 9 * * 1-5", mail: "", chat: "" })
  const failure = useSignal<TrunklineError | undefined>(undefined)
  const set = (changes: Partial<typeof draft.value>) => (draft.value = { ...draft.value, ...changes })
  const create = async () => {
    failure.value = undefined
    const { chat, cron, mail, widget } = draft.value
    try {
      await api().notifications.create(board.id, {
        widget_id: widget,
        cron,
        ...(mail !== "" && { email_recipients: mail.split(",").map((each) => each.trim()) }),
        ...(chat !== "" && { slack_webhook_url: chat })
      })
      reportDone("The report is planned")
      reload()
    } catch (error) {
      if (!(error instanceof TrunklineError)) throw error
      failure.value = error
    }
  }
  const { data } = state.value
  const issues = failure.value?.issues ?? []
  return (
    <div class="stack">
      <FailureNote failure={state.value.failure} onRetry={reload} />
      {data === undefined && state.value.failure === undefined && <Skeleton />}
      {data && data.items.length === 0 && <Card><Empty title="No report yet"><p>A report sends a widget by mail or to a chat, at the times that you set.</p></Empty></Card>}
      {data && <div class="grid">{data.items.map((rule) => <RuleCard key={rule.rule_id} board={board} rule={rule} onChange={reload} />)}</div>}
      {canChange.value && widgets.length > 0 && (
        <Card title="New report">
          <FailureNote failure={failure.value} />
          <div class="fields">
            <Field label="Widget" path="widget_id" issues={issues}>
              <select class="input" value={draft.value.widget} onChange={(event) => set({ widget: event.currentTarget.value })}>
                {widgets.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
              </select>
            </Field>
            <Field label="When" hint="Cron: minute, hour, day, month, weekday." path="cron" issues={issues}>
              <input class="input mono" type="text" value={draft.value.cron} onInput={(event) => set({ cron: event.currentTarget.value })} />
            </Field>
            <Field label="Mail to" hint="Addresses, separated by commas." path="email_recipients" issues={issues}>
              <input class="input" type="text" value={draft.value.mail} onInput={(event) => set({ mail: event.currentTarget.value })} />
            </Field>
            <Field label="Chat webhook" hint="Of Slack, or one like it." path="slack_webhook_url" issues={issues}>
              <input class="input" type="text" value={draft.value.chat} onInput={(event) => set({ chat: event.currentTarget.value })} />
            </Field>
          </div>
          <div><Button kind="primary" onClick={create}>Plan it</Button></div>
        </Card>
      )}
    </div>
  )
}
