import { useSignal } from "@preact/signals"
import { TrunklineError } from "@trunkline/client"
import { api } from "../api/client.js"
import { Button } from "../ui/Button.js"
import { Dialog } from "../ui/Dialog.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"
import { reportDone } from "../ui/Toasts.js"

interface Props {
  readonly onClose: () => void
  readonly onDone: () => void
}

/** A document from a file. */
export const AddDocument = ({ onClose, onDone }: Props) => {
  const collection = useSignal("main")
  const title = useSignal("")
  const file = useSignal<File | null>(null)
  const failure = useSignal<TrunklineError | undefined>(undefined)
  const save = async () => {
    if (file.value === null) return
    failure.value = undefined
    try {
      const { outcome, passages, title: name } = await api().knowledge.add({
        collection: collection.value,
        file: file.value,
        ...(title.value !== "" && { title: title.value })
      })
      reportDone(outcome === "unchanged" ? `${name} has not changed` : `${name} is ${outcome}, in ${passages} passages`)
      onDone()
      onClose()
    } catch (error) {
      if (!(error instanceof TrunklineError)) throw error
      failure.value = error
    }
  }
  const issues = failure.value?.issues ?? []
  return (
    <Dialog
      title="Add a document"
      onClose={onClose}
      footer={<Button kind="primary" disabled={file.value === null} onClick={save}>Add the document</Button>}
    >
      <FailureNote failure={failure.value} />
      <p class="muted">A file with the name of one that is there replaces it.</p>
      <Field label="File" path="file" issues={issues}>
        <input class="input" type="file" accept=".pdf,.html,.htm,.md,.markdown,.txt,application/pdf,text/html,text/markdown,text/plain" onChange={(event) => (file.value = event.currentTarget.files?.[0] ?? null)} />
      </Field>
      <div class="fields">
        <Field label="Collection" path="collection" issues={issues}>
          <input class="input" type="text" maxLength={64} value={collection.value} onInput={(event) => (collection.value = event.currentTarget.value)} />
        </Field>
        <Field label="Title, if not that of the document" path="title" issues={issues}>
          <input class="input" type="text" maxLength={300} value={title.value} onInput={(event) => (title.value = event.currentTarget.value)} />
        </Field>
      </div>
    </Dialog>
  )
}
