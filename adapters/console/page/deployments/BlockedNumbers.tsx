import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { TrunklineError } from "@trunkline/client"
import { useLoad } from "../api/load.js"
import { canChange } from "../state/session.js"
import { Button } from "../ui/Button.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"
import { Time } from "../ui/Time.js"
import { reportDone } from "../ui/Toasts.js"

/** Numbers that the workspace never calls. */
export const BlockedNumbers = () => {
  const { reload, state } = useLoad(() => api().blockedNumbers.list({ limit: 250 }), [])
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
          <div class="table-wrap" tabIndex={0} role="region" aria-label="Blocked numbers">
            <table>
              <thead><tr><th>Number</th><th>Reason</th><th>Since</th><th><span class="visually-hidden">Actions</span></th></tr></thead>
              <tbody>
                {data.items.map((item) => (
                  <tr key={item.phone_number}>
                    <td class="mono">{item.phone_number}</td>
                    <td>{item.reason ?? "–"}</td>
                    <td><Time iso={item.created_at} /></td>
                    <td class="right">{canChange.value && <Button size="small" onClick={() => remove(item.phone_number)}>Allow</Button>}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
    </div>
  )
}
