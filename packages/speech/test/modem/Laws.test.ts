import { Listener, modemTranscriber, modemVoice, Transcriber } from "@trunkline/speech"
import { listenerLaws, synthesizerLaws, transcriberLaws } from "@trunkline/speech/testing"
import { Effect, Layer } from "effect"
import { spokenBy } from "./ModemSpeech.js"

synthesizerLaws("modem", modemVoice())
synthesizerLaws("modem that changes its pace", modemVoice({ controls: ["pace"], nativeRate: 16_000 }))
const say = (text: string, nativeRate: number) => spokenBy({ nativeRate })(text)
transcriberLaws("modem", modemTranscriber, { say })

let inProgress = 0

const counted = Layer.effect(
  Transcriber,
  Effect.map(Transcriber, ({ available, transcribe }) => ({
    available,
    transcribe: (audio, options) =>
      Effect.acquireUseRelease(
        Effect.sync(() => inProgress += 1),
        () => transcribe(audio, options),
        () => Effect.sync(() => inProgress -= 1)
      )
  }))
).pipe(Layer.provide(modemTranscriber))

listenerLaws("a transcriber", Layer.provide(Listener.layerOfTranscriber, counted), {
  say,
  inProgress: Effect.sync(() => inProgress)
})
