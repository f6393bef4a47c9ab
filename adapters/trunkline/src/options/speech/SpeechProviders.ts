/** Voice or transcriber of a provider by its name. What does not fit the provider is refused at the start. */
export interface SpeechProviderOptions {
  /** Key of the account; local servers need none. */
  readonly apiKey?: string | undefined
  /** Model of the provider; each has a default. */
  readonly model?: string
  /** Id of the voice, or one for each language such as `{ "hi-IN": "…" }`; required by ElevenLabs and Cartesia. */
  readonly voice?: string | Readonly<Record<string, string>>
  /** Languages to restrict it to, such as `hi-IN` or `Hindi`; those of its model by default. */
  readonly languages?: ReadonlyArray<string>
  /** URL in place of the provider's: `https:` for voices, `wss:` for transcribers; that of the usual port for local servers. */
  readonly baseUrl?: string
  /** Samples per second that voices send (24,000 by default) or transcribers get (those of the call by default). */
  readonly rate?: number
}

/** A part of a provider: the result of `deepgram`, `elevenlabs` and the like. */
export interface ProvidedSpeech<Name extends string> {
  readonly provider: Name
  readonly options: SpeechProviderOptions
}

/** Deepgram: its transcriber (`nova-3` by default, or a model of Flux), or its English voices (Aura). */
export const deepgram = (options: SpeechProviderOptions): ProvidedSpeech<"deepgram"> => ({
  provider: "deepgram",
  options
})

/** ElevenLabs: its voices (`eleven_flash_v2_5` by default), or its transcriber (Scribe v2 Realtime). */
export const elevenlabs = (options: SpeechProviderOptions): ProvidedSpeech<"elevenlabs"> => ({
  provider: "elevenlabs",
  options
})

/** Sarvam: its voices (Bulbul), or its live transcriber (Saaras), for the languages of India. */
export const sarvam = (options: SpeechProviderOptions): ProvidedSpeech<"sarvam"> => ({ provider: "sarvam", options })

/** Cartesia: its voices (Sonic). */
export const cartesia = (options: SpeechProviderOptions): ProvidedSpeech<"cartesia"> => ({
  provider: "cartesia",
  options
})

/** Voices of a Kokoro server on your machine, behind OpenAI's path on port 8880. */
export const kokoro = (options: SpeechProviderOptions = {}): ProvidedSpeech<"kokoro"> => ({
  provider: "kokoro",
  options
})

/** Voices of a Piper server on your machine, behind OpenAI's path on port 8000. */
export const piper = (options: SpeechProviderOptions = {}): ProvidedSpeech<"piper"> => ({ provider: "piper", options })

/** A vosk-server on your machine, on port 2700, which hears callers live in the language of its model. */
export const vosk = (options: SpeechProviderOptions = {}): ProvidedSpeech<"vosk"> => ({ provider: "vosk", options })

/** A faster-whisper server on your machine, behind OpenAI's path on port 8000, which hears callers turn by turn. */
export const fasterWhisper = (options: SpeechProviderOptions = {}): ProvidedSpeech<"faster-whisper"> => ({
  provider: "faster-whisper",
  options
})
