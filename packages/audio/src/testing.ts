export { type AudioCodecsLaws, audioCodecsLaws } from "./testing/AudioCodecs.laws.js"
export { amplitudeOf, hertzOf, middleOf, type SineTone, toneOf } from "./testing/LawSupport.js"
export { type VoiceActivityLaws, voiceActivityLaws } from "./testing/VoiceActivity.laws.js"
