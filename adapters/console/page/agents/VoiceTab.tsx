import { useSignal } from "@preact/signals"
import type { Talk, TalkState, TalkWords } from "@trunkline/client/talk"
import { useEffect, useRef } from "preact/hooks"
import { api } from "../api/client.js"
import { sentenceOf } from "../api/failure.js"
import type { AgentVersion } from "../api/types.js"
import { Button } from "../ui/Button.js"
import { Card, Empty } from "../ui/Card.js"
import { Field } from "../ui/Field.js"
import { Note } from "../ui/Note.js"

interface Props {
  readonly app: string
  readonly version: AgentVersion
}

const keys = "123456789*0#"

const states: Readonly<Record<TalkState, string>> = {
  listening: "The agent listens.",
  thinking: "The agent thinks…",
  speaking: "The agent speaks. Speak to interrupt it."
}

/** Words with those that came next: what is not final is replaced by the next words of its side. */
const withWords = (lines: ReadonlyArray<TalkWords>, words: TalkWords): ReadonlyArray<TalkWords> => {
  const open = lines.findLastIndex(({ final, role }) => !final && role === words.role)
  return open < 0 ? [...lines, words] : lines.with(open, words)
}

const worklet = () => document.querySelector("meta[name=talk-worklet]")?.getAttribute("content") ?? undefined

/** A call with a version of an agent by the microphone of this browser, as from a page of one's own. */
export const VoiceTab = ({ app, version }: Props) => {
  const lines = useSignal<ReadonlyArray<TalkWords>>([])
  const inputs = useSignal<Readonly<Record<string, string>>>({})
  const state = useSignal<TalkState | null>(null)
  const outcome = useSignal<{ readonly text: string; readonly isBad: boolean } | null>(null)
  const isMuted = useSignal(false)
  const isGoing = useSignal(false)
  const talk = useRef<Talk | null>(null)
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [lines.value])
  useEffect(() => () => talk.current?.hangUp(), [])

  const call = async () => {
    lines.value = []
    state.value = outcome.value = null
    isMuted.value = false
    isGoing.value = true
    try {
      const values = Object.fromEntries(Object.entries(inputs.value).filter(([, value]) => value !== ""))
      // The token comes first, so that a server without a voice or a transcriber says so before the microphone is asked for.
      const { url } = await api().calls.talk({ agent: app, version: version.app_version, variables: values })
      const { startTalk } = await import("@trunkline/client/talk")
      const file = worklet()
      talk.current = await startTalk({
        url,
        ...(file !== undefined && { worklet: file }),
        onWords: (words) => (lines.value = withWords(lines.value, words)),
        onState: (now) => (state.value = now)
      })
      void talk.current.ended.then(({ by, error }) => {
        talk.current = null
        isGoing.value = false
        outcome.value = error === null
          ? { text: `The call is over, ended by the ${by === "user" ? "person" : by}. It is among the calls.`, isBad: false }
          : { text: error.message, isBad: true }
      })
    } catch (error) {
      isGoing.value = false
      outcome.value = { text: sentenceOf(error), isBad: true }
    }
  }
  const mute = () => {
    isMuted.value = !isMuted.value
    talk.current?.mute(isMuted.value)
  }

  return (
    <div class="live">
      <Card
        title={`Call version ${version.app_version}`}
        actions={
          <>
            {isGoing.value && <Button size="small" onClick={mute}>{isMuted.value ? "Unmute" : "Mute"}</Button>}
            {isGoing.value && <Button size="small" kind="danger" icon="hangUp" onClick={() => talk.current?.hangUp()}>Hang up</Button>}
            {!isGoing.value && lines.value.length > 0 && <Button size="small" icon="phone" onClick={call}>Call again</Button>}
          </>
        }
      >
        <div class="chat talk" aria-live="polite" tabIndex={0} role="log" aria-label="The call">
          {lines.value.length === 0 && !isGoing.value && (
            <Empty title="Nobody has called">
              <p>It is a call with your microphone, as from a page of your own. It is recorded, and tools of the agent really run.</p>
              <Button kind="primary" icon="phone" onClick={call}>Call</Button>
            </Empty>
          )}
          {lines.value.map(({ final, role, text }, index) => (
            <p key={index} class={`bubble ${role}${final ? "" : " muted"}`}>{text}</p>
          ))}
          {isGoing.value && <p class="muted small" role="status">{state.value === null ? "Calling…" : states[state.value]}</p>}
          <div ref={end} />
        </div>
        {outcome.value !== null && <Note kind={outcome.value.isBad ? "bad" : "ok"}><p>{outcome.value.text}</p></Note>}
      </Card>
      <div class="stack">
        {!isGoing.value && (version.variables ?? []).length > 0 && (
          <Card title="Variables to begin with">
            <div class="fields">
              {(version.variables ?? []).map((name) => (
                <Field key={name} label={name}>
                  <input class="input" type="text" value={inputs.value[name] ?? ""} onInput={(event) => (inputs.value = { ...inputs.value, [name]: event.currentTarget.value })} />
                </Field>
              ))}
            </div>
          </Card>
        )}
        {isGoing.value && (
          <Card title="Keys">
            <div class="row">
              {Array.from(keys, (key) => <Button key={key} size="small" label={`Key ${key}`} onClick={() => talk.current?.press(key)}>{key}</Button>)}
            </div>
          </Card>
        )}
      </div>
    </div>
  )
}
