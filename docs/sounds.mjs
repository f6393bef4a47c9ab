import { AudioCodecsWasm } from "@trunkline/codecs-wasm"
import { Speech, unmeteredSpeech } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { Effect, Layer } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"

/** What is said in each language: hello, and what an order costs. */
const texts = {
  "as-IN": "নমস্কাৰ, আপোনাৰ অৰ্ডাৰৰ মূল্য ₹1,250।",
  "bn-IN": "নমস্কার, আপনার অর্ডারের মূল্য ₹1,250।",
  "en-IN": "Hello, your order comes to ₹1,250.",
  "gu-IN": "નમસ્તે, તમારા ઓર્ડરની કિંમત ₹1,250 છે.",
  "hi-IN": "नमस्ते, आपके ऑर्डर की कीमत ₹1,250 है।",
  "kn-IN": "ನಮಸ್ಕಾರ, ನಿಮ್ಮ ಆರ್ಡರ್ ಬೆಲೆ ₹1,250.",
  "ml-IN": "നമസ്കാരം, നിങ്ങളുടെ ഓർഡറിന്റെ വില ₹1,250 ആണ്.",
  "mr-IN": "नमस्कार, तुमच्या ऑर्डरची किंमत ₹1,250 आहे.",
  "od-IN": "ନମସ୍କାର, ଆପଣଙ୍କ ଅର୍ଡରର ମୂଲ୍ୟ ₹1,250।",
  "pa-IN": "ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਤੁਹਾਡੇ ਆਰਡਰ ਦੀ ਕੀਮਤ ₹1,250 ਹੈ।",
  "ta-IN": "வணக்கம், உங்கள் ஆர்டரின் விலை ₹1,250.",
  "te-IN": "నమస్కారం, మీ ఆర్డర్ ధర ₹1,250."
}

const reference = new URL("sounds/reference.wav", import.meta.url)

/** A voice that nobody owns: espeak-ng's own, higher and a little slower than it would be by itself. */
const made = spawnSync("espeak-ng", [
  "-v",
  "en-gb+f4",
  "-p",
  "70",
  "-s",
  "150",
  "-w",
  reference.pathname,
  [
    "Good morning. My name is Asha, and I am calling from the book shop.",
    "I have the pleasure to tell you that your order is ready."
  ].join(" ")
])
if (made.status !== 0) throw new Error("espeak-ng is not installed")

const asked = (language, pace) => ({
  source: {
    kind: "clip",
    clip: { bytes: readFileSync(reference), filename: "reference.wav", contentType: null },
    text: null
  },
  text: texts[language],
  language,
  pace,
  format: { codec: "mp3", rate: 22_050, bitrate: "32k" },
  check: false,
  trim: true,
  normalize: true,
  bounds: { min: null, max: null },
  referenceSeconds: null
})

const speaking = [
  ...Object.keys(texts).map((language) => [language, language, 1]),
  ["hi-IN-half-pace", "hi-IN", 0.5],
  ["hi-IN-double-pace", "hi-IN", 2]
]

const program = Effect.gen(function*() {
  const { generate } = yield* Speech
  for (const [name, language, pace] of speaking) {
    const { bytes, seconds } = yield* generate("docs", asked(language, pace), unmeteredSpeech)
    writeFileSync(new URL(`sounds/${name}.mp3`, import.meta.url), bytes)
    console.log(`docs/sounds/${name}.mp3: ${seconds.toFixed(1)} s`)
  }
})

await Effect.runPromise(
  Effect.provide(
    program,
    Layer.provide(
      Speech.layerMemory({ allowPitchRateMatch: true }),
      Layer.merge(SpeechEspeak.layer(), AudioCodecsWasm.layer())
    )
  )
)
