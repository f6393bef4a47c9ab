import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { api } from "../api/client.js"
import { TrunklineError } from "@trunkline/client"
import { failureOf } from "../api/failure.js"
import { Button } from "../ui/Button.js"
import { Dialog } from "../ui/Dialog.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"
import { reportDone } from "../ui/Toasts.js"
import { isLanguage, type Language, languages } from "./languages.js"

interface Props {
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Records from the microphone until it is stopped; resolves with the clip. */
const record = async (): Promise<{ readonly stop: () => void; readonly clip: Promise<File> }> => {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const recorder = new MediaRecorder(stream)
  const parts: Array<Blob> = []
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data))
  const clip = new Promise<File>((resolve) =>
    recorder.addEventListener("stop", () => {
      stream.getTracks().forEach((track) => track.stop())
      resolve(new File(parts, "recording.webm", { type: recorder.mimeType }))
    })
  )
  recorder.start()
  return { stop: () => recorder.stop(), clip }
}

/** A voice from a clip that is uploaded or recorded, and heard before it is saved. */
export const NewVoice = ({ onClose, onDone }: Props) => {
  const name = useSignal("")
  const language = useSignal<Language>("en-IN")
  const clip = useSignal<File | null>(null)
  const url = useSignal<string | null>(null)
  const stop = useSignal<(() => void) | null>(null)
  const failure = useSignal<TrunklineError | undefined>(undefined)
  useEffect(() => {
    url.value = clip.value === null ? null : URL.createObjectURL(clip.value)
    return () => url.peek() !== null && URL.revokeObjectURL(url.peek() ?? "")
  }, [clip.value])
  // Somebody who closes the form while it records wants the microphone back.
  useEffect(() => () => stop.peek()?.(), [])
  const toggle = async () => {
    if (stop.value !== null) {
      stop.value()
      stop.value = null
      return
    }
    try {
      const recording = await record()
      stop.value = recording.stop
      void recording.clip.then((file) => (clip.value = file))
    } catch {
      failure.value = failureOf("The microphone cannot be used. Allow it in the browser, or upload a clip.")
    }
  }
  const save = async () => {
    if (clip.value === null) return
    failure.value = undefined
    try {
      await api().voices.create({ name: name.value, language: language.value, file: clip.value })
      reportDone(`${name.value} is saved`)
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
      title="New voice"
      onClose={onClose}
      footer={<Button kind="primary" disabled={clip.value === null || name.value === ""} onClick={save}>Save the voice</Button>}
    >
      <FailureNote failure={failure.value} />
      <p class="muted">A clip of 5 to 15 seconds of one speaker, without music, is best. Use a voice only with its owner's consent.</p>
      <div class="fields">
        <Field label="Name" path="name" issues={issues}>
          <input class="input" type="text" maxLength={100} value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        </Field>
        <Field label="Language" path="language" issues={issues}>
          <select class="input" value={language.value} onChange={({ currentTarget: { value } }) => isLanguage(value) && (language.value = value)}>
            {Object.entries(languages).map(([code, title]) => <option key={code} value={code}>{title}</option>)}
          </select>
        </Field>
      </div>
      <Field label="Clip" path="file" issues={issues}>
        <input class="input" type="file" accept="audio/*" onChange={(event) => (clip.value = event.currentTarget.files?.[0] ?? null)} />
      </Field>
      <div class="row">
        <Button icon={stop.value === null ? "wave" : "stop"} onClick={toggle}>{stop.value === null ? "Record" : "Stop recording"}</Button>
        {url.value && <audio controls src={url.value} aria-label="The clip" />}
      </div>
    </Dialog>
  )
}
