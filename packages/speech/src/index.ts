export * from "./ports/Synthesizer.js"
export * from "./ports/Transcriber.js"
export * from "./voices/Voice.js"
export * from "./voices/VoiceStore.js"
