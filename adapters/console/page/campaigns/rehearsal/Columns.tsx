import { numberText } from "../../ui/Time.js"

interface Column {
  readonly name: string
  readonly values: ReadonlyArray<number>
}

interface Series {
  readonly name: string
  readonly color: string
}

interface Props {
  readonly label: string
  readonly columns: ReadonlyArray<Column>
  readonly series: ReadonlyArray<Series>
}

const total = ({ values }: Column) => values.reduce((sum, value) => sum + value, 0)

/** Stacked columns, each with its figures as text for a pointer and for screen readers. */
export const Columns = ({ columns, label, series }: Props) => {
  if (columns.length === 0) return <p class="muted">Nothing to show.</p>
  const highest = Math.max(1, ...columns.map(total))
  const every = Math.ceil(columns.length / 8)
  const textOf = (column: Column) =>
    `${column.name}: ${series.map(({ name }, index) => `${numberText(column.values[index] ?? 0)} ${name.toLowerCase()}`).join(", ")}`
  return (
    <figure class="tight">
      <div class="columns" role="list" aria-label={label} tabIndex={0}>
        {columns.map((column, index) => (
          <div key={column.name + String(index)} role="listitem" class="column" title={textOf(column)} aria-label={textOf(column)}>
            <div class="stackbar">
              {series.map(({ color, name }, position) => (
                <i key={name} style={{ height: `${(100 * (column.values[position] ?? 0)) / highest}%`, background: color }} />
              ))}
            </div>
            <span class="small muted" aria-hidden="true">{index % every === 0 ? column.name : ""}</span>
          </div>
        ))}
      </div>
      <figcaption class="row small muted">
        {series.map(({ color, name }) => (
          <span key={name} class="row" style={{ gap: "5px" }}><i style={{ width: "10px", height: "10px", borderRadius: "2px", background: color }} />{name}</span>
        ))}
        <span>· highest {numberText(highest)}</span>
      </figcaption>
    </figure>
  )
}
