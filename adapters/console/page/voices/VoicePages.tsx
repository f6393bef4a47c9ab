import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import type { Voice } from "../api/types.js"
import { canChange } from "../state/session.js"
import { Button } from "../ui/Button.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { FailureNote } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { Time } from "../ui/Time.js"
import { reportDone } from "../ui/Toasts.js"
import { languages } from "./languages.js"
import { NewVoice } from "./NewVoice.js"
import { Speak } from "./Speak.js"

const VoiceCard = ({ onRemoved, voice }: { readonly voice: Voice; readonly onRemoved: () => void }) => {
  const isAsking = useSignal(false)
  const remove = async () => {
    await api().voices.remove(voice.voice_id)
    reportDone(`${voice.name} was removed`)
    onRemoved()
  }
  return (
    <Card
      title={voice.name}
      actions={canChange.value && (
        <Button size="small" kind="danger" onClick={isAsking.value ? remove : () => (isAsking.value = true)}>
          {isAsking.value ? "Remove for good" : "Remove"}
        </Button>
      )}
    >
      <dl class="facts">
        <dt>Language</dt><dd>{languages[voice.language]}</dd>
        <dt>Style</dt><dd>{voice.style}{voice.gender ? `, ${voice.gender}` : ""}</dd>
        <dt>Clip</dt><dd class="number">{voice.reference_duration.toFixed(1)} s</dd>
        <dt>Says in the clip</dt><dd>{voice.reference_text || "–"}</dd>
        <dt>Saved</dt><dd><Time iso={voice.created_at} /></dd>
        <dt>Id</dt><dd class="mono">{voice.voice_id}</dd>
      </dl>
    </Card>
  )
}

/** Saved voices, a new one from a clip, and a text in any of the twelve languages. */
export const VoicePages = () => {
  const { reload, state } = useLoad(() => api().voices.list(), [])
  const isAdding = useSignal(false)
  const { data, failure } = state.value
  return (
    <>
      <PageHead title="Voices">
        {canChange.value && <Button kind="primary" icon="plus" onClick={() => (isAdding.value = true)}>New voice</Button>}
      </PageHead>
      <FailureNote failure={failure} onRetry={reload} />
      {data === undefined && failure === undefined && <Skeleton lines={4} />}
      {data && data.items.length > 0 && <Speak key={data.items.length} voices={data.items} />}
      {data && data.items.length === 0 && (
        <Card><Empty title="No saved voice yet"><p>A clip of some seconds makes a voice that speaks any text, in twelve languages.</p>{canChange.value && <Button kind="primary" onClick={() => (isAdding.value = true)}>Make the first</Button>}</Empty></Card>
      )}
      {data && <div class="grid">{data.items.map((voice) => <VoiceCard key={voice.voice_id} voice={voice} onRemoved={reload} />)}</div>}
      {isAdding.value && <NewVoice onClose={() => (isAdding.value = false)} onDone={reload} />}
    </>
  )
}
