export { type AudioCodecsLaws, audioCodecsLaws } from "./testing/AudioCodecs.laws.js"
export { amplitudeOf, hertzOf, middleOf, type Tone, toneOf } from "./testing/LawSupport.js"
