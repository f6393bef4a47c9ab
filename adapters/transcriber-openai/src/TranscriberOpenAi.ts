import { makeUpstream } from "@trunkline/http-upstream"
import { Transcriber } from "@trunkline/speech"
import { isoName, type LanguageCode } from "@trunkline/spoken-text"
import { Effect, Layer, Option, type Scope } from "effect"
import type { TranscriberOptions } from "./Options.js"
import { transcriptIn } from "./Transcript.js"
import { wavFile } from "./WavFile.js"

export { type TranscriberOptions } from "./Options.js"

const who = "transcription server"

/** What a transcript may be large; a longer answer is none. */
const mostBytes = 1024 * 1024

/** What is said of the language; null where nothing is. */
const languageIn = (
  { languageNames = {}, unknownLanguage }: TranscriberOptions,
  language: LanguageCode | null
): string | null => {
  if (language === null) return unknownLanguage ?? null
  const name = languageNames[language]
  return name === undefined ? isoName(language) : name
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
    const upstream = yield* makeUpstream(who, { ...options, timeouts })
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
        const body = formOf(yield* wavFile(sound), languageIn(options, language))
        const answer = yield* upstream.post({ path, body, accept: isText ? "text/plain" : "application/json" })
        const type = answer.headers["content-type"]?.toLowerCase() ?? ""
        const transcript = transcriptIn(yield* answer.whole(mostBytes), { isText, type })
        return Option.isSome(transcript) ? transcript.value : yield* answer.nonsense("no transcript")
      },
      Effect.scoped
    )

    return Transcriber.of({ available: true, transcribe })
  })

/** Provides such a transcriber; its connections close with the layer. */
export const layer = (options: TranscriberOptions): Layer.Layer<Transcriber> => Layer.scoped(Transcriber, make(options))
