import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { api, blobOf } from "../api/client.js"
import { failureOf } from "../api/failure.js"
import { theme } from "../state/theme.js"

type Peaks = ReadonlyArray<ReadonlyArray<number>>

/** The sound of a call, once it is loaded. */
export interface Sound {
  readonly url: string
  readonly peaks: Peaks
  /** In seconds; a call may be shorter, such as one that was recorded from its ringing on. */
  readonly length: number
}

const parts = 600

/** Loads the recording of a call with the key, which a player could not send by itself; null while it loads, and without one. */
export const useSound = (app: string, interaction: string | null) => {
  const sound = useSignal<Sound | null>(null)
  const failure = useSignal<ReturnType<typeof failureOf> | undefined>(undefined)
  useEffect(() => {
    if (interaction === null) return
    let url: string | undefined
    let isCurrent = true
    const load = async () => {
      const blob = await blobOf(api().analytics.recording(app, interaction))
      const { peaksOf } = await import("./waveform.js")
      const { length, peaks } = await peaksOf(blob, parts)
      if (!isCurrent) return
      url = URL.createObjectURL(blob)
      sound.value = { url, peaks, length }
    }
    load().catch((error: unknown) => {
      const reason = failureOf(error)
      // Most calls are not recorded.
      if (reason.status !== 404) failure.value = reason
    })
    return () => {
      isCurrent = false
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [app, interaction])
  return { sound, failure }
}

interface WaveProps {
  readonly sound: Sound
  /** Length of the axis in seconds. */
  readonly length: number
  readonly position: number | null
  readonly onSeek: (second: number) => void
}

/** The sound as a lane of the axis, each side above the other. */
export const Wave = ({ length, onSeek, position, sound }: WaveProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const draw = () => void import("./waveform.js").then(({ drawPeaks }) => drawPeaks(element, sound.peaks, sound.length / length))
    const observer = new ResizeObserver(draw)
    observer.observe(element)
    draw()
    return () => observer.disconnect()
  }, [sound, length, theme.value])
  return (
    <div class="lane">
      <span class="small muted">Sound</span>
      <div class="track wave">
        <canvas
          ref={canvas}
          aria-hidden="true"
          onClick={({ currentTarget, offsetX }) => onSeek((length * offsetX) / currentTarget.clientWidth)}
        />
        {position !== null && <i class="position" style={{ left: `${(100 * Math.min(position, length)) / length}%` }} />}
      </div>
    </div>
  )
}

interface PlayerProps {
  readonly sound: Sound
  /** Present second, which the page follows. */
  readonly position: Signal<number | null>
  readonly seek: Signal<number | null>
}

/** Plays the recording. */
export const Player = ({ position, seek, sound }: PlayerProps) => {
  const player = useRef<HTMLAudioElement>(null)
  useEffect(() => {
    if (seek.value === null || player.current === null) return
    player.current.currentTime = seek.value
    position.value = seek.value
    void player.current.play().catch(() => undefined)
    seek.value = null
  }, [seek.value])
  return (
    <audio
      ref={player}
      class="player"
      controls
      aria-label="Recording of the call"
      src={sound.url}
      onTimeUpdate={({ currentTarget }) => (position.value = currentTarget.currentTime)}
    />
  )
}
