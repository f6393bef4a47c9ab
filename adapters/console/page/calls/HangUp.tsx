import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { canChange } from "../state/session.js"
import { Button } from "../ui/Button.js"
import { reportDone } from "../ui/Toasts.js"

/** Ends a call that goes on, after a second click. Nothing where nothing may be changed. */
export const HangUp = ({ id, onAsk }: { readonly id: string; readonly onAsk?: () => void }) => {
  const isAsking = useSignal(false)
  if (!canChange.value) return null
  const ask = () => {
    isAsking.value = true
    onAsk?.()
  }
  const hangUp = async () => {
    isAsking.value = false
    const { status } = await api().attempts.hangUp(id)
    reportDone(status === "ended" ? "The call was over already" : "Hanging up")
  }
  return isAsking.value
    ? (
      <span class="row">
        <Button kind="danger" size="small" onClick={hangUp}>Hang up now</Button>
        <Button kind="plain" size="small" onClick={() => (isAsking.value = false)}>Keep</Button>
      </span>
    )
    : <Button kind="danger" size="small" icon="hangUp" onClick={ask}>Hang up</Button>
}
