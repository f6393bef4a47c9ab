import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { api, blobOf } from "../api/client.js"
import { isOfTheMoment, refusalPause, sentenceOf } from "../api/failure.js"
import type { FilterValues, TabRunResult, WidgetRecord } from "../api/types.js"
import { canChange } from "../state/session.js"
import { Button } from "../ui/Button.js"
import { Card, Skeleton } from "../ui/Card.js"
import { Note } from "../ui/Note.js"
import { Rows } from "./Rows.js"

type Result = TabRunResult["results"][number]

interface Props {
  readonly widget: WidgetRecord
  readonly result: Result | undefined
  readonly filterValues: FilterValues
  readonly onEdit: () => void
  readonly onMove: (moved: string) => void
}

const chartHeight = 260

/** The server's own picture of a chart, in the width of its card, so that mail and browser show the same. */
const Chart = ({ filterValues, result, widget }: Pick<Props, "filterValues" | "widget"> & { readonly result: Result }) => {
  const host = useRef<HTMLDivElement>(null)
  const url = useSignal<string | null>(null)
  const problem = useSignal<string | null>(null)
  const values = JSON.stringify(filterValues)
  useEffect(() => {
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const width = Math.max(280, Math.round(host.current?.clientWidth ?? 480))
    const draw = () => void blobOf(api().boards.chartSvg(widget.board_id, widget.id, { width, height: chartHeight, filter_values: values })).then((svg) => {
      if (!isCurrent) return
      if (url.peek() !== null) URL.revokeObjectURL(url.peek() ?? "")
      url.value = URL.createObjectURL(svg)
      problem.value = null
    }, (error: unknown) => {
      if (!isCurrent) return
      if (isOfTheMoment(error)) timer = setTimeout(draw, refusalPause)
      else problem.value = sentenceOf(error)
    })
    draw()
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [widget.id, widget.updated_at, values, result])
  return (
    <div ref={host} style={{ minHeight: `${chartHeight}px` }}>
      {problem.value && <Note kind="bad"><p>{problem.value}</p></Note>}
      {url.value && <img class="chart" src={url.value} alt={`Chart of ${widget.name}`} />}
    </div>
  )
}

/** One widget of a board: a number, a chart or a table, or why there is none. */
export const Widget = ({ filterValues, onEdit, onMove, result, widget }: Props) => {
  // A chart has its name in the picture.
  const isDrawn = result?.status === "ok" && widget.viz_type !== "table"
  return (
    <div
      class={`widget widget-${widget.viz_type}${isDrawn ? " drawn" : ""}`}
      draggable={canChange.value}
      onDragStart={(event) => event.dataTransfer?.setData("text/plain", widget.id)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        const moved = event.dataTransfer?.getData("text/plain")
        if (moved && moved !== widget.id) onMove(moved)
      }}
    >
      <Card
        title={<span class={isDrawn ? "visually-hidden" : undefined}>{widget.name}</span>}
        actions={canChange.value && <Button kind="plain" size="small" icon="pencil" label={`Edit ${widget.name}`} onClick={onEdit} />}
      >
        {result === undefined && <Skeleton lines={4} />}
        {result?.status === "error" && <Note kind="bad"><p>{result.error.message}</p><p class="small mono">{result.error.code}</p></Note>}
        {result?.status === "ok" && (widget.viz_type === "table"
          ? <Rows label={widget.name} columns={result.columns} rows={result.rows} truncated={result.truncated} />
          : <Chart widget={widget} result={result} filterValues={filterValues} />)}
      </Card>
    </div>
  )
}
