/// <reference lib="dom" />
import { TalkError } from "./TalkError.js"
import { registerTalk } from "./Worklet.js"

/** The microphone and the loudspeaker of a page. */
export interface Sound {
  /** Called with each frame of 20 ms of the microphone, as PCM of 16 kHz and 16 bits. */
  onFrame: (pcm: ArrayBuffer) => void
  /** Called with a mark once all sound before it was played. */
  onPlayed: (mark: string) => void
  readonly play: (pcm: ArrayBuffer) => void
  readonly mark: (name: string) => void
  /** Drops what was not played, with its marks. */
  readonly clear: () => void
  readonly mute: (on: boolean) => void
  readonly close: () => void
}

const microphoneErrors: Readonly<Record<string, string>> = {
  NotAllowedError: "permission_denied",
  SecurityError: "permission_denied",
  NotFoundError: "no_microphone",
  OverconstrainedError: "no_microphone",
  NotReadableError: "microphone_busy",
  AbortError: "microphone_busy"
}

const openMicrophone = async (device: string | undefined): Promise<MediaStream> => {
  if (!globalThis.isSecureContext) throw new TalkError("insecure_context")
  if (navigator.mediaDevices === undefined || globalThis.AudioWorkletNode === undefined) {
    throw new TalkError("not_supported")
  }
  const audio = {
    echoCancellation: true,
    noiseSuppression: true,
    autoGainControl: true,
    channelCount: 1,
    ...(device !== undefined && { deviceId: { exact: device } })
  }
  try {
    return await navigator.mediaDevices.getUserMedia({ audio })
  } catch (cause) {
    const code = cause instanceof Error ? microphoneErrors[cause.name] : undefined
    throw new TalkError(code ?? "not_supported", undefined, { cause })
  }
}

const loadWorklet = async ({ audioWorklet }: AudioContext, worklet: string | undefined): Promise<void> => {
  const blobUrl = worklet === undefined
    ? URL.createObjectURL(new Blob([`(${registerTalk})(globalThis)`], { type: "text/javascript" }))
    : undefined
  try {
    await audioWorklet.addModule(blobUrl ?? worklet ?? "")
  } catch (cause) {
    throw new TalkError("worklet_blocked", undefined, { cause })
  } finally {
    if (blobUrl !== undefined) URL.revokeObjectURL(blobUrl)
  }
}

/** Opens the microphone, with echo cancellation, and the loudspeaker. Rejects with `TalkError`. */
export const openSound = async (
  { device, worklet }: { readonly device: string | undefined; readonly worklet: string | undefined }
): Promise<Sound> => {
  const stream = await openMicrophone(device)
  const context = new AudioContext({ latencyHint: "interactive" })
  const close = (): void => {
    stream.getTracks().forEach((track) => track.stop())
    if (context.state !== "closed") void context.close()
  }
  try {
    await loadWorklet(context, worklet)
    await context.resume()
  } catch (error) {
    close()
    throw error
  }
  const microphone = new AudioWorkletNode(context, "trunkline-microphone", { numberOfOutputs: 0 })
  const speaker = new AudioWorkletNode(context, "trunkline-speaker", { numberOfInputs: 0, outputChannelCount: [1] })
  context.createMediaStreamSource(stream).connect(microphone)
  speaker.connect(context.destination)
  const sound: Sound = {
    onFrame: () => {},
    onPlayed: () => {},
    play: (pcm) => speaker.port.postMessage(pcm, [pcm]),
    mark: (name) => speaker.port.postMessage(name),
    clear: () => speaker.port.postMessage(null),
    mute: (on) => stream.getTracks().forEach((track) => void (track.enabled = !on)),
    close
  }
  microphone.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => sound.onFrame(data)
  speaker.port.onmessage = ({ data }: MessageEvent<string>) => sound.onPlayed(data)
  return sound
}
