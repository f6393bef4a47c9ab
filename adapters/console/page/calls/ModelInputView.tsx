import { Badge } from "../ui/Badge.js"
import { Note } from "../ui/Note.js"
import { numberText } from "../ui/Time.js"
import type { WholeInput } from "./exchange.js"

type InputMessage = WholeInput["messages"][number]

const names: Readonly<Record<string, string>> = { user: "Person", assistant: "Agent", tool: "Tool" }

const SentMessage = ({ message: { content, role, tool_calls = [], tool_name } }: { readonly message: InputMessage }) => (
  <li class={`turn ${role}`}>
    <span class="who">{names[role] ?? role}{tool_name ? ` ${tool_name}` : ""}</span>
    {content !== null && <p class={role === "tool" ? "mono" : undefined}>{content}</p>}
    {tool_calls.map((call, index) => <code key={index}>{call.name} {call.arguments}</code>)}
  </li>
)

const tokensOf = ({ sent: { input_tokens, output_tokens } }: WholeInput): ReadonlyArray<string> => [
  ...(input_tokens === null ? [] : [`${numberText(input_tokens)} tokens read`]),
  ...(output_tokens === null ? [] : [`${numberText(output_tokens)} written`])
]

/** One request to the model: its instructions, its messages with those of earlier requests folded, and what came of it. */
export const ModelInputView = ({ input }: { readonly input: WholeInput }) => {
  const { messages, options, sent, system, tools } = input
  const set = Object.entries(options).map(([name, value]) => `${name} ${value ?? "none"}`)
  const [before, added] = [messages.slice(0, sent.kept_messages), messages.slice(sent.kept_messages)]
  return (
    <article class="sent">
      <p class="row small">
        <b class="mono">{sent.model}</b>
        {sent.outcome !== "answered" && <Badge code={sent.outcome} />}
        <span class="muted">{[...tokensOf(input), ...set].join(" · ")}</span>
      </p>
      {sent.failure !== null && <Note kind="warn"><p>{sent.failure}</p></Note>}
      {sent.outcome === "given_up" && <p class="small muted">The person went on, or the call ended, before it answered.</p>}
      <details>
        <summary>Instructions{sent.system === undefined ? ", as before" : ""} <span class="muted small">{numberText(system.length)} characters</span></summary>
        <pre class="code" tabIndex={0} aria-label="Instructions">{system}</pre>
        {tools.length > 0 && <p class="small muted">Tools: <span class="mono">{tools.join(", ")}</span></p>}
      </details>
      {before.length > 0 && (
        <details>
          <summary>{before.length} messages as before</summary>
          <ol class="turns">{before.map((message, index) => <SentMessage key={index} message={message} />)}</ol>
        </details>
      )}
      <ol class="turns">{added.map((message, index) => <SentMessage key={index} message={message} />)}</ol>
      {sent.omitted > 0 && <p class="small muted">{numberText(sent.omitted)} characters were left out of the record, since they were too many.</p>}
    </article>
  )
}
