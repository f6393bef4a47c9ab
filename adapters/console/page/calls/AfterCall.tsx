import type { AttemptDetail } from "../api/types.js"
import { Badge } from "../ui/Badge.js"
import { Card } from "../ui/Card.js"

type Extraction = NonNullable<AttemptDetail["extraction"]>

const sources = { call: "said in the call", model: "found after the call" } as const

const account = ({ duration_seconds, model, tries, usage }: Extraction): string =>
  [
    ...(model === null ? [] : [model]),
    ...(tries === 0 ? [] : [tries === 1 ? "1 request" : `${tries} requests`]),
    ...(usage === null ? [] : [`${usage.input_tokens + usage.output_tokens} tokens`]),
    ...(duration_seconds === null ? [] : [`${duration_seconds.toFixed(1)} s after the end`])
  ].join(" · ")

/** Output variables in their types, with what has set each. */
const Outputs = ({ call, extraction }: { readonly call: AttemptDetail; readonly extraction: Extraction }) => (
  <dl class="facts">
    {extraction.variables.flatMap(({ name, source, type }) => [
      <dt key={name} class="mono">{name}</dt>,
      <dd key={`${name} value`}>
        {String(call.output_variables?.[name] ?? "–")} <span class="muted small">{type}{source && `, ${sources[source]}`}</span>
      </dd>
    ])}
  </dl>
)

/** Findings of a model about a call after its end; nothing of agents that want nothing. */
export const AfterCall = ({ call }: { readonly call: AttemptDetail }) => {
  const { extraction, summary } = call
  if (extraction === null) return null
  return (
    <Card title="After the call" actions={<Badge code={extraction.status} live={extraction.status === "pending"} />}>
      {summary !== null && <p>{summary}</p>}
      {extraction.reason !== null && <p class="muted">{extraction.reason}.</p>}
      {extraction.status === "pending" && <p class="muted">A model is asked about this call.</p>}
      {extraction.variables.length > 0 && <Outputs call={call} extraction={extraction} />}
      {account(extraction) !== "" && <p class="muted small">{account(extraction)}</p>}
    </Card>
  )
}
