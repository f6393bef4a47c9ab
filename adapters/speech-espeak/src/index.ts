export type { EspeakDescription } from "./engine/FindEspeak.js"
export * from "./SpeechEspeak.js"
export type { SpeechEspeakOptions } from "./SpeechEspeakOptions.js"
