import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { failureOf } from "../api/failure.js"
import { useLoad } from "../api/load.js"
import type { RunResult, WidgetRecord } from "../api/types.js"
import { Button } from "../ui/Button.js"
import { Dialog } from "../ui/Dialog.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"
import { reportDone } from "../ui/Toasts.js"
import { Rows } from "./Rows.js"
import { SqlEditor } from "./SqlEditor.js"

interface Props {
  readonly board: string
  readonly tab: string
  readonly widget: WidgetRecord | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

const kinds = [["number", "Number"], ["bar", "Bars"], ["line", "Line"], ["table", "Table"]] as const

const firstQuery = "select connectivity_status, count(*) as calls\nfrom attempts\ngroup by 1\norder by 2 desc"

const previewRows = 50

/** Chart settings from their text. */
const settingsOf = (text: string): Readonly<Record<string, unknown>> => {
  const refused = "The chart settings are no JSON object."
  try {
    const parsed: unknown = JSON.parse(text || "{}")
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw new Error(refused)
    return { ...parsed }
  } catch {
    throw new Error(refused)
  }
}

/** Name, query and kind of a widget, with a preview of its rows and the time that they took. */
export const WidgetEditor = ({ board, onClose, onDone, tab, widget }: Props) => {
  const schema = useLoad(() => api().boards.schema(), [])
  const name = useSignal(widget?.name ?? "")
  const sql = useSignal(widget?.sql ?? firstQuery)
  const kind = useSignal<WidgetRecord["viz_type"]>(widget?.viz_type ?? "bar")
  const settings = useSignal(JSON.stringify(widget?.viz_config ?? {}, null, 2))
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
  const run = () =>
    attempt(async () => {
      const start = performance.now()
      const rows = await api().boards.preview({ sql: sql.value, row_limit: previewRows })
      preview.value = { rows, millis: Math.round(performance.now() - start) }
    })
  const save = () =>
    attempt(async () => {
      const viz_config = settingsOf(settings.value)
      const body = { name: name.value, sql: sql.value, viz_type: kind.value, viz_config }
      await (widget === undefined
        ? api().boards.createWidget(board, { ...body, tab_id: tab })
        : api().boards.updateWidget(board, widget.id, body))
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
      </div>
      <div class="tight">
        <h3>Query</h3>
        <SqlEditor value={sql.value} schema={schema.state.value.data} onChange={(text) => (sql.value = text)} />
        <p class="small muted">
          {schema.state.value.data?.tables.map(({ columns, name: table }) => `${table}: ${columns.map((column) => column.name).slice(0, 12).join(", ")}…`).join(" ")}
        </p>
      </div>
      <Field label="Chart settings" hint="JSON: columns of the axes, colours, format. See docs/boards.md." path="viz_config" issues={issues}>
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
