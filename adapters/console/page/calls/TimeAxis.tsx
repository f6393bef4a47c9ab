import type { ComponentChildren } from "preact"
import { clockText } from "../ui/Time.js"
import type { Piece, TurnMark } from "./axis.js"
import { turnEndText } from "./exchange.js"

interface Props {
  readonly pieces: ReadonlyArray<Piece>
  readonly marks: ReadonlyArray<TurnMark>
  /** Length of the call in seconds. */
  readonly length: number
  /** Present second of the recording; null without one. */
  readonly position: number | null
  readonly onSeek?: (second: number) => void
  /** Sound of the call, above its sides. */
  readonly children?: ComponentChildren
}

const lanes = [["agent", "Agent"], ["user", "Person"], ["tool", "Tools"]] as const

const ticksOf = (length: number) => {
  const step = [5, 10, 15, 30, 60, 120, 300, 600].find((each) => length / each <= 8) ?? 900
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step)
}

/** Sound, both sides with the ends of turns, and the tools of a call on one time axis. */
export const TimeAxis = ({ children, length, marks, onSeek, pieces, position }: Props) => {
  const whole = Math.max(1, length)
  const offset = (second: number) => `${(100 * Math.min(second, whole)) / whole}%`
  return (
    <div class="axis">
      {children}
      {lanes.filter(([role]) => role !== "tool" || pieces.some((piece) => piece.role === "tool")).map(([role, title]) => (
        <div key={role} class="lane">
          <span class="small muted">{title}</span>
          <div class="track">
            {pieces.filter((piece) => piece.role === role).map(({ from, text, to }) => (
              <button
                key={from}
                class={`piece ${role}`}
                style={{ left: offset(from), width: `max(4px, ${(100 * (to - from)) / whole}%)` }}
                title={`${clockText(from)} ${text}`}
                aria-label={`${title} at ${clockText(from)}: ${text.slice(0, 80)}`}
                disabled={onSeek === undefined}
                onClick={() => onSeek?.(from)}
              />
            ))}
            {role === "user" && marks.map(({ at, end }) => (
              <i key={at} class="turn-mark" style={{ left: offset(at) }} title={`${clockText(at)} The turn was over. ${turnEndText(end)}`} />
            ))}
            {position !== null && <i class="position" style={{ left: offset(position) }} />}
          </div>
        </div>
      ))}
      <div class="lane" aria-hidden="true">
        <span />
        <div class="ticks">
          {ticksOf(whole).map((second) => (
            <span key={second} style={{ left: offset(second), transform: `translateX(-${offset(second)})` }}>{clockText(second)}</span>
          ))}
        </div>
      </div>
    </div>
  )
}
