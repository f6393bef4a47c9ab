import type { LanguageCode } from "@trunkline/spoken-text"

/** A sentence of words alone in each language: "Your new bill is ready now". */
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
