import { AudioCodecsWasm } from "@trunkline/codecs-wasm"
import { testEngineWith } from "@trunkline/http-api/testing"
import { serve } from "@trunkline/node-http"
import { SpeechEspeak } from "@trunkline/speech-espeak"

/** The engine with espeak-ng and every codec, in a process of its own; `rss` asks how much memory it has. */
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
