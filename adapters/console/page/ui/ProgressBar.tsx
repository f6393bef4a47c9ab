import type { ProgressRecord } from "../api/types.js"
import { numberText } from "./Time.js"

/** People done and on the phone, as shares of all. */
export const ProgressBar = ({ progress: { contacts } }: { readonly progress: ProgressRecord }) => {
  const total = Math.max(1, contacts.total_enrolled)
  const share = (count: number) => `${(100 * count) / total}%`
  return (
    <div
      class="bar"
      role="progressbar"
      aria-label="People done"
      aria-valuemin={0}
      aria-valuemax={contacts.total_enrolled}
      aria-valuenow={contacts.finished}
      aria-valuetext={`${numberText(contacts.finished)} of ${numberText(contacts.total_enrolled)} done, ${numberText(contacts.calling)} on the phone`}
    >
      <i style={{ width: share(contacts.finished) }} />
      <i class="info" style={{ width: share(contacts.calling) }} />
    </div>
  )
}
