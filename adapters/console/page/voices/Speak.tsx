import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { api, blobOf } from "../api/client.js"
import { TrunklineError } from "@trunkline/client"
import type { Voice } from "../api/types.js"
import { Button } from "../ui/Button.js"
import { Card } from "../ui/Card.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"
import { isLanguage, type Language, languages, sentences } from "./languages.js"

/** Speaks a text with a voice. */
export const Speak = ({ voices }: { readonly voices: ReadonlyArray<Voice> }) => {
  const voice = useSignal(voices[0]?.voice_id ?? "")
  const language = useSignal<Language>("en-IN")
  const text = useSignal(sentences["en-IN"])
  const sound = useSignal<string | null>(null)
  const millis = useSignal(0)
  const failure = useSignal<TrunklineError | undefined>(undefined)
  useEffect(() => () => sound.peek() !== null && URL.revokeObjectURL(sound.peek() ?? ""), [])
  const speak = async () => {
    failure.value = undefined
    const start = performance.now()
    try {
      const blob = await blobOf(api().voices.speak({
        text: text.value,
        language_code: language.value,
        output_audio_codec: "wav",
        voice_id: voice.value
      }))
      millis.value = Math.round(performance.now() - start)
      if (sound.value !== null) URL.revokeObjectURL(sound.value)
      sound.value = URL.createObjectURL(blob)
    } catch (error) {
      if (!(error instanceof TrunklineError)) throw error
      failure.value = error
    }
  }
  const choose = (code: string) => {
    if (!isLanguage(code)) return
    if (text.value === sentences[language.value]) text.value = sentences[code]
    language.value = code
  }
  const issues = failure.value?.issues ?? []
  return (
    <Card title="Speak a text">
      <FailureNote failure={failure.value} />
      <div class="fields">
        <Field label="Voice" path="voice_id" issues={issues}>
          <select class="input" value={voice.value} onChange={(event) => (voice.value = event.currentTarget.value)}>
            {voices.map(({ name, voice_id }) => <option key={voice_id} value={voice_id}>{name}</option>)}
          </select>
        </Field>
        <Field label="Language" path="language_code" issues={issues}>
          <select class="input" value={language.value} onChange={(event) => choose(event.currentTarget.value)}>
            {Object.entries(languages).map(([code, name]) => <option key={code} value={code}>{name}</option>)}
          </select>
        </Field>
      </div>
      <Field label="Text" path="text" issues={issues}>
        <textarea class="input" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
      </Field>
      <div class="row">
        <Button kind="primary" icon="play" disabled={text.value.trim() === ""} onClick={speak}>Speak</Button>
        {sound.value && <audio controls autoPlay src={sound.value} aria-label="The spoken text" />}
        {sound.value && <span class="small muted number">{millis.value} ms until it was whole</span>}
      </div>
    </Card>
  )
}
