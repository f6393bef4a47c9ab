import { AudioCodecs } from "@trunkline/audio"
import { Ids, Transactions, VoiceId } from "@trunkline/kernel"
import {
  type Cloning,
  type GenerateRequest,
  QualityCheck,
  Speech,
  type SpeechFailure,
  type SpeechMeter,
  type SpeechOptions,
  type StreamRequest,
  type SynthesisInput,
  Synthesizer,
  Transcriber,
  Voices,
  VoiceStore
} from "@trunkline/speech"
import { LanguageCode, TextNormalizer } from "@trunkline/spoken-text"
import { Effect, Layer, Ref, type Stream } from "effect"

/** The rate of the engine under test. */
export const nativeRate = 24_000

/** A tone loud enough to count as speech. */
export const tone = (seconds: number, rate = nativeRate): Float32Array =>
  Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, index) => 0.3 * Math.sin(2 * Math.PI * 220 * index / rate)
  )

/** Behaviour of the engine under test. */
interface Behaviour {
  readonly cloning?: Cloning
  readonly controls?: ReadonlyArray<"pace">
  readonly languages?: ReadonlyArray<LanguageCode>
  readonly speak: (utterance: SynthesisInput) => Stream.Stream<Float32Array, SpeechFailure>
}

const engine = ({ cloning = "zero-shot", controls = [], languages = LanguageCode.literals, speak }: Behaviour) =>
  Layer.succeed(Synthesizer, { ability: { engine: "test", cloning, controls, languages, nativeRate }, speak })

/** A transcriber's function. */
type Transcribe = (typeof Transcriber)["Service"]["transcribe"]

const rest = Layer.mergeAll(
  Ids.layerSeeded("speech"),
  AudioCodecs.layerPlain,
  TextNormalizer.layer
).pipe(Layer.provideMerge(Transactions.layerMemory))

/** Layers of voices and speech over an engine. */
export const speechOf = (
  behaviour: Behaviour,
  options: SpeechOptions = {},
  transcribe?: Transcribe,
  store?: (typeof VoiceStore)["Service"]
) =>
  Speech.layer(options).pipe(
    Layer.provideMerge(Layer.merge(Voices.layer, QualityCheck.layer)),
    Layer.provideMerge(engine(behaviour)),
    Layer.provideMerge(
      transcribe === undefined ? Transcriber.layerNone : Layer.succeed(Transcriber, { available: true, transcribe })
    ),
    Layer.provideMerge(store === undefined ? VoiceStore.layerMemory : Layer.succeed(VoiceStore, store)),
    Layer.provideMerge(rest)
  )

/** A WAV file of samples. */
export const wavOf = (samples: Float32Array) =>
  Effect.flatMap(AudioCodecs, ({ encode }) => encode({ rate: nativeRate, samples }, { codec: "wav", rate: nativeRate }))

/** Saves a voice with a clip of the given length. */
export const savedVoice = (seconds = 2, text: string | null = "a clip") =>
  Effect.gen(function*() {
    const { create } = yield* Voices
    const clip = { bytes: yield* wavOf(tone(seconds)), filename: "clip.wav", contentType: null }
    return yield* create("acme", { name: "Asha", language: "hi-IN", style: "sales", gender: null, clip, text }, {
      max: null
    })
  })

export const unknownVoice = VoiceId.make("svc-00000000-0000-4000-8000-000000000000")

/** A stream request with changes to its defaults. */
export const streamAsked = (voice_id: VoiceId, change: Partial<StreamRequest> = {}): StreamRequest => ({
  voice_id,
  text: "Hello there",
  language: "en-IN",
  pace: 1,
  format: { codec: "linear16", rate: nativeRate },
  normalize: null,
  ...change
})

/** A request for a whole speech with changes to its defaults. */
export const generateAsked = (voice_id: VoiceId, change: Partial<GenerateRequest> = {}): GenerateRequest => ({
  source: { kind: "voice", voice_id },
  text: "Hello there",
  language: "en-IN",
  pace: 1,
  format: { codec: "linear16", rate: nativeRate },
  check: false,
  trim: true,
  normalize: null,
  bounds: { min: null, max: null },
  referenceSeconds: null,
  ...change
})

/** A meter that records its calls. */
export const watchedMeter = Effect.map(Ref.make<ReadonlyArray<string>>([]), (log) => {
  const note = (line: string) => Ref.update(log, (lines) => [...lines, line])
  const meter: SpeechMeter = {
    reserve: (characters) => note(`reserve ${characters}`),
    settle: (characters) => note(`settle ${characters}`),
    release: note("release")
  }
  return { meter, log: Ref.get(log) }
})
