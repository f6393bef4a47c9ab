import { Card } from "../ui/Card.js"
import { numberText } from "../ui/Time.js"
import type { AnswerSteps } from "./axis.js"

const tones = ["heard", "asked", "word", "sound"]

/** How long each step of each answer took: from the last voice of the person to the first sound of the agent. */
export const Waterfall = ({ answers }: { readonly answers: ReadonlyArray<AnswerSteps> }) => {
  const longest = Math.max(1, ...answers.map(({ whole }) => whole))
  return (
    <Card title="Answers, step by step">
      <div class="row small muted legend">
        {["Words understood", "Model's first word", "First clause", "First sound"].map((title, index) => (
          <span key={title} class="row"><i class={`key ${tones[index] ?? ""}`} />{title}</span>
        ))}
      </div>
      <ol class="waterfall">
        {answers.map(({ at, steps, text, whole }) => (
          <li key={at}>
            <span class="cut" title={text}>{text}</span>
            <div class="track" role="img" aria-label={`${steps.map(({ title, to }) => `${title} after ${Math.round(to)} ms`).join(", ")}`}>
              {steps.map(({ from, title, to }) => (
                <i
                  key={title}
                  class={`step ${tones[["Words understood", "Model's first word", "First clause", "First sound"].indexOf(title)] ?? ""}`}
                  style={{ left: `${(100 * from) / longest}%`, width: `${(100 * (to - from)) / longest}%` }}
                  title={`${title}: ${numberText(Math.round(to - from))} ms`}
                />
              ))}
            </div>
            <span class="number small">{numberText(Math.round(whole))} ms</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
