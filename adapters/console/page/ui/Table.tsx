import type { ComponentChildren } from "preact"

export interface TableColumn<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** True for figures and buttons, which stand at the right edge. */
  readonly right?: boolean
  /** True for buttons, which need no title. */
  readonly untitled?: boolean
}

interface Props<Row> {
  readonly label: string
  readonly columns: ReadonlyArray<TableColumn<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
}

/** A table of some rows. On a phone each row becomes a block with a line for each column. */
export const Table = <Row,>({ columns, keyOf, label, rows }: Props<Row>) => (
  <div class="table-wrap" tabIndex={0} role="region" aria-label={label}>
    <table class="stacks" role="table">
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ right, title, untitled }) => (
            <th key={title} role="columnheader" class={right ? "right" : undefined}>{untitled ? <span class="visually-hidden">{title}</span> : title}</th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ cell, right, title, untitled }) => (
              <td key={title} role="cell" class={right ? "right" : undefined} data-title={untitled ? undefined : title}><div>{cell(row)}</div></td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
