import { signal } from "@preact/signals"

/** Present time, once a second while the tab is visible. */
export const now = signal(Date.now())

setInterval(() => {
  if (document.visibilityState === "visible") now.value = Date.now()
}, 1000)

const dates = new Map<string, Intl.DateTimeFormat>()

const formatOf = (hasYear: boolean, timeZone = "") => {
  const name = `${hasYear} ${timeZone}`
  const cached = dates.get(name)
  if (cached !== undefined) return cached
  const format = new Intl.DateTimeFormat(undefined, {
    ...(hasYear && { year: "numeric" }),
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    ...(timeZone !== "" && { timeZone })
  })
  dates.set(name, format)
  return format
}

/** A moment in a time zone, the viewer's by default; without the year when it is the present one. */
export const momentText = (iso: string, timeZone?: string): string => {
  const at = new Date(iso)
  return formatOf(at.getFullYear() !== new Date(now.peek()).getFullYear(), timeZone).format(at)
}

/** A sentence of the server with its moments as people write them, in the zone of the viewer. */
export const withMoments = (sentence: string): string =>
  sentence.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*Z/g, (iso) => momentText(iso))

/** Zone of the viewer. */
export const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone

interface Props {
  readonly iso: string | null | undefined
  /** Zone of the campaign, which is shown beside the viewer's where they differ. */
  readonly zone?: string
}

/** A moment in the viewer's zone, and in that of the campaign. */
export const Time = ({ iso, zone }: Props) => {
  if (!iso) return <span class="muted">–</span>
  const other = zone !== undefined && zone !== viewerZone ? momentText(iso, zone) : null
  return (
    <time dateTime={iso} class="nowrap" title={`${iso} (${viewerZone})`}>
      {momentText(iso)}
      {other !== null && other !== momentText(iso) && <span class="muted small"> · {other} {zone}</span>}
    </time>
  )
}

/** Seconds as `0:07`, `12:03` or `1:02:03`. */
export const clockText = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const tail = `${String(minutes).padStart(hours > 0 ? 2 : 1, "0")}:${String(rest).padStart(2, "0")}`
  return hours > 0 ? `${hours}:${tail}` : tail
}

/** A span in words: "3 h 20 min". */
export const spanText = (milliseconds: number): string => {
  const minutes = Math.round(milliseconds / 60_000)
  if (minutes < 1) return "less than a minute"
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  return [days > 0 && `${days} d`, hours > 0 && `${hours} h`, days === 0 && rest > 0 && `${rest} min`].filter(Boolean).join(" ")
}

const numbers = new Intl.NumberFormat()

export const numberText = (value: number): string => numbers.format(value)

/** A share as "42 %"; a dash of nothing. */
export const shareText = (part: number, whole: number): string => (whole === 0 ? "–" : `${Math.round((100 * part) / whole)} %`)
