export { doubleKeys, unknownVoice, type VoiceDouble, voiceDouble } from "./testing/VoiceDouble.js"
export { type AskedSpeech, type VoiceRefusals, type VoiceShape, voiceShapes } from "./testing/VoiceShapes.js"
