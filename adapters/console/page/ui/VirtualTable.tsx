import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core"
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { width as windowWidth } from "../state/width.js"

export interface Column<Row> {
  readonly title: string
  /** Width as a track of a grid, such as `120px` or `minmax(0, 2fr)`. */
  readonly width: string
  /** Least width of a window with this column: 1 for a tablet, 2 for a desk; every window by default. */
  readonly from?: 1 | 2
  readonly cell: (row: Row) => ComponentChildren
}

interface Props<Row> {
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  readonly onOpen?: (row: Row) => void
  /** Called when the last rows come into view, so that more are loaded. */
  readonly onEnd?: () => void
  readonly height?: string
  /** Least width of a row in pixels on a desk; a narrower card scrolls. */
  readonly least?: number
}

const rowHeight = 44

/** Height of the row of titles. */
const headHeight = 34

/**
 * A table of any length: only the rows in view are in the page. Arrow keys move, Enter opens. A row that leaves the view is
 * taken for the next one that comes, so that scrolling makes no elements; cells hold no state of their own. The focus stays with
 * its row, and goes to the table when that row leaves.
 */
export const VirtualTable = <Row,>({ columns: all, height = "min(64vh, 640px)", keyOf, label, least = 760, onEnd, onOpen, rows }: Props<Row>) => {
  const host = useRef<HTMLDivElement>(null)
  const version = useSignal(0)
  const virtual = useRef<Virtualizer<HTMLDivElement, Element> | null>(null)
  const options = {
    // Read here, so that the table is drawn again when the rows in view change.
    count: version.value < 0 ? 0 : rows.length,
    getScrollElement: () => host.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => {
      version.value = version.peek() + 1
    }
  }
  virtual.current ??= new Virtualizer(options)
  virtual.current.setOptions(options)
  useEffect(() => {
    const close = virtual.current?._didMount()
    virtual.current?._willUpdate()
    version.value = version.peek() + 1
    return close
  }, [])
  const items = virtual.current.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const slots = useRef(0)
  slots.current = Math.max(slots.current, items.length)
  const focused = useRef<{ readonly key: string; readonly index: number } | null>(null)
  const keyAt = (index: number) => {
    const row = rows[index]
    return row === undefined ? undefined : keyOf(row)
  }
  useLayoutEffect(() => {
    const former = focused.current
    const moved = former && items.find(({ index }) => keyAt(index) === former.key)
    if (former === null || moved?.index === former.index) return
    const row = moved && host.current?.querySelector<HTMLElement>(`[data-index="${moved.index}"]`)
    focused.current = null
    const target = row ?? host.current
    target?.focus({ preventScroll: true })
  })
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 10) onEnd?.()
  }, [last, rows.length])
  const columns = all.filter(({ from = 0 }) => from <= windowWidth.value)
  const minWidth = windowWidth.value < 2 ? undefined : `${least}px`
  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(" "), minWidth }
  const focus = (index: number) => {
    virtual.current?.scrollToIndex(index)
    requestAnimationFrame(() => host.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus())
  }
  return (
    <div
      ref={host}
      class="virtual"
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      style={{ maxHeight: height, height: `${headHeight + rowHeight * rows.length}px` }}
      tabIndex={0}
    >
      <div role="rowgroup" class="virtual-head">
        <div role="row" class="virtual-row head" style={template}>
          {columns.map(({ title }) => <div key={title} role="columnheader">{title}</div>)}
        </div>
      </div>
      <div role="rowgroup" style={{ height: `${virtual.current.getTotalSize()}px`, position: "relative" }}>
        {items.map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <div
              key={index % slots.current}
              role="row"
              aria-rowindex={index + 2}
              data-index={index}
              class={`virtual-row${onOpen ? " link" : ""}`}
              style={{ ...template, transform: `translateY(${start}px)` }}
              tabIndex={onOpen ? 0 : undefined}
              onFocus={() => (focused.current = { key: keyOf(row), index })}
              onBlur={() => (focused.current = null)}
              onClick={() => onOpen?.(row)}
              onKeyDown={(event) => {
                if (event.key === "Enter") onOpen?.(row)
                else if (event.key === "ArrowDown") focus(Math.min(rows.length - 1, index + 1))
                else if (event.key === "ArrowUp") focus(Math.max(0, index - 1))
                else return
                event.preventDefault()
              }}
            >
              {columns.map(({ cell, title }) => <div key={title} role="cell">{cell(row)}</div>)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
