import { BadRequest } from "@trunkline/errors"
import { countedVoiceLayer, type SpeechFailure, Synthesizer } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { SpeechDialects, SynthesizerOpenAi } from "@trunkline/speech-openai"
import { LanguageCode } from "@trunkline/spoken-text"
import { Context, Effect, Layer, Stream } from "effect"
import type { Fields } from "../../errors/Fields.js"
import { checkKnown, checkNone, InvalidOption } from "../InvalidOption.js"
import { keyOf } from "../ModelLayer.js"
import { streamFrom } from "../models/PlainModels.js"
import { codeOf } from "./LanguageCodes.js"
import { checkNamed, namedOf } from "./NamedOptions.js"
import { isVoiceProvider, namedVoiceLayer, voiceLanguages, voiceProblems } from "./NamedVoice.js"
import type { PlainVoice, Voice, VoiceServerOptions } from "./VoiceOptions.js"

type SpeechEngine = Context.Tag.Service<typeof Synthesizer>

const dialects = {
  "openai": SpeechDialects.openAi,
  "f5": SpeechDialects.f5,
  "vllm-omni": SpeechDialects.vllmOmni,
  "chatterbox": SpeechDialects.chatterbox,
  "xtts": SpeechDialects.xtts,
  "xtts-streaming": SpeechDialects.xttsStreaming
}

const serverOptions: Fields<VoiceServerOptions> = {
  baseUrl: true,
  apiKey: true,
  dialect: true,
  model: true,
  voice: true,
  rate: true
}

const serverLayer = (options: VoiceServerOptions, option: string) => {
  checkKnown(options, serverOptions, option)
  const { apiKey, baseUrl, dialect = "openai", model, rate, voice } = options
  if (!Object.hasOwn(dialects, dialect)) throw new InvalidOption(option, `there is no dialect "${dialect}"`)
  return SynthesizerOpenAi.layer({
    baseUrl,
    dialect: dialects[dialect](),
    ...keyOf(apiKey),
    ...(model !== undefined && { model }),
    ...(rate !== undefined && { nativeRate: rate }),
    ...(voice !== undefined && { voice })
  })
}

const fromPlain = (voice: PlainVoice, option: string): SpeechEngine => {
  const { cloning = "none", languages = LanguageCode.literals, name = "voice", rate = 24_000 } = voice
  const unknownName = languages.find((language) => codeOf(language) === null)
  if (unknownName !== undefined) {
    throw new InvalidOption(
      `${option}.languages`,
      `"${unknownName}" is not a language of voices; there are ${LanguageCode.literals.join(", ")}`
    )
  }
  return {
    ability: {
      engine: name,
      cloning,
      languages: languages.flatMap((language) => codeOf(language) ?? []),
      nativeRate: rate,
      controls: []
    },
    speak: (utterance) =>
      Stream.unwrapScoped(Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => new AbortController()),
          (controller) => Effect.sync(() => controller.abort())
        ),
        ({ signal }) => streamFrom(() => voice.speak({ ...utterance, signal }))
      ))
  }
}

const layerOf = (voice: Voice, option: string): Layer.Layer<Synthesizer, Error> => {
  if (!("provider" in voice)) {
    const layer = Layer.suspend(() => Layer.succeed(Synthesizer, fromPlain(voice, option)))
    return countedVoiceLayer(layer, { provider: "custom", model: voice.name ?? "voice" })
  }
  switch (voice.provider) {
    case "espeak":
      checkNone(voice.options, { at: option, provider: "espeak" })
      return countedVoiceLayer(SpeechEspeak.layer(), { provider: "espeak", model: "" })
    case "server":
      return countedVoiceLayer(serverLayer(voice.options, option), {
        provider: "server",
        model: voice.options.model ?? ""
      })
    default: {
      const provider: unknown = Reflect.get(voice, "provider")
      if (typeof provider !== "string" || !isVoiceProvider(provider)) {
        throw new InvalidOption(option, `there is no voice of the provider "${String(provider)}"`)
      }
      const service = namedOf(provider, voice.options, option)
      checkNamed(voiceProblems(service), option)
      return namedVoiceLayer(service)
    }
  }
}

/** Languages that voices speak between them; null where one does not tell. Throws `InvalidOption`. */
export const languagesOfVoices = (voices: ReadonlyArray<Voice>): ReadonlyArray<LanguageCode> | null => {
  const languages = voices.map((voice, index) =>
    "provider" in voice && isVoiceProvider(voice.provider)
      ? voiceLanguages(namedOf(voice.provider, voice.options ?? {}, `voices.${index}`))
      : null
  )
  return languages.includes(null) ? null : [...new Set(languages.flatMap((list) => list ?? []))]
}

/** One synthesizer of several: each language is spoken by the first that speaks it. */
const combine = (voices: ReadonlyArray<SpeechEngine>): SpeechEngine => {
  const [first] = voices
  if (first === undefined) throw new InvalidOption("voices", "the list is empty")
  const { nativeRate } = first.ability
  const other = voices.findIndex(({ ability }) => ability.nativeRate !== nativeRate)
  if (other > 0) throw new InvalidOption(`voices.${other}`, `all voices must have ${nativeRate} samples per second`)
  const languages = Array.from(new Set(voices.flatMap(({ ability }) => ability.languages)))
  return {
    ability: {
      ...first.ability,
      languages,
      controls: voices.every(({ ability }) => ability.controls.length > 0) ? ["pace"] : []
    },
    speak: (utterance) => {
      const voice = voices.find(({ ability }) => ability.languages.includes(utterance.language))
      return voice === undefined
        ? Stream.fail<SpeechFailure>(
          new BadRequest({ message: `No voice speaks ${utterance.language}`, param: "language" })
        )
        : voice.speak(utterance)
    }
  }
}

/** The layer of voices: each language is spoken by the first that speaks it. Throws `InvalidOption`. */
export const voicesLayer = (voices: ReadonlyArray<Voice>): Layer.Layer<Synthesizer, Error> => {
  const layers = voices.map((voice, index) => layerOf(voice, `voices.${index}`))
  const [only] = layers
  if (only !== undefined && layers.length === 1) return only
  const services = Effect.forEach(layers, (layer) => Effect.map(Layer.build(layer), Context.get(Synthesizer)))
  return Layer.scoped(
    Synthesizer,
    Effect.flatMap(
      services,
      (engines) =>
        Effect.try({
          try: () => combine(engines),
          catch: (error) => error instanceof InvalidOption ? error : new InvalidOption("voices", String(error))
        })
    )
  )
}
