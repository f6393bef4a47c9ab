import { place, setQuery } from "../state/location.js"
import { Badge } from "../ui/Badge.js"
import { Card } from "../ui/Card.js"
import { numberText } from "../ui/Time.js"
import type { AnswerSteps } from "./axis.js"
import { type Exchange, type TurnEnd, turnEndText } from "./exchange.js"
import { ModelInputView } from "./ModelInputView.js"

const tones: Readonly<Record<string, string>> = {
  "Words understood": "heard",
  "Model's first word": "asked",
  "First clause": "word",
  "First sound": "sound"
}

interface TrackProps {
  readonly end: TurnEnd | null
  readonly longest: number
  readonly steps: AnswerSteps
}

const Track = ({ end, longest, steps: { steps } }: TrackProps) => (
  <div class="track" role="img" aria-label={steps.map(({ title, to }) => `${title} after ${Math.round(to)} ms`).join(", ")}>
    {steps.map(({ from, title, to }) => (
      <i
        key={title}
        class={`step ${tones[title] ?? ""}`}
        style={{ left: `${(100 * from) / longest}%`, width: `${(100 * (to - from)) / longest}%` }}
        title={`${title}: ${numberText(Math.round(to - from))} ms`}
      />
    ))}
    {end !== null && <i class="turn-mark" style={{ left: `${(100 * end.waited_ms) / longest}%` }} title={`The turn was over after ${numberText(Math.round(end.waited_ms))} ms`} />}
  </div>
)

const TurnEndNote = ({ end, steps }: { readonly end: TurnEnd | null; readonly steps: AnswerSteps | null }) => (
  <section class="tight">
    <h3>Why the turn ended here</h3>
    {end === null ? <p class="muted">Calls by text have turns without sound: each ends with its words.</p> : (
      <>
        <p>{turnEndText(end)}</p>
        <dl class="facts small">
          <dt>Rule</dt><dd class="mono">{end.rule}</dd>
          <dt>Waited</dt><dd class="number">{numberText(Math.round(end.waited_ms))} ms</dd>
          {end.required_ms !== null && <><dt>Asked for</dt><dd class="number">{numberText(end.required_ms)} ms</dd></>}
          {end.completeness !== null && <><dt>Words</dt><dd>{end.completeness}</dd></>}
          {end.spoken_ms !== null && <><dt>Spoken</dt><dd class="number">{numberText(Math.round(end.spoken_ms))} ms</dd></>}
          <dt>Answer</dt><dd>{end.prepared ? "Prepared while the turn could still go on" : "Asked for after the end"}</dd>
        </dl>
      </>
    )}
    {steps !== null && (
      <dl class="facts small">
        {steps.steps.flatMap(({ title, to }) => [
          <dt key={title} class="row nowrap"><i class={`key ${tones[title] ?? ""}`} />{title}</dt>,
          <dd key={`${title} at`} class="number">{numberText(Math.round(to))} ms</dd>
        ])}
      </dl>
    )}
  </section>
)

const failed = ({ inputs }: Exchange) => inputs.some(({ sent }) => sent.outcome === "failed")

const Row = ({ exchange, longest }: { readonly exchange: Exchange; readonly longest: number }) => {
  const { answer, end, inputs, place: turn, said, steps } = exchange
  return (
    <details
      class="exchange"
      open={place.value.query.get("turn") === String(turn)}
      onToggle={({ currentTarget: { open } }) => {
        const isShown = place.peek().query.get("turn") === String(turn)
        if (open !== isShown) setQuery({ turn: open ? String(turn) : null })
      }}
    >
      <summary>
        <span class="words">
          <span class="cut said" title={said ?? ""}>{said ?? "The agent begins"}</span>
          <span class="cut small muted" title={answer ?? ""}>{answer ?? "No answer was heard"}</span>
        </span>
        {steps === null ? <span /> : <Track end={end} steps={steps} longest={longest} />}
        <span class="number small">
          {failed(exchange) ? <Badge code="failed" /> : steps === null ? `${inputs.length} × model` : `${numberText(Math.round(steps.whole))} ms`}
        </span>
      </summary>
      <div class="inside">
        <TurnEndNote end={end} steps={steps} />
        <section class="tight">
          <h3>What the model was sent</h3>
          {inputs.length === 0
            ? <p class="muted">Nothing: the agent answered by its script, or what models are sent is not kept.</p>
            : inputs.map((input, index) => <ModelInputView key={index} input={input} />)}
        </section>
      </div>
    </details>
  )
}

/** Each turn of a call, which opens to why it ended and to what the model was sent, with how long each step of its answer took. */
export const Exchanges = ({ exchanges }: { readonly exchanges: ReadonlyArray<Exchange> }) => {
  const longest = Math.max(1, ...exchanges.map(({ steps }) => steps?.whole ?? 0))
  return (
    <Card title="Turns, step by step">
      {exchanges.some(({ steps }) => steps !== null) && (
        <div class="row small muted legend">
          {Object.entries(tones).map(([title, tone]) => (
            <span key={title} class="row"><i class={`key ${tone}`} />{title}</span>
          ))}
        </div>
      )}
      <div class="waterfall">
        {exchanges.map((exchange) => <Row key={exchange.place} exchange={exchange} longest={longest} />)}
      </div>
    </Card>
  )
}
