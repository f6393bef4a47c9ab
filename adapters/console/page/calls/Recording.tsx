import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { api, blobOf } from "../api/client.js"
import { TrunklineError } from "@trunkline/client"
import { Card, Skeleton } from "../ui/Card.js"
import { FailureNote } from "../ui/Note.js"

interface Props {
  readonly app: string
  readonly interaction: string
}

/** The recording of a call, fetched with the key, which a player could not send by itself. */
export const Recording = ({ app, interaction }: Props) => {
  const url = useSignal<string | null>(null)
  const failure = useSignal<TrunklineError | undefined>(undefined)
  useEffect(() => {
    let made: string | undefined
    blobOf(api().analytics.recording(app, interaction)).then((blob) => {
      made = URL.createObjectURL(blob)
      url.value = made
    }, (error: unknown) => {
      if (error instanceof TrunklineError) failure.value = error
    })
    return () => made && URL.revokeObjectURL(made)
  }, [app, interaction])
  return (
    <Card title="Recording">
      <FailureNote failure={failure.value} />
      {url.value === null && failure.value === undefined && <Skeleton lines={1} />}
      {url.value !== null && <audio controls src={url.value} style={{ width: "100%" }} />}
    </Card>
  )
}
