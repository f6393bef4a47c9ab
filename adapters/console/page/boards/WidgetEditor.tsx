import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { api } from "../api/client.js"
import { failureOf } from "../api/failure.js"
import { useLoad } from "../api/load.js"
import type { RunResult, WidgetRecord } from "../api/types.js"
import { Button } from "../ui/Button.js"
import { Skeleton } from "../ui/Card.js"
import { Dialog } from "../ui/Dialog.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"
import { reportDone } from "../ui/Toasts.js"
import { Rows } from "./Rows.js"
import { settingsOf, withAxes } from "./settings.js"
import { SqlEditor } from "./SqlEditor.js"

interface Props {
  readonly board: string
  readonly tab: string
  readonly widget: WidgetRecord | undefined
  /** Widgets of the tab in their order, whose places it may take. */
  readonly widgets: ReadonlyArray<WidgetRecord>
  readonly onClose: () => void
  readonly onDone: () => void
}

const kinds = [["number", "Number"], ["bar", "Bars"], ["line", "Line"], ["table", "Table"]] as const

/** A query that works on every workspace, to begin with. */
const firstQuery = (table: string) => `select connectivity_status, count(*) as calls\nfrom ${table}\ngroup by 1\norder by 2 desc`

const previewRows = 50

/** Name, query and kind of a widget, with a preview of its rows and the time that they took. */
export const WidgetEditor = ({ board, onClose, onDone, tab, widget, widgets }: Props) => {
  const schema = useLoad(() => api().boards.schema(), [])
  const name = useSignal(widget?.name ?? "")
  const sql = useSignal(widget?.sql ?? "")
  const [table] = schema.state.value.data?.tables ?? []
  useEffect(() => {
    if (table !== undefined && sql.peek() === "") sql.value = firstQuery(table.name)
  }, [table?.name])
  const kind = useSignal<WidgetRecord["viz_type"]>(widget?.viz_type ?? "bar")
  const settings = useSignal(JSON.stringify(widget?.viz_config ?? {}, null, 2))
  const position = useSignal(String(widgets.findIndex(({ id }) => id === widget?.id)))
  const failure = useSignal<ReturnType<typeof failureOf> | undefined>(undefined)
  const preview = useSignal<{ readonly rows: RunResult; readonly millis: number } | undefined>(undefined)
  const isAsking = useSignal(false)
  const attempt = async (work: () => Promise<unknown>) => {
    failure.value = undefined
    try {
      await work()
    } catch (error) {
      failure.value = failureOf(error)
    }
  }
  const ask = async () => {
    const start = performance.now()
    const rows = await api().boards.preview({ sql: sql.value, row_limit: previewRows })
    preview.value = { rows, millis: Math.round(performance.now() - start) }
    const axes = withAxes(kind.value, settingsOf(settings.value), rows.columns.map((column) => column.name))
    settings.value = JSON.stringify(axes, null, 2)
  }
  const run = () => attempt(ask)
  const save = () =>
    attempt(async () => {
      // The columns of the query are the axes of a new chart.
      if (widget === undefined) await ask()
      const viz_config = settingsOf(settings.value)
      const body = { name: name.value, sql: sql.value, viz_type: kind.value, viz_config }
      const target = widgets[Number(position.value)]
      await (widget === undefined
        ? api().boards.createWidget(board, { ...body, tab_id: tab })
        : api().boards.updateWidget(board, widget.id, {
          ...body,
          ...(target !== undefined && target.id !== widget.id && { position: target.position })
        }))
      reportDone("Saved")
      onDone()
    })
  const remove = () =>
    attempt(async () => {
      if (widget === undefined) return
      await api().boards.removeWidget(board, widget.id)
      reportDone(`${widget.name} was removed`)
      onDone()
    })
  const issues = failure.value?.issues ?? []
  return (
    <Dialog
      title={widget === undefined ? "Add a widget" : `Edit ${widget.name}`}
      wide
      onClose={onClose}
      footer={
        <>
          {widget !== undefined && (isAsking.value
            ? <Button kind="danger" onClick={remove}>Remove it for good</Button>
            : <Button kind="danger" onClick={() => (isAsking.value = true)}>Remove</Button>)}
          <Button icon="play" onClick={run}>Preview</Button>
          <Button kind="primary" disabled={name.value.trim() === ""} onClick={save}>Save</Button>
        </>
      }
    >
      <FailureNote failure={failure.value ?? schema.state.value.failure} />
      <div class="fields">
        <Field label="Name" path="name" issues={issues}>
          <input class="input" type="text" maxLength={60} value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        </Field>
        <Field label="Shown as" path="viz_type" issues={issues}>
          <select
            class="input"
            value={kind.value}
            onChange={(event) => (kind.value = kinds.find(([id]) => id === event.currentTarget.value)?.[0] ?? "table")}
          >
            {kinds.map(([id, title]) => <option key={id} value={id}>{title}</option>)}
          </select>
        </Field>
        {widget !== undefined && widgets.length > 1 && (
          <Field label="Place" hint="Or drag it on the board." path="position" issues={issues}>
            <select class="input" value={position.value} onChange={(event) => (position.value = event.currentTarget.value)}>
              {widgets.map(({ id }, index) => <option key={id} value={index}>{index + 1} of {widgets.length}</option>)}
            </select>
          </Field>
        )}
      </div>
      <div class="tight">
        <h3>Query</h3>
        {table === undefined && schema.state.value.failure === undefined
          ? <Skeleton lines={4} />
          : <SqlEditor value={sql.value || firstQuery(table?.name ?? "")} schema={schema.state.value.data} onChange={(text) => (sql.value = text)} />}
        {schema.state.value.data?.tables.map(({ columns, name: from }) => (
          <details key={from} class="small">
            <summary>Columns of <code>{from}</code>: {columns.length}</summary>
            <p class="muted">{columns.map((column) => column.name).join(", ")}</p>
          </details>
        ))}
      </div>
      <Field label="Chart settings" hint="JSON, such as the columns of the axes. A preview fills in what is missing." path="viz_config" issues={issues}>
        <textarea class="input mono" value={settings.value} onInput={(event) => (settings.value = event.currentTarget.value)} />
      </Field>
      {preview.value && (
        <div class="tight">
          <h3>Preview</h3>
          <p class="small muted">{preview.value.rows.rows.length} rows in {preview.value.millis} ms{preview.value.rows.truncated ? ", truncated" : ""}</p>
          <Rows label="Preview" {...preview.value.rows} />
        </div>
      )}
    </Dialog>
  )
}
