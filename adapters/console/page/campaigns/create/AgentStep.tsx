import type { FieldError } from "@trunkline/client"
import type { Agent, LineDetail } from "../../api/types.js"
import { Field } from "../../ui/Field.js"
import type { Draft } from "./Draft.js"

interface Props {
  readonly draft: Draft
  readonly onChange: (changes: Partial<Draft>) => void
  readonly agents: ReadonlyArray<Agent>
  readonly lines: ReadonlyArray<LineDetail>
  readonly issues: ReadonlyArray<FieldError>
}

const committed = (agent: Agent | undefined) =>
  (agent?.versions ?? []).filter(({ committed }) => committed).map(({ app_version }) => app_version)

const newestOf = (agent: Agent | undefined) => Math.max(1, ...committed(agent))

/** Choices that are none: the only agent, and the only line with its numbers. */
export const onlyChoices = (agents: ReadonlyArray<Agent>, lines: ReadonlyArray<LineDetail>): Partial<Draft> => {
  const [agent, line] = [agents.length === 1 ? agents[0] : undefined, lines.length === 1 ? lines[0] : undefined]
  return {
    ...(agent && { app: agent.app_id, version: newestOf(agent) }),
    ...(line && { line: line.connection_id, numbers: line.phone_numbers })
  }
}

/** Who calls, and from which number. */
export const AgentStep = ({ agents, draft, issues, lines, onChange }: Props) => {
  const agent = agents.find(({ app_id }) => app_id === draft.app)
  const line = lines.find(({ connection_id }) => connection_id === draft.line)
  const choose = (app: string) => {
    onChange({ app, version: newestOf(agents.find(({ app_id }) => app_id === app)) })
  }
  return (
    <div class="stack">
      <Field label="Name of the campaign" path="name" issues={issues}>
        <input
          class="input"
          type="text"
          maxLength={50}
          placeholder="December reminders"
          value={draft.name}
          onInput={(event) => onChange({ name: event.currentTarget.value })}
        />
      </Field>
      <div class="fields">
        <Field label="Agent" path="app_config.app_id" issues={issues}>
          <select class="input" value={draft.app} onChange={(event) => choose(event.currentTarget.value)}>
            <option value="">Choose an agent</option>
            {agents.map(({ app_id, name }) => <option key={app_id} value={app_id}>{name ?? app_id}</option>)}
          </select>
        </Field>
        <Field label="Version" hint="Only committed versions call." path="app_config.app_version" issues={issues}>
          <select class="input" value={draft.version} onChange={(event) => onChange({ version: Number(event.currentTarget.value) })}>
            {committed(agent).map((version) => <option key={version} value={version}>{version}</option>)}
          </select>
        </Field>
        <Field label="Line" path="app_config.connection_configs" issues={issues}>
          <select
            class="input"
            value={draft.line}
            onChange={(event) => {
              const chosen = lines.find(({ connection_id }) => connection_id === event.currentTarget.value)
              onChange({ line: event.currentTarget.value, numbers: chosen?.phone_numbers ?? [] })
            }}
          >
            <option value="">Choose a line</option>
            {lines.map(({ connection_id, provider }) => <option key={connection_id} value={connection_id}>{connection_id} ({provider})</option>)}
          </select>
        </Field>
      </div>
      {line && (
        <div class="tight" role="group" aria-label="Numbers to call from">
          <h3>Numbers to call from</h3>
          <div class="choices">
            {line.phone_numbers.map((number) => (
              <label key={number} class="choice">
                <input
                  type="checkbox"
                  checked={draft.numbers.includes(number)}
                  onChange={(event) =>
                    onChange({
                      numbers: event.currentTarget.checked
                        ? [...draft.numbers, number]
                        : draft.numbers.filter((each) => each !== number)
                    })}
                />
                {number}
              </label>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}
