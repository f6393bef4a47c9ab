import type { RehearsalReport } from "../../api/types.js"
import { wordsOf } from "../../ui/Badge.js"
import { Table, type TableColumn } from "../../ui/Table.js"
import { numberText } from "../../ui/Time.js"

type Never = RehearsalReport["never_reached"]

const columns: ReadonlyArray<TableColumn<Never["causes"][number]>> = [
  { title: "Cause", cell: ({ reason }) => wordsOf(reason) },
  { title: "Last outcome", cell: ({ last_outcome }) => last_outcome === null ? "–" : wordsOf(last_outcome) },
  { title: "People", right: true, cell: ({ people }) => numberText(people) }
]

/** People whom no call reaches, by cause, with examples. */
export const NeverReached = ({ never }: { readonly never: Never }) => {
  if (never.people === 0) return <p class="muted">Everybody is reached.</p>
  return (
    <div class="stack">
      <p>{numberText(never.people)} {never.people === 1 ? "person is" : "people are"} never reached.</p>
      <Table
        label="Causes"
        columns={columns}
        rows={never.causes}
        keyOf={({ last_outcome, reason }) => `${reason} ${last_outcome}`}
      />
      {never.examples.length > 0 && (
        <p class="small muted">
          For example {never.examples.slice(0, 3).map(({ calls, last_outcome, person }) =>
            `person ${person}, called ${calls === 1 ? "once" : `${calls} times`}, last ${last_outcome === null ? "not dialled" : wordsOf(last_outcome).toLowerCase()}`
          ).join("; ")}.
        </p>
      )}
    </div>
  )
}
