import { type Audio, makeResampler, toLinear16, wavHeader } from "@trunkline/audio"
import { makeUpstream, type Timeouts, type UpstreamOptions } from "@trunkline/http-client"
import { macroTask } from "@trunkline/kernel"
import { Transcriber } from "@trunkline/speech"
import { isoCode, type LanguageCode } from "@trunkline/spoken-text"
import { type Duration, Effect, Layer, Option, Schema, type Scope } from "effect"

/** Address and request format of a transcription server. */
export interface TranscriberOptions extends Omit<UpstreamOptions, "timeouts"> {
  /** Model name such as `whisper-1`. Default: none, for servers with a single model. */
  readonly model?: string
  /** Path after the base URL. Default: `/audio/transcriptions`. whisper.cpp's own server uses `/inference`. */
  readonly path?: string
  /**
   * The server's names for languages; null leaves the language out, for one that the server does not know. Default: ISO
   * 639-1 codes (Odia is `or`, which Whisper does not know).
   */
  readonly languageNames?: Partial<Readonly<Record<LanguageCode, string | null>>>
  /** Language field for an unknown language. Default: none, so that the server detects it. whisper.cpp expects `auto`. */
  readonly unknownLanguage?: string
  /** Words to expect, such as names. Default: none. */
  readonly prompt?: string
  /** Response format to request. Default: `json`. */
  readonly responseFormat?: "json" | "verbose_json" | "text"
  /** Connection timeout. Default: 5 seconds. */
  readonly connect?: Timeouts["connect"]
  /** Timeout of one attempt. Default: 30 seconds. */
  readonly total?: Duration.DurationInput
}

/** Sample rate that recognizers work at, in hertz. */
const recognitionRate = 16_000

/** Samples encoded before yielding to the event loop: some milliseconds of work. */
const samplesPerTurn = 32_768

/** Encodes audio as a WAV file of 16 kHz, 16 bit, mono, in parts. Yields to the event loop between slices. */
const encodeWav = ({ rate, samples }: Audio): Effect.Effect<ReadonlyArray<Uint8Array>> =>
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
 * Parses the transcript in a response, with white space collapsed; none when it is not a transcript. `isText` means that
 * plain text was requested, though some servers respond with JSON anyway.
 */
const parseTranscript = (
  bytes: Uint8Array,
  { isText, type }: { readonly isText: boolean; readonly type: string }
): Option.Option<string> =>
  decodeText(bytes).pipe(
    Option.flatMap((body) => {
      if (!isText || type.includes("json")) return Option.map(decodeJson(body), ({ text }) => text)
      return /html|xml/.test(type) ? Option.none() : Option.some(body)
    }),
    Option.map((text) => text.replace(/\s+/gu, " ").trim())
  )

const serverName = "transcription server"

/** Largest response in bytes. */
const maxResponseBytes = 1024 * 1024

/** Value of the language field; null leaves it out. */
const languageFieldOf = (
  { languageNames = {}, unknownLanguage }: TranscriberOptions,
  language: LanguageCode | null
): string | null => {
  if (language === null) return unknownLanguage ?? null
  const name = languageNames[language]
  return name === undefined ? isoCode(language) : name
}

/**
 * Makes a `Transcriber` backed by a server that implements OpenAI's transcription API, such as whisper.cpp's. Audio is
 * uploaded as a WAV file of 16 kHz. A request may be retried once until the first byte of the response arrives. Audio,
 * transcripts and server messages are neither logged nor repeated in errors. Dies on an invalid `baseUrl`.
 *
 * @example
 * ```ts
 * const transcriber = TranscriberOpenAi.layer({ baseUrl: "http://127.0.0.1:8080", path: "/inference" })
 * ```
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
      function*(audio, { language }) {
        if (audio.samples.length === 0) return ""
        yield* upstream.slot
        const body = formOf(yield* encodeWav(audio), languageFieldOf(options, language))
        const answer = yield* upstream.post({ path, body, accept: isText ? "text/plain" : "application/json" })
        const type = answer.headers["content-type"]?.toLowerCase() ?? ""
        const transcript = parseTranscript(yield* answer.whole(maxResponseBytes), { isText, type })
        return Option.isSome(transcript) ? transcript.value : yield* answer.invalid("no transcript")
      },
      Effect.scoped
    )

    return Transcriber.of({ available: true, transcribe })
  })

/** Layer of `make`; its connections close with the layer. */
export const layer = (options: TranscriberOptions): Layer.Layer<Transcriber> => Layer.scoped(Transcriber, make(options))
