import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import type { WidgetRecord } from "../api/types.js"
import { addressOf, place } from "../state/location.js"
import { canChange } from "../state/session.js"
import { Button } from "../ui/Button.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { Link } from "../ui/Link.js"
import { FailureNote } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { presentTab, Tabs } from "../ui/Tabs.js"
import { Time } from "../ui/Time.js"
import { FilterBar } from "./FilterBar.js"
import { filterValues } from "./filters.js"
import { Reports } from "./Reports.js"
import { Widget } from "./Widget.js"
import { WidgetEditor } from "./WidgetEditor.js"

const reportsTab = { id: "reports", title: "Reports" }

const refreshMillis = 15_000

/** A board: its tabs, filters and widgets, and its reports by mail and chat. */
export const BoardPage = ({ id }: { readonly id: string }) => {
  const board = useLoad(() => api().boards.get(id), [id])
  const { data, failure } = board.state.value
  const editing = useSignal<WidgetRecord | "new" | null>(null)
  const tabs = [...(data?.tabs ?? []).map((tab) => ({ id: tab.id, title: tab.name })), reportsTab]
  const present = presentTab(tabs)
  const tab = data?.tabs.find((each) => each.id === present)
  const widgets = [...(tab?.widgets ?? [])].sort((a, b) => a.position - b.position)
  const values = filterValues(data?.filters ?? [], place.value.query)
  const run = useLoad(
    async () => (tab === undefined ? undefined : api().boards.runTab(id, tab.id, { filter_values: values, max_age: 5 })),
    [id, tab?.id, JSON.stringify(values), data?.updated_at],
    { everyMillis: refreshMillis }
  )
  const move = async (moved: string, target: WidgetRecord) => {
    await api().boards.updateWidget(id, moved, { position: target.position })
    board.reload()
  }
  const done = () => {
    editing.value = null
    board.reload()
  }
  return (
    <>
      <PageHead title={data?.name ?? "Board"} crumb={<Link to={addressOf(["boards"])}>Boards</Link>}>
        {data && tab && canChange.value && <Button icon="plus" onClick={() => (editing.value = "new")}>Add a widget</Button>}
        <Button icon="refresh" label="Run the queries again" onClick={run.reload} />
      </PageHead>
      <FailureNote failure={failure} onRetry={board.reload} />
      {data === undefined && failure === undefined && <Skeleton lines={6} />}
      {data && (
        <>
          <Tabs tabs={tabs} at={["boards", id]} />
          {present === reportsTab.id ? <Reports board={data} /> : (
            <>
              <FilterBar filters={data.filters} />
              <FailureNote failure={run.state.value.failure} onRetry={run.reload} />
              {tab && tab.widgets.length === 0 && (
                <Card>
                  <Empty title="No widget on this tab">
                    <p>A widget is one SQL query and how it is shown.</p>
                    {canChange.value && <Button kind="primary" onClick={() => (editing.value = "new")}>Add the first</Button>}
                  </Empty>
                </Card>
              )}
              <div class="widgets">
                {widgets.map((widget) => (
                  <Widget
                    key={widget.id}
                    widget={widget}
                    filterValues={values}
                    result={run.state.value.data?.results.find(({ widget_id }) => widget_id === widget.id)}
                    onEdit={() => (editing.value = widget)}
                    onMove={(moved) => void move(moved, widget)}
                  />
                ))}
              </div>
              {run.state.value.at > 0 && <p class="small muted">As of <Time iso={new Date(run.state.value.at).toISOString()} />, again every 15 seconds.</p>}
            </>
          )}
          {editing.value !== null && tab && (
            <WidgetEditor
              board={id}
              tab={tab.id}
              widget={editing.value === "new" ? undefined : editing.value}
              widgets={widgets}
              onClose={() => (editing.value = null)}
              onDone={done}
            />
          )}
        </>
      )}
    </>
  )
}
