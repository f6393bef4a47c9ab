import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { api } from "../api/client.js"
import { failureOf } from "../api/failure.js"
import type { AgentVersion, TalkAnswer } from "../api/types.js"
import { type WholeInput, wholeInputs } from "../calls/exchange.js"
import { ModelInputView } from "../calls/ModelInputView.js"
import { Badge, wordsOf } from "../ui/Badge.js"
import { Button } from "../ui/Button.js"
import { Card, Empty } from "../ui/Card.js"
import { Field } from "../ui/Field.js"
import { FailureNote, Note } from "../ui/Note.js"
import { numberText } from "../ui/Time.js"

interface Props {
  readonly app: string
  readonly version: AgentVersion
}

type Line =
  | TalkAnswer["events"][number]
  | { readonly type: "person"; readonly text: string }
  | { readonly type: "model"; readonly inputs: ReadonlyArray<WholeInput> }

const Values = ({ values }: { readonly values: TalkAnswer["agent_variables"] }) => {
  const entries = Object.entries(values)
  if (entries.length === 0) return <p class="muted">None yet.</p>
  return (
    <dl class="facts">
      {entries.flatMap(([name, value]) => [<dt key={name} class="mono">{name}</dt>, <dd key={`${name} value`}>{String(value ?? "–")}</dd>])}
    </dl>
  )
}

const Bubble = ({ line }: { readonly line: Line }) => {
  if (line.type === "person") return <p class="bubble user">{line.text === "" ? <i class="muted">Silence</i> : line.text}</p>
  if (line.type === "said") return <p class="bubble">{line.text}</p>
  if (line.type === "model") {
    return (
      <details class="bubble tool wide">
        <summary>What the model was sent{line.inputs.length > 1 && `, ${line.inputs.length} times`}</summary>
        {line.inputs.map((input, index) => <ModelInputView key={index} input={input} />)}
      </details>
    )
  }
  return (
    <details class="bubble tool">
      <summary>Used <b class="mono">{line.name}</b></summary>
      <pre class="code">{line.arguments}</pre>
      <pre class="code">{line.result}</pre>
    </details>
  )
}

/** A talk with a version of an agent by text, with its step, variables and tools as it goes. */
export const TalkTab = ({ app, version }: Props) => {
  const lines = useSignal<ReadonlyArray<Line>>([])
  const last = useSignal<TalkAnswer | null>(null)
  const inputs = useSignal<Readonly<Record<string, string>>>({})
  const text = useSignal("")
  const failure = useSignal<ReturnType<typeof failureOf> | undefined>(undefined)
  const isWaiting = useSignal(false)
  const sent = useRef<ReadonlyArray<TalkAnswer["model_inputs"][number]>>([])
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [lines.value])
  const isGoing = last.value?.status === "listening"
  const ask = async (words: string | null, body: Parameters<ReturnType<typeof api>["agents"]["talk"]>[1]) => {
    failure.value = undefined
    isWaiting.value = true
    if (words !== null) lines.value = [...lines.value, { type: "person", text: words }]
    try {
      const answer = await api().agents.talk(app, body)
      sent.current = [...sent.current, ...answer.model_inputs]
      // Each request tells its difference to the one before, in the whole talk.
      const inputs = wholeInputs(sent.current).slice(sent.current.length - answer.model_inputs.length)
      lines.value = [...lines.value, ...answer.events, ...(inputs.length > 0 ? [{ type: "model" as const, inputs }] : [])]
      last.value = answer
    } catch (error) {
      failure.value = failureOf(error)
      if (failure.value.status === 404) last.value = null
    } finally {
      isWaiting.value = false
    }
  }
  const begin = () => {
    lines.value = []
    last.value = null
    sent.current = []
    const values = Object.fromEntries(Object.entries(inputs.value).filter(([, value]) => value !== ""))
    return ask(null, { app_version: version.app_version, agent_variables: values })
  }
  const talk = last.value?.talk_id
  const send = () => {
    const words = text.value
    text.value = ""
    return ask(words, { ...(talk !== undefined && { talk_id: talk }), text: words })
  }
  const hangUp = () => ask(null, { ...(talk !== undefined && { talk_id: talk }), hang_up: true })
  const outcome = last.value?.outcome ?? null
  return (
    <div class="live">
      <Card
        title={`Talk with version ${version.app_version}`}
        actions={
          <>
            {isGoing && <Badge code="talking" live />}
            {isGoing && <Button size="small" kind="danger" icon="hangUp" onClick={hangUp}>Hang up</Button>}
            {!isGoing && lines.value.length > 0 && <Button size="small" onClick={begin}>Begin anew</Button>}
          </>
        }
      >
        <FailureNote failure={failure.value} />
        <div class="chat talk" aria-live="polite" tabIndex={0} role="log" aria-label="The talk">
          {lines.value.length === 0 && !isWaiting.value && (
            <Empty title="Nobody has spoken">
              <p>It is the conversation of a call, by text. Tools of the agent really run.</p>
              <Button kind="primary" onClick={begin}>Begin</Button>
            </Empty>
          )}
          {lines.value.map((line, index) => <Bubble key={index} line={line} />)}
          {isWaiting.value && <p class="muted small">The agent thinks…</p>}
          <div ref={end} />
        </div>
        {outcome !== null && (
          <Note kind={outcome.fault === null ? "ok" : "bad"}>
            <p>
              {outcome.fault ?? `The talk is over: ${outcome.agent_done ? "the agent reached its goal" : "the goal was not reached"}, ended by the ${outcome.ended_by === "user" ? "person" : outcome.ended_by}.`}
            </p>
          </Note>
        )}
        {isGoing && (
          <form
            class="row nowrap"
            onSubmit={(event) => {
              event.preventDefault()
              if (!isWaiting.value) void send()
            }}
          >
            <input class="input" type="text" aria-label="Words of the person" placeholder="Say something; nothing is a silence" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
            <Button kind="primary" type="submit" disabled={isWaiting.value}>Say</Button>
          </form>
        )}
      </Card>
      <div class="stack">
        {!isGoing && (version.variables ?? []).length > 0 && (
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
        <Card title="State">
          <dl class="facts">
            <dt>Step</dt><dd class="mono">{last.value?.step ?? "–"}</dd>
            <dt>Latest answer</dt><dd class="number">{last.value === null ? "–" : `after ${numberText(last.value.took)} ms`}</dd>
            <dt>Tokens</dt><dd class="number">{last.value === null ? "–" : `${numberText(last.value.tokens.input)} in, ${numberText(last.value.tokens.output)} out`}</dd>
            {outcome !== null && (
              <>
                <dt>Ended by</dt><dd>{wordsOf(outcome.ended_by)}</dd>
              </>
            )}
          </dl>
        </Card>
        <Card title="Collected"><Values values={last.value?.output_agent_variables ?? {}} /></Card>
        <Card title="Variables"><Values values={last.value?.agent_variables ?? {}} /></Card>
      </div>
    </div>
  )
}
