import { AudioCodecsWasm } from "@trunkline/codecs-wasm"
import { testEngineWith } from "@trunkline/http-api/testing"
import { serve } from "@trunkline/node-http"
import { SpeechEspeak } from "@trunkline/speech-espeak"

/** Serves the engine with espeak-ng and all codecs in a separate process, and answers every message with its memory. */
const { url } = await serve(
  testEngineWith({
    synthesizer: SpeechEspeak.layer(),
    codecs: AudioCodecsWasm.layer(),
    speech: { allowPitchRateMatch: true }
  }),
  { port: 0 }
)
process.on("message", () => process.send?.(process.memoryUsage().rss))
process.send?.(url)
