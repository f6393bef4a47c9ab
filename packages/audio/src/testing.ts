export { type AudioCodecsLaws, audioCodecsLaws } from "./codecs/laws/AudioCodecs.laws.js"
export { amplitudeOf, hertzOf, middleOf, type Tone, toneOf } from "./codecs/laws/LawSupport.js"
