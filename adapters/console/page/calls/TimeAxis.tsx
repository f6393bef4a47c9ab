import { clockText } from "../ui/Time.js"
import type { Piece } from "./axis.js"

interface Props {
  readonly pieces: ReadonlyArray<Piece>
  /** Length of the call in seconds. */
  readonly length: number
  /** Present second of the recording; null without one. */
  readonly position: number | null
  readonly onSeek?: (second: number) => void
}

const lanes = [["agent", "Agent"], ["user", "Person"], ["tool", "Tools"]] as const

const ticksOf = (length: number) => {
  const step = [5, 10, 15, 30, 60, 120, 300, 600].find((each) => length / each <= 8) ?? 900
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step)
}

/** Both sides and the tools of a call on one time axis. */
export const TimeAxis = ({ length, onSeek, pieces, position }: Props) => {
  const whole = Math.max(1, length)
  const left = (second: number) => `${(100 * Math.min(second, whole)) / whole}%`
  return (
    <div class="axis">
      {lanes.filter(([role]) => role !== "tool" || pieces.some((piece) => piece.role === "tool")).map(([role, title]) => (
        <div key={role} class="lane">
          <span class="small muted">{title}</span>
          <div class="track">
            {pieces.filter((piece) => piece.role === role).map(({ from, text, to }) => (
              <button
                key={from}
                class={`piece ${role}`}
                style={{ left: left(from), width: `max(4px, ${(100 * (to - from)) / whole}%)` }}
                title={`${clockText(from)} ${text}`}
                aria-label={`${title} at ${clockText(from)}: ${text.slice(0, 80)}`}
                disabled={onSeek === undefined}
                onClick={() => onSeek?.(from)}
              />
            ))}
            {position !== null && <i class="position" style={{ left: left(position) }} />}
          </div>
        </div>
      ))}
      <div class="lane" aria-hidden="true">
        <span />
        <div class="ticks">
          {ticksOf(whole).map((second) => (
            <span key={second} style={{ left: left(second), transform: `translateX(-${left(second)})` }}>{clockText(second)}</span>
          ))}
        </div>
      </div>
    </div>
  )
}
