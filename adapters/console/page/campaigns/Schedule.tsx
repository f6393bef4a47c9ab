import type { FieldError } from "@trunkline/client"
import type { AllowedSchedule } from "../api/types.js"
import { Field } from "../ui/Field.js"
import { viewerZone } from "../ui/Time.js"

type Day = AllowedSchedule["allowed_days"][number]

const days: ReadonlyArray<Day> = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

const zones = Intl.supportedValuesOf("timeZone")

/** Weekdays from nine to six in the zone of the viewer. */
export const usualSchedule: AllowedSchedule = {
  allowed_start_time: "09:00",
  allowed_end_time: "18:00",
  allowed_days: days.slice(0, 5),
  timezone: viewerZone
}

interface Props {
  readonly value: AllowedSchedule
  readonly onChange: (value: AllowedSchedule) => void
  readonly issues: ReadonlyArray<FieldError>
  readonly disabled?: boolean
}

/** Hours and days in which people may be called, in the zone of the campaign. */
export const ScheduleFields = ({ disabled = false, issues, onChange, value }: Props) => {
  const toggle = (day: Day) => {
    const allowed_days = days.filter((each) => (each === day) !== value.allowed_days.includes(each))
    onChange({ ...value, allowed_days })
  }
  return (
    <fieldset class="stack" disabled={disabled} style={{ border: 0, margin: 0, padding: 0 }}>
      <div class="fields">
        <Field label="From" path="allowed_schedule.allowed_start_time" issues={issues}>
          <input
            class="input"
            type="text"
            inputMode="numeric"
            placeholder="09:00"
            value={value.allowed_start_time}
            onInput={(event) => onChange({ ...value, allowed_start_time: event.currentTarget.value })}
          />
        </Field>
        <Field label="Until" hint="24:00 is the end of the day." path="allowed_schedule.allowed_end_time" issues={issues}>
          <input
            class="input"
            type="text"
            inputMode="numeric"
            placeholder="18:00"
            value={value.allowed_end_time}
            onInput={(event) => onChange({ ...value, allowed_end_time: event.currentTarget.value })}
          />
        </Field>
        <Field label="Time zone" path="allowed_schedule.timezone" issues={issues}>
          <input
            class="input"
            type="text"
            list="time-zones"
            value={value.timezone ?? ""}
            onInput={(event) => onChange({ ...value, timezone: event.currentTarget.value })}
          />
        </Field>
      </div>
      <datalist id="time-zones">{zones.map((zone) => <option key={zone} value={zone} />)}</datalist>
      <div class="tight" role="group" aria-label="Days">
        <div class="choices">
          {days.map((day) => (
            <label key={day} class="choice">
              <input type="checkbox" checked={value.allowed_days.includes(day)} onChange={() => toggle(day)} />
              {day.slice(0, 3)}
            </label>
          ))}
        </div>
      </div>
    </fieldset>
  )
}
