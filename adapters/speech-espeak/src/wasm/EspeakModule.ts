/** espeak as the WebAssembly package has it: one utterance at a time, while which nothing else runs. */
export interface EspeakVoice {
  /** 0 when there is such a voice; otherwise the one before stays. */
  set_voice(name: string): number
  set_pitch(pitch: number): void
  set_rate(wordsPerMinute: number): void
  /** Speaks text with markup; the callback gets 16 bit samples, and stops it by answering true. */
  synthesize(text: string, callback: (samples: Int16Array) => boolean): void
}

interface EspeakInstance {
  readonly eSpeakNGWorker: new() => EspeakVoice
}

interface EspeakModule {
  readonly default: (options: { readonly print: () => void; readonly printErr: () => void }) => Promise<EspeakInstance>
}

const isModule = (module: object): module is EspeakModule => "default" in module && typeof module.default === "function"

/** The package with espeak in it, which is under the GPL: whoever wants it installs it. */
export const espeakPackage: string = "@echogarden/espeak-ng-emscripten"

/** Loads espeak with its data, 24 MB. What it would print is dropped, since it may repeat what it says. */
export const loadEspeak = async (): Promise<EspeakVoice> => {
  const module: object = await import(espeakPackage)
  if (!isModule(module)) throw new TypeError("The package has another espeak than is known here")
  const { eSpeakNGWorker: Voice } = await module.default({ print: () => undefined, printErr: () => undefined })
  return new Voice()
}
