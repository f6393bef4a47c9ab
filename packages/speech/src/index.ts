export {
  GenerateFields,
  type GenerateRequest,
  readGenerateForm,
  referenceFile,
  type VoiceSource
} from "./forms/GenerateForm.js"
export { readStreamForm, StreamFields, type StreamRequest } from "./forms/StreamForm.js"
export { type FileField, type VoiceForm, type VoiceFormPart } from "./forms/VoiceForm.js"
export { Listener, type Listening } from "./Listener.js"
export {
  countedListenerLayer,
  countedTranscriberLayer,
  countedVoiceLayer,
  type SpeechProvider
} from "./metering/CountedSpeech.js"
export { modemTranscriber } from "./modem/ModemTranscriber.js"
export { type ModemFault, modemVoice, type ModemVoiceOptions } from "./modem/ModemVoice.js"
export { soundOf, type SoundOptions } from "./modem/SoundOf.js"
export { phraseBook, type PhraseBookOptions } from "./phrases/PhraseBook.js"
export { characterErrorRate } from "./quality/CharacterErrorRate.js"
export { type ExpectedSpeech, QualityCheck } from "./quality/QualityCheck.js"
export { isBetter, isGood, type TakeFault, type TakeQuality } from "./quality/TakeQuality.js"
export { type GeneratedSpeech } from "./speaking/SpeakWhole.js"
export { Speech, type SpeechOptions } from "./speaking/Speech.js"
export { type SpeechMeter, type SpeechRequestFailure, unmeteredSpeech } from "./speaking/SpeechMeter.js"
export {
  type Cloning,
  type Reference,
  type SpeechCapabilities,
  type SpeechFailure,
  type SynthesisInput,
  Synthesizer
} from "./Synthesizer.js"
export { Transcriber } from "./Transcriber.js"
export { CreateFields, type NewVoice, readCreateForm, voiceFile } from "./voices/CreateForm.js"
export { Voices, voicesByPlan } from "./voices/Voices.js"
export { Voice, voiceColumns, VoiceGender, voiceSorts, VoiceStore, VoiceStyle } from "./voices/VoiceStore.js"
