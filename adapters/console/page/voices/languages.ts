/** The languages that are spoken, by code. */
export const languages = {
  "as-IN": "Assamese",
  "bn-IN": "Bengali",
  "en-IN": "English",
  "gu-IN": "Gujarati",
  "hi-IN": "Hindi",
  "kn-IN": "Kannada",
  "ml-IN": "Malayalam",
  "mr-IN": "Marathi",
  "od-IN": "Odia",
  "pa-IN": "Punjabi",
  "ta-IN": "Tamil",
  "te-IN": "Telugu"
} as const

/** A first sentence in each, so that nobody faces an empty field. */
export const sentences: Readonly<Record<keyof typeof languages, string>> = {
  "as-IN": "নমস্কাৰ, মই আপোনাক কেনেকৈ সহায় কৰিব পাৰোঁ?",
  "bn-IN": "নমস্কার, আমি আপনাকে কীভাবে সাহায্য করতে পারি?",
  "en-IN": "Hello, how can I help you today?",
  "gu-IN": "નમસ્તે, હું તમને કેવી રીતે મદદ કરી શકું?",
  "hi-IN": "नमस्ते, मैं आपकी कैसे मदद कर सकती हूँ?",
  "kn-IN": "ನಮಸ್ಕಾರ, ನಾನು ನಿಮಗೆ ಹೇಗೆ ಸಹಾಯ ಮಾಡಲಿ?",
  "ml-IN": "നമസ്കാരം, ഞാൻ നിങ്ങളെ എങ്ങനെ സഹായിക്കണം?",
  "mr-IN": "नमस्कार, मी आपली कशी मदत करू शकते?",
  "od-IN": "ନମସ୍କାର, ମୁଁ ଆପଣଙ୍କୁ କିପରି ସାହାଯ୍ୟ କରିପାରିବି?",
  "pa-IN": "ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਮੈਂ ਤੁਹਾਡੀ ਕਿਵੇਂ ਮਦਦ ਕਰ ਸਕਦੀ ਹਾਂ?",
  "ta-IN": "வணக்கம், நான் உங்களுக்கு எப்படி உதவலாம்?",
  "te-IN": "నమస్కారం, నేను మీకు ఎలా సహాయం చేయగలను?"
}

export type Language = keyof typeof languages

export const isLanguage = (code: string): code is Language => code in languages
