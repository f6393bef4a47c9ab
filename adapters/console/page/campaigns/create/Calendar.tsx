import type { Draft } from "./Draft.js"

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const

const minutesOf = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(":").map(Number)
  return hours * 60 + minutes
}

/** The days of a campaign with the hours in which calls would happen, in its own zone. */
export const Calendar = ({ draft: { days, schedule } }: { readonly draft: Draft }) => {
  const [from, until] = [minutesOf(schedule.allowed_start_time), minutesOf(schedule.allowed_end_time)]
  const shown = Math.min(14, Math.max(1, Number(days) || 1))
  const cells = Array.from({ length: shown }, (_, index) => {
    const date = new Date(Date.now() + index * 86_400_000)
    const zone = schedule.timezone ? { timeZone: schedule.timezone } : {}
    try {
      const name = new Intl.DateTimeFormat("en", { weekday: "long", ...zone }).format(date)
      const text = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short", ...zone }).format(date)
      return { text, isOpen: schedule.allowed_days.some((day) => day === name) && dayNames.some((day) => day === name) }
    } catch {
      return { text: String(index + 1), isOpen: false }
    }
  })
  return (
    <div class="tight">
      <p class="small muted">Calls happen in the coloured hours of these days.</p>
      <div class="calendar" role="list" aria-label="When calls would happen">
        {cells.map(({ isOpen, text }) => (
          <div
            key={text}
            role="listitem"
            aria-label={`${text}: ${isOpen ? `${schedule.allowed_start_time} to ${schedule.allowed_end_time}` : "no calls"}`}
          >
            <span class="small">{text}</span>
            <div class="hours">
              {isOpen && until > from && (
                <i style={{ top: `${(100 * from) / 1440}%`, height: `${(100 * (until - from)) / 1440}%` }} />
              )}
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
