import { api } from "../../api/client.js"
import { useLoad } from "../../api/load.js"
import { addressOf } from "../../state/location.js"
import { Skeleton } from "../../ui/Card.js"
import { Link } from "../../ui/Link.js"
import { FailureNote, Note } from "../../ui/Note.js"
import { numberText } from "../../ui/Time.js"

interface Props {
  readonly campaign: string
  readonly cohort: string
}

/** Progress of an import, then its counts. */
export const ImportWait = ({ campaign, cohort }: Props) => {
  const { reload, state } = useLoad(() => api().cohorts.getOfCampaign(campaign, cohort), [campaign, cohort], { everyMillis: 1000 })
  const { data, failure } = state.value
  if (data === undefined) return failure ? <FailureNote failure={failure} onRetry={reload} /> : <Skeleton lines={1} />
  if (data.status === "failed") return <Note kind="bad"><p>The list could not be read: {data.failure_reason}</p></Note>
  if (data.result === null) return <Note><p>The list is being read: {data.progress?.percent ?? 0} %</p></Note>
  const { rejected_records, valid_records } = data.result
  return (
    <Note kind={rejected_records > 0 ? "warn" : "ok"}>
      <p>
        {numberText(valid_records)} people are in the campaign{rejected_records > 0 ? `, ${numberText(rejected_records)} rows were rejected` : ""}.{" "}
        {rejected_records > 0 && <Link to={addressOf(["campaigns", campaign], { tab: "lists" })}>See them</Link>}
      </p>
    </Note>
  )
}
