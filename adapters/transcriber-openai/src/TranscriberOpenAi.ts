import { makeResampler, type Sound, toLinear16, wavHeader } from "@trunkline/audio"
import { makeUpstream, type Timeouts, type UpstreamOptions } from "@trunkline/http-upstream"
import { macroTask } from "@trunkline/kernel"
import { Transcriber } from "@trunkline/speech"
import { isoCode, type LanguageCode } from "@trunkline/spoken-text"
import { type Duration, Effect, Layer, Option, Schema, type Scope } from "effect"

/** Where a transcription server is, and how it is asked. */
export interface TranscriberOptions extends Omit<UpstreamOptions, "timeouts"> {
  /** Such as `whisper-1`. Default: none is named, for servers that have but one. */
  readonly model?: string
  /** What comes after the base URL. Default: `/audio/transcriptions`; whisper.cpp's own server has `/inference`. */
  readonly path?: string
  /**
   * What it calls languages; null for one that it does not know, which is then not named. Default: their ISO 639-1 codes,
   * `or` for Odia, which Whisper does not know.
   */
  readonly languageNames?: Partial<Readonly<Record<LanguageCode, string | null>>>
  /** What it is told of a language that nobody knows. Default: nothing, so that it finds out; whisper.cpp wants `auto`. */
  readonly unknownLanguage?: string
  /** Words for it to expect, such as names. Default: none. */
  readonly prompt?: string
  /** What it is asked for. Default: `json`. */
  readonly responseFormat?: "json" | "verbose_json" | "text"
  /** How long it may take to be reached. Default: 5 s. */
  readonly connect?: Timeouts["connect"]
  /** How long one try may take in all. Default: 30 s. */
  readonly total?: Duration.DurationInput
}

/** The rate that speech is recognised at, in samples per second. */
const recognitionRate = 16_000

/** Samples that are worked on without a pause: some milliseconds' worth. */
const samplesPerTurn = 32_768

/** A sound as a WAV file of 16 kHz, 16 bit and one channel, in parts. Others get their turn while it is made. */
const encodeWav = ({ rate, samples }: Sound): Effect.Effect<ReadonlyArray<Uint8Array>> =>
  Effect.gen(function*() {
    const resampler = makeResampler({ from: rate, to: recognitionRate })
    const parts: Array<Uint8Array> = []
    for (let at = 0; at < samples.length; at += samplesPerTurn) {
      parts.push(toLinear16(resampler.push(samples.subarray(at, at + samplesPerTurn))))
      yield* macroTask
    }
    parts.push(toLinear16(resampler.end()))
    const length = parts.reduce((sum, part) => sum + part.length, 0) / 2
    return [wavHeader({ rate: recognitionRate, samples: length }), ...parts]
  })

const decodeJson = Schema.decodeOption(Schema.parseJson(Schema.Struct({ text: Schema.String })))

const decodeText = (bytes: Uint8Array): Option.Option<string> => {
  try {
    return Option.some(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return Option.none()
  }
}

/**
 * The words in an answer, with single spaces between them; none where it is no transcript. `isText` says that bare text
 * was asked for; some servers answer with JSON all the same.
 */
const parseTranscript = (
  bytes: Uint8Array,
  { isText, type }: { readonly isText: boolean; readonly type: string }
): Option.Option<string> =>
  decodeText(bytes).pipe(
    Option.flatMap((said) => {
      if (!isText || type.includes("json")) return Option.map(decodeJson(said), ({ text }) => text)
      return /html|xml/.test(type) ? Option.none() : Option.some(said)
    }),
    Option.map((text) => text.replace(/\s+/gu, " ").trim())
  )

const serverName = "transcription server"

/** What a transcript may be large; a longer answer is none. */
const maxResponseBytes = 1024 * 1024

/** What is said of the language; null where nothing is. */
const languageFieldOf = (
  { languageNames = {}, unknownLanguage }: TranscriberOptions,
  language: LanguageCode | null
): string | null => {
  if (language === null) return unknownLanguage ?? null
  const name = languageNames[language]
  return name === undefined ? isoCode(language) : name
}

/**
 * Transcripts from a server that speaks OpenAI's transcription API, whisper.cpp's own among them. The sound goes there as
 * a WAV file of 16 kHz. A request may be sent once more as long as nothing has arrived. Nothing of the sound, and nothing
 * that the server says beside the transcript, is logged or repeated. It dies when it cannot read `baseUrl`.
 */
export const make = (options: TranscriberOptions): Effect.Effect<Transcriber["Type"], never, Scope.Scope> =>
  Effect.gen(function*() {
    const { connect = "5 seconds", model, path = "/audio/transcriptions", prompt, responseFormat = "json" } = options
    const { total = "30 seconds" } = options
    const timeouts = { connect, firstByte: total, betweenBytes: total, total }
    const upstream = yield* makeUpstream(serverName, { ...options, timeouts })
    const isText = responseFormat === "text"

    const formOf = (parts: ReadonlyArray<Uint8Array>, language: string | null): FormData => {
      const form = new FormData()
      form.append("file", new Blob([...parts], { type: "audio/wav" }), "speech.wav")
      if (model !== undefined) form.append("model", model)
      form.append("response_format", responseFormat)
      form.append("temperature", "0")
      if (language !== null) form.append("language", language)
      if (prompt !== undefined) form.append("prompt", prompt)
      return form
    }

    const transcribe: Transcriber["Type"]["transcribe"] = Effect.fn("TranscriberOpenAi.transcribe")(
      function*(sound, { language }) {
        if (sound.samples.length === 0) return ""
        yield* upstream.place
        const body = formOf(yield* encodeWav(sound), languageFieldOf(options, language))
        const answer = yield* upstream.post({ path, body, accept: isText ? "text/plain" : "application/json" })
        const type = answer.headers["content-type"]?.toLowerCase() ?? ""
        const transcript = parseTranscript(yield* answer.whole(maxResponseBytes), { isText, type })
        return Option.isSome(transcript) ? transcript.value : yield* answer.nonsense("no transcript")
      },
      Effect.scoped
    )

    return Transcriber.of({ available: true, transcribe })
  })

/** Provides such a transcriber; its connections close with the layer. */
export const layer = (options: TranscriberOptions): Layer.Layer<Transcriber> => Layer.scoped(Transcriber, make(options))
