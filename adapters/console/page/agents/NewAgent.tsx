import { useSignal } from "@preact/signals"
import { TrunklineError } from "@trunkline/client"
import { api } from "../api/client.js"
import { addressOf, navigate } from "../state/location.js"
import { Button } from "../ui/Button.js"
import { Dialog } from "../ui/Dialog.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"

interface Props {
  readonly onClose: () => void
  readonly onDone: () => void
}

/** An agent of the workspace, which begins as a draft. */
export const NewAgent = ({ onClose, onDone }: Props) => {
  const id = useSignal("")
  const prompt = useSignal("")
  const failure = useSignal<TrunklineError | undefined>(undefined)
  const issues = failure.value?.issues ?? []
  const save = async () => {
    failure.value = undefined
    try {
      const { app_id } = await api().agents.create({
        app_id: id.value,
        version: prompt.value === "" ? {} : { prompt: prompt.value }
      })
      onDone()
      onClose()
      navigate(addressOf(["agents", app_id, "edit"]))
    } catch (error) {
      if (!(error instanceof TrunklineError)) throw error
      failure.value = error
    }
  }
  return (
    <Dialog
      title="New agent"
      onClose={onClose}
      footer={<Button kind="primary" disabled={id.value === ""} onClick={save}>Make a draft</Button>}
    >
      <FailureNote failure={failure.value} />
      <Field label="Id" hint="Calls, campaigns and deployments name the agent by it" path="app_id" issues={issues}>
        <input class="input" type="text" maxLength={128} value={id.value} onInput={(event) => (id.value = event.currentTarget.value)} />
      </Field>
      <Field label="Prompt" hint="Everything else can be set afterwards" path="version.prompt" issues={issues}>
        <textarea class="input" rows={6} value={prompt.value} onInput={(event) => (prompt.value = event.currentTarget.value)} />
      </Field>
    </Dialog>
  )
}
