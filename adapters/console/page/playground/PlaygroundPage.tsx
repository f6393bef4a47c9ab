import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { api } from "../api/client.js"
import { TrunklineError } from "@trunkline/client"
import { sentenceOf } from "../api/failure.js"
import { useLoad } from "../api/load.js"
import type { ModelName } from "../api/types.js"
import { place, setQuery } from "../state/location.js"
import { Button } from "../ui/Button.js"
import { Card, Empty } from "../ui/Card.js"
import { Field } from "../ui/Field.js"
import { FailureNote, Note } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { answer, type Said } from "./stream.js"

/** Models are chosen from the list of the server. */
const isModel = (name: string): name is ModelName => name !== ""

/** Chat and responses, streamed as they are written, with the time of the first word. */
export const PlaygroundPage = () => {
  const models = useLoad(() => api().models.list(), [])
  const names = models.state.value.data?.data.map(({ id }) => id) ?? []
  const { query } = place.value
  const model = query.get("model") ?? names[0] ?? ""
  const way = query.get("api") === "responses" ? "responses" : "chat"
  const instructions = useSignal("")
  const text = useSignal("")
  const messages = useSignal<ReadonlyArray<Said>>([])
  const problem = useSignal<string | null>(null)
  const timing = useSignal<{ readonly first: number; readonly whole: number } | null>(null)
  const running = useSignal<AbortController | null>(null)
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [messages.value])
  const send = async () => {
    if (!isModel(model)) return
    const controller = new AbortController()
    running.value = controller
    problem.value = null
    const before: ReadonlyArray<Said> = [...messages.value, { role: "user", text: text.value }]
    messages.value = before
    text.value = ""
    const start = performance.now()
    let [whole, first] = ["", 0]
    try {
      for await (const piece of answer({ way, model, instructions: instructions.value, said: before, signal: controller.signal })) {
        if (piece !== "" && first === 0) first = performance.now() - start
        whole += piece
        messages.value = [...before, { role: "assistant", text: whole }]
      }
      timing.value = { first, whole: performance.now() - start }
    } catch (error) {
      if (!controller.signal.aborted) problem.value = sentenceOf(error) + (error instanceof TrunklineError && error.requestId ? ` (request ${error.requestId})` : "")
    } finally {
      running.value = null
    }
  }
  return (
    <>
      <PageHead title="Playground">
        {messages.value.length > 0 && <Button onClick={() => (messages.value = [])}>Begin anew</Button>}
      </PageHead>
      <FailureNote failure={models.state.value.failure} onRetry={models.reload} />
      <div class="live">
        <Card>
          <div class="chat" aria-live="polite">
            {messages.value.length === 0 && <Empty title="Say something"><p>The answer is streamed as the model writes it.</p></Empty>}
            {messages.value.map(({ role, text: words }, index) => <p key={index} class={`bubble ${role}`}>{words}</p>)}
            <div ref={end} />
          </div>
          {problem.value && <Note kind="bad"><p>{problem.value}</p></Note>}
          <form
            class="tight"
            onSubmit={(event) => {
              event.preventDefault()
              void send()
            }}
          >
            <textarea
              class="input"
              aria-label="Message"
              placeholder="Message"
              value={text.value}
              onInput={(event) => (text.value = event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || event.shiftKey || text.value.trim() === "") return
                event.preventDefault()
                void send()
              }}
            />
            <div class="spread">
              <span class="small muted number">
                {timing.value && `First word after ${Math.round(timing.value.first)} ms, whole after ${Math.round(timing.value.whole)} ms`}
              </span>
              {running.value === null
                ? <Button kind="primary" type="submit" disabled={text.value.trim() === "" || model === ""}>Send</Button>
                : <Button icon="stop" onClick={() => running.value?.abort()}>Stop</Button>}
            </div>
          </form>
        </Card>
        <Card title="Settings">
          <Field label="Interface">
            <select class="input" value={way} onChange={(event) => setQuery({ api: event.currentTarget.value })}>
              <option value="chat">Chat completions</option>
              <option value="responses">Responses</option>
            </select>
          </Field>
          <Field label="Model">
            <select class="input" value={model} onChange={(event) => setQuery({ model: event.currentTarget.value })}>
              {names.map((name) => <option key={name} value={name}>{name}</option>)}
            </select>
          </Field>
          <Field label="Instructions" hint="What the model is told before the talk.">
            <textarea class="input" value={instructions.value} onInput={(event) => (instructions.value = event.currentTarget.value)} />
          </Field>
        </Card>
      </div>
    </>
  )
}
