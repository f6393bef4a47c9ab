export * from "./laws/VoiceStore.laws.js"
