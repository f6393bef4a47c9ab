import type { ProgressRecord } from "../api/types.js"
import { peopleOf } from "../api/people.js"
import { numberText } from "./Time.js"

/** People done and on the phone, as shares of all. */
export const ProgressBar = ({ progress }: { readonly progress: ProgressRecord }) => {
  const { contacts } = progress
  const people = peopleOf(progress)
  const total = Math.max(1, people)
  const share = (count: number) => `${(100 * count) / total}%`
  return (
    <div
      class="bar"
      role="progressbar"
      aria-label="People done"
      aria-valuemin={0}
      aria-valuemax={people}
      aria-valuenow={contacts.finished}
      aria-valuetext={`${numberText(contacts.finished)} of ${numberText(people)} done, ${numberText(contacts.calling)} on the phone`}
    >
      <i style={{ width: share(contacts.finished) }} />
      <i class="info" style={{ width: share(contacts.calling) }} />
    </div>
  )
}
