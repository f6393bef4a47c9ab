export { sampleReference, sampleTexts } from "./laws/Samples.js"
export { type SynthesizerLawOptions, synthesizerLaws } from "./laws/Synthesizer.laws.js"
export { type TranscriberLawOptions, transcriberLaws } from "./laws/Transcriber.laws.js"
export { voiceStoreLaws } from "./laws/VoiceStore.laws.js"
