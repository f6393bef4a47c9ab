import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { api, blobOf } from "../api/client.js"
import { failureOf } from "../api/failure.js"
import { Card, Skeleton } from "../ui/Card.js"
import { FailureNote } from "../ui/Note.js"

interface Props {
  readonly app: string
  readonly interaction: string
  /** Present second, which the player follows when others change it. */
  readonly position: Signal<number | null>
  readonly seek: Signal<number | null>
}

const parts = 300

/** The recording of a call with its waveform, fetched with the key, which a player could not send by itself. */
export const Recording = ({ app, interaction, position, seek }: Props) => {
  const url = useSignal<string | null>(null)
  const failure = useSignal<ReturnType<typeof failureOf> | undefined>(undefined)
  const player = useRef<HTMLAudioElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let made: string | undefined
    let isCurrent = true
    blobOf(api().analytics.recording(app, interaction)).then(async (blob) => {
      made = URL.createObjectURL(blob)
      if (!isCurrent) return URL.revokeObjectURL(made)
      url.value = made
      const { drawPeaks, peaksOf } = await import("./waveform.js")
      const channels = await peaksOf(blob, parts)
      if (canvas.current !== null) drawPeaks(canvas.current, channels)
    }).catch((error: unknown) => (failure.value = failureOf(error)))
    return () => {
      isCurrent = false
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [app, interaction])
  useEffect(() => {
    if (seek.value === null || player.current === null) return
    player.current.currentTime = seek.value
    void player.current.play()
    seek.value = null
  }, [seek.value])
  return (
    <Card title="Recording">
      <FailureNote failure={failure.value} />
      {url.value === null && failure.value === undefined && <Skeleton lines={1} />}
      {url.value !== null && (
        <>
          <canvas
            ref={canvas}
            class="wave"
            aria-hidden="true"
            onClick={({ currentTarget, offsetX }) => {
              const length = player.current?.duration ?? 0
              if (length > 0) seek.value = (length * offsetX) / currentTarget.clientWidth
            }}
          />
          <audio
            ref={player}
            controls
            aria-label="Recording of the call"
            src={url.value}
            style={{ width: "100%" }}
            onTimeUpdate={({ currentTarget }) => (position.value = currentTarget.currentTime)}
          />
        </>
      )}
    </Card>
  )
}
