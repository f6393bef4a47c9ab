import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { TrunklineError } from "@trunkline/client"
import { useLoad } from "../api/load.js"
import type { BlockedNumber } from "../api/types.js"
import { canChange } from "../state/session.js"
import { Button } from "../ui/Button.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"
import { Table, type TableColumn } from "../ui/Table.js"
import { Time } from "../ui/Time.js"
import { reportDone } from "../ui/Toasts.js"

const columns = (remove: (number: string) => Promise<void>): ReadonlyArray<TableColumn<BlockedNumber>> => [
  { title: "Number", cell: ({ phone_number }) => <span class="mono">{phone_number}</span> },
  { title: "Reason", cell: ({ reason }) => reason ?? "–" },
  { title: "Since", cell: ({ created_at }) => <Time iso={created_at} /> },
  { title: "Actions", right: true, untitled: true, cell: ({ phone_number }) =>
    canChange.value && <Button size="small" onClick={() => remove(phone_number)}>Allow</Button> }
]

/** Numbers that the workspace never calls. */
export const BlockedNumbers = () => {
  const { reload, state } = useLoad(() => api().blockedNumbers.list({ limit: 100 }), [])
  const number = useSignal("")
  const reason = useSignal("")
  const failure = useSignal<TrunklineError | undefined>(undefined)
  const add = async () => {
    failure.value = undefined
    try {
      await api().blockedNumbers.add({ phone_numbers: [number.value], ...(reason.value !== "" && { reason: reason.value }) })
      number.value = ""
      reportDone("Blocked. It is never called again.")
      reload()
    } catch (error) {
      if (!(error instanceof TrunklineError)) throw error
      failure.value = error
    }
  }
  const remove = async (each: string) => {
    await api().blockedNumbers.remove(each)
    reportDone(`${each} may be called again`)
    reload()
  }
  const { data } = state.value
  return (
    <div class="stack">
      {canChange.value && (
        <Card title="Block a number">
          <FailureNote failure={failure.value} />
          <div class="fields">
            <Field label="Phone number" hint="With + and its country code.">
              <input class="input" type="tel" value={number.value} onInput={(event) => (number.value = event.currentTarget.value)} />
            </Field>
            <Field label="Reason" hint="For your records.">
              <input class="input" type="text" maxLength={150} value={reason.value} onInput={(event) => (reason.value = event.currentTarget.value)} />
            </Field>
          </div>
          <div><Button kind="primary" disabled={number.value === ""} onClick={add}>Block</Button></div>
        </Card>
      )}
      <Card flush title="Blocked">
        <FailureNote failure={state.value.failure} onRetry={reload} />
        {data === undefined && state.value.failure === undefined && <Skeleton />}
        {data && data.items.length === 0 && <Empty title="Nobody is blocked"><p>Whoever asks not to be called belongs here.</p></Empty>}
        {data && data.items.length > 0 && (
          <Table label="Blocked numbers" columns={columns(remove)} rows={data.items} keyOf={({ phone_number }) => phone_number} />
        )}
      </Card>
    </div>
  )
}
