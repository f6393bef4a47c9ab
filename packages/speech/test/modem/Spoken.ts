import { joined, type Sound } from "@trunkline/audio"
import {
  modemTranscriber,
  modemVoice,
  type ModemVoiceOptions,
  Synthesizer,
  Transcriber,
  type Utterance
} from "@trunkline/speech"
import { Chunk, Effect, Random, Stream } from "effect"

/** Something to say in nobody's voice. */
export const utterance = (text: string, change: Partial<Utterance> = {}): Utterance => ({
  text,
  language: "hi-IN",
  pace: 1,
  take: 0,
  reference: {
    sound: { rate: 8000, samples: new Float32Array() },
    seconds: 0,
    text: null,
    language: null,
    voice_id: null
  },
  ...change
})

/** A sentence in each of the scripts of the twelve languages, and some that are harder. */
export const sentences = [
  "আপোনাৰ নতুন বিল এতিয়া সাজু হৈছে।",
  "Your new bill is ready now.",
  "તમારું નવું બિલ હવે તૈયાર છે.",
  "नमस्ते, आपका नया बिल अब तैयार है।",
  "ನಿಮ್ಮ ಹೊಸ ಬಿಲ್ ಈಗ ಸಿದ್ಧವಾಗಿದೆ.",
  "നിങ്ങളുടെ പുതിയ ബിൽ ഇപ്പോൾ തയ്യാറാണ്.",
  "ଆପଣଙ୍କ ନୂଆ ବିଲ୍ ଏବେ ପ୍ରସ୍ତୁତ ଅଛି।",
  "ਤੁਹਾਡਾ ਨਵਾਂ ਬਿੱਲ ਹੁਣ ਤਿਆਰ ਹੈ।",
  "தயவுசெய்து உங்கள் முகவரி மற்றும் தொலைபேசி எண்ணை உறுதிப்படுத்துங்கள்.",
  "మీ కొత్త బిల్లు ఇప్పుడు సిద్ధంగా ఉంది.",
  "aaaaaaaaaaaaaaaa",
  "न्\u200dय “quoted” ₹ 😀\u000e!"
] as const

/** What a modem voice says. */
export const spokenBy = (options: ModemVoiceOptions = {}) => (text: string, change: Partial<Utterance> = {}) =>
  Effect.gen(function*() {
    const { ability, speak } = yield* Synthesizer
    const pieces = yield* Stream.runCollect(speak(utterance(text, change)))
    return { rate: ability.nativeRate, samples: joined(Chunk.toReadonlyArray(pieces)) }
  }).pipe(Effect.provide(modemVoice(options)))

/** What is heard in a sound. */
export const heard = (sound: Sound) =>
  Effect.flatMap(Transcriber, ({ transcribe }) => transcribe(sound, { language: null })).pipe(
    Effect.provide(modemTranscriber)
  )

/** White noise of so many samples, as loud as the voice less some decibels. */
export const noise = (length: number, decibels: number) =>
  Effect.map(
    Effect.replicateEffect(Random.next, length),
    (values) => Float32Array.from(values, (value) => 0.1 * 10 ** (-decibels / 20) * Math.sqrt(12) * (value - 0.5))
  )
