import type { FieldError } from "@trunkline/client"
import { Field } from "../../ui/Field.js"
import { ScheduleFields } from "../Schedule.js"
import { Calendar } from "./Calendar.js"
import type { Draft } from "./Draft.js"

interface Props {
  readonly draft: Draft
  readonly onChange: (changes: Partial<Draft>) => void
  readonly issues: ReadonlyArray<FieldError>
}

/** Conduct when a machine answers. */
const machineChoices = [
  ["", "Are not looked for"],
  ["report", "Only in the record of the call"],
  ["hang_up", "Hang up"],
  ["leave_message", "Leave a message"]
] as const

/** When people are called, how fast, and how often again. */
export const HoursStep = ({ draft, issues, onChange }: Props) => {
  const number = (name: "rate" | "retries" | "interval" | "days", min: string, step = "1") => (
    <input
      class="input"
      type="number"
      min={min}
      step={step}
      value={draft[name]}
      onInput={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <div class="stack">
      <ScheduleFields value={draft.schedule} onChange={(schedule) => onChange({ schedule })} issues={issues} />
      <Calendar draft={draft} />
      <div class="fields">
        <Field label="Dials a second, at most" path="app_config.attempts_per_second" issues={issues}>{number("rate", "0.1", "0.1")}</Field>
        <Field label="Days until it ends" path="end_timestamp" issues={issues}>{number("days", "1")}</Field>
        <Field label="Retries of a person" path="app_config.retry_config.max_retries" issues={issues}>{number("retries", "0")}</Field>
        <Field label="Minutes between them" path="app_config.retry_config.retry_interval_minutes" issues={issues}>{number("interval", "1")}</Field>
      </div>
      <Field
        label="Answering machines"
        hint="With a choice, the agent finds out who has answered before it speaks."
        path="app_config.answer_handling.machine.action"
        issues={issues}
      >
        <select
          class="input"
          value={draft.machines}
          onChange={(event) => {
            const machines = machineChoices.find(([choice]) => choice === event.currentTarget.value)?.[0] ?? ""
            onChange({ machines })
          }}
        >
          {machineChoices.map(([choice, text]) => <option key={choice} value={choice}>{text}</option>)}
        </select>
      </Field>
      {draft.machines === "leave_message" && (
        <Field label="Message" path="app_config.answer_handling.machine.message" issues={issues}>
          <textarea class="input" rows={3} value={draft.message} onInput={(event) => onChange({ message: event.currentTarget.value })} />
        </Field>
      )}
      <Field label="Webhook" hint="Receives the result of every call. Optional." path="app_config.webhook_config.url" issues={issues}>
        <input
          class="input"
          type="text"
          inputMode="url"
          placeholder="https://example.com/webhooks/trunkline"
          value={draft.webhook}
          onInput={(event) => onChange({ webhook: event.currentTarget.value })}
        />
      </Field>
    </div>
  )
}
