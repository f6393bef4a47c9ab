import type { MessagePort } from "node:worker_threads"
import type { EspeakRequest } from "./Engine.js"
import type { EspeakReply } from "./EspeakThread.js"
import { type ChunkGate, isStopped, pushed } from "./Gate.js"

/** Interface of the WebAssembly package: one utterance at a time, which blocks the thread. */
export interface EspeakVoice {
  /** Returns 0 when the voice exists; otherwise the voice before stays set. */
  set_voice(name: string): number
  set_pitch(pitch: number): void
  set_rate(wordsPerMinute: number): void
  /** Speaks text with markup. The callback gets 16 bit samples, and returns true to stop. */
  synthesize(text: string, callback: (samples: Int16Array) => boolean): void
}

interface EspeakInstance {
  readonly eSpeakNGWorker: new() => EspeakVoice
}

interface EspeakModule {
  readonly default: (options: { readonly print: () => void; readonly printErr: () => void }) => Promise<EspeakInstance>
}

const isModule = (module: object): module is EspeakModule => "default" in module && typeof module.default === "function"

/** Name of the package, an optional peer since it is under the GPL. */
export const espeakPackage: string = "@echogarden/espeak-ng-emscripten"

/** Loads espeak with its data, 24 MB. Its output is dropped, since it may repeat the text. */
export const loadEspeak = async (): Promise<EspeakVoice> => {
  const module: object = await import(espeakPackage)
  if (!isModule(module)) throw new TypeError("The package has an unknown interface")
  const { eSpeakNGWorker: Voice } = await module.default({ print: () => undefined, printErr: () => undefined })
  return new Voice()
}

/** Escapes a text for this build, which reads markup. */
const escapeMarkup = (text: string): string => text.replaceAll("&", "&amp;")

/**
 * Speaks the requests that arrive over a port, one after the other, in a thread. The thread imports no other library, so
 * that it starts quickly and takes no more memory than espeak itself.
 */
export const serveEspeak = (port: MessagePort, espeak: EspeakVoice, gate: ChunkGate): void => {
  const post = (reply: EspeakReply) => port.postMessage(reply)

  const speak = ({ pitch, text, voice, wordsPerMinute }: EspeakRequest): EspeakReply => {
    if (espeak.set_voice(voice) !== 0) return { _tag: "Broken", kind: "NoVoice" }
    espeak.set_pitch(pitch)
    espeak.set_rate(wordsPerMinute)
    espeak.synthesize(escapeMarkup(text), (samples) => {
      if (samples.length === 0) return isStopped(gate)
      post({ _tag: "Audio", samples })
      return !pushed(gate)
    })
    return { _tag: "Done" }
  }

  port.on("message", (request: EspeakRequest) => {
    try {
      post(speak(request))
    } catch (error) {
      post({ _tag: "Broken", kind: error instanceof Error ? error.name : typeof error })
    }
  })
}
