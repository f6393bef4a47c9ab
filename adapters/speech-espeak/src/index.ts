export type { SpeechEspeakOptions } from "./Engine.js"
export type { EspeakDescription } from "./FindEspeak.js"
export { SpeechEspeak } from "./SpeechEspeak.js"
