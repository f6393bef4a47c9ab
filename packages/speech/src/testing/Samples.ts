import type { LanguageCode } from "@trunkline/spoken-text"
import type { Reference } from "../Synthesizer.js"

/** "Your new bill is ready now" in each language. */
export const sampleTexts: Readonly<Record<LanguageCode, string>> = {
  "as-IN": "আপোনাৰ নতুন বিল এতিয়া সাজু হৈছে।",
  "bn-IN": "আপনার নতুন বিল এখন তৈরি হয়েছে।",
  "en-IN": "Your new bill is ready now.",
  "gu-IN": "તમારું નવું બિલ હવે તૈયાર છે.",
  "hi-IN": "आपका नया बिल अब तैयार है।",
  "kn-IN": "ನಿಮ್ಮ ಹೊಸ ಬಿಲ್ ಈಗ ಸಿದ್ಧವಾಗಿದೆ.",
  "ml-IN": "നിങ്ങളുടെ പുതിയ ബിൽ ഇപ്പോൾ തയ്യാറാണ്.",
  "mr-IN": "तुमचे नवीन बिल आता तयार आहे.",
  "od-IN": "ଆପଣଙ୍କ ନୂଆ ବିଲ୍ ଏବେ ପ୍ରସ୍ତୁତ ଅଛି।",
  "pa-IN": "ਤੁਹਾਡਾ ਨਵਾਂ ਬਿੱਲ ਹੁਣ ਤਿਆਰ ਹੈ।",
  "ta-IN": "உங்கள் புதிய பில் இப்போது தயாராக உள்ளது.",
  "te-IN": "మీ కొత్త బిల్లు ఇప్పుడు సిద్ధంగా ఉంది."
}

const rate = 16_000
const pitch = 120

/** A reference clip without transcript: six seconds of vowels at a pitch of 120 Hz, four per second. */
export const sampleReference: Reference = {
  audio: {
    rate,
    samples: Float32Array.from({ length: 6 * rate }, (_, at) => {
      const seconds = at / rate
      const loudness = 0.15 * (1 - Math.cos(2 * Math.PI * 4 * seconds)) / 2
      return [1, 2, 3, 4, 5, 6].reduce(
        (sum, harmonic) => sum + loudness * Math.sin(2 * Math.PI * pitch * harmonic * seconds) / harmonic,
        0
      )
    })
  },
  seconds: 6,
  text: null,
  language: null,
  voice_id: null
}
