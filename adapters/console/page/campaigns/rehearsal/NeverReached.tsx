import type { RehearsalReport } from "../../api/types.js"
import { wordsOf } from "../../ui/Badge.js"
import { numberText } from "../../ui/Time.js"

/** People whom no call reaches, by cause, with examples. */
export const NeverReached = ({ never }: { readonly never: RehearsalReport["never_reached"] }) => {
  if (never.people === 0) return <p class="muted">Everybody is reached.</p>
  return (
    <div class="stack">
      <p>{numberText(never.people)} people are never reached.</p>
      <table>
        <thead><tr><th>Cause</th><th>Last outcome</th><th class="right">People</th></tr></thead>
        <tbody>
          {never.causes.map(({ last_outcome, people, reason }) => (
            <tr key={`${reason} ${last_outcome}`}>
              <td>{wordsOf(reason)}</td>
              <td>{last_outcome === null ? "–" : wordsOf(last_outcome)}</td>
              <td class="right">{numberText(people)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {never.examples.length > 0 && (
        <p class="small muted">
          For example {never.examples.slice(0, 3).map(({ calls, last_outcome, person }) =>
            `person ${person}, called ${calls} times, last ${last_outcome === null ? "not dialled" : wordsOf(last_outcome).toLowerCase()}`
          ).join("; ")}.
        </p>
      )}
    </div>
  )
}
