import type { CohortPreview } from "../api/types.js"
import { wordsOf } from "../ui/Badge.js"
import { Note } from "../ui/Note.js"
import { numberText } from "../ui/Time.js"

const shownRows = 8

const headOf = (preview: CohortPreview) => [
  ...new Set(preview.accepted.flatMap(({ app_variables }) => Object.keys(app_variables)))
]

/** The first people as the server reads them, and the rows that it would reject, with their reasons. */
export const ListPreview = ({ isPart, preview }: { readonly preview: CohortPreview; readonly isPart: boolean }) => {
  const variables = headOf(preview)
  return (
    <div class="stack">
      <Note kind={preview.rejected_records > 0 ? "warn" : "ok"}>
        <p>
          {numberText(preview.valid_records)} of {numberText(preview.total_records)} rows would be taken
          {isPart ? ", in the first part of the file" : ""}. Columns are separated by {preview.separator}.
        </p>
      </Note>
      {preview.accepted.length > 0 && (
        <div class="table-wrap" tabIndex={0} role="region" aria-label="People as they are read">
          <table>
            <thead><tr><th>Number</th><th>Person</th>{variables.map((name) => <th key={name}>{name}</th>)}</tr></thead>
            <tbody>
              {preview.accepted.slice(0, shownRows).map((person) => (
                <tr key={person.user_phone_number}>
                  <td>{person.user_phone_number}</td>
                  <td>{person.user_identifier}</td>
                  {variables.map((name) => <td key={name}>{person.app_variables[name] ?? ""}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {preview.rejected.length > 0 && (
        <div class="table-wrap" tabIndex={0} role="region" aria-label="Rows that would be rejected">
          <table>
            <thead><tr><th>Rejected row</th><th>Reason</th></tr></thead>
            <tbody>
              {preview.rejected.slice(0, shownRows).map(({ reasons, values }, index) => (
                <tr key={index}>
                  <td class="mono">{values.join(" · ")}</td>
                  <td>{reasons.map(wordsOf).join(", ")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}
