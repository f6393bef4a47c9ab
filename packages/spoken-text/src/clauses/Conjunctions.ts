import type { LanguageCode } from "../LanguageCode.js"

/** Words before which a long sentence can be cut, as a speaker would breathe there. */
export const conjunctions: Readonly<Record<LanguageCode, ReadonlySet<string>>> = {
  "as-IN": new Set(["আৰু", "কিন্তু", "কাৰণ", "যদি", "যিহেতু", "তেন্তে"]),
  "bn-IN": new Set(["এবং", "কিন্তু", "কারণ", "যদি", "তাই", "অথবা", "আর"]),
  "en-IN": new Set(["and", "but", "or", "because", "so", "which", "who", "when", "while", "if", "then", "although"]),
  "gu-IN": new Set(["અને", "પરંતુ", "પણ", "કારણ", "જો", "તો", "અથવા", "કે"]),
  "hi-IN": new Set(["और", "लेकिन", "मगर", "क्योंकि", "इसलिए", "अगर", "तो", "या", "कि", "जो"]),
  "kn-IN": new Set(["ಮತ್ತು", "ಆದರೆ", "ಏಕೆಂದರೆ", "ಅಥವಾ", "ಹಾಗೂ"]),
  "ml-IN": new Set(["എന്നാൽ", "പക്ഷേ", "കാരണം", "അല്ലെങ്കിൽ", "അതിനാൽ"]),
  "mr-IN": new Set(["आणि", "पण", "परंतु", "कारण", "जर", "तर", "किंवा", "म्हणून"]),
  "od-IN": new Set(["ଏବଂ", "କିନ୍ତୁ", "କାରଣ", "ଯଦି", "ଓ", "କିମ୍ବା"]),
  "pa-IN": new Set(["ਅਤੇ", "ਪਰ", "ਕਿਉਂਕਿ", "ਜੇ", "ਤਾਂ", "ਜਾਂ", "ਕਿ"]),
  "ta-IN": new Set(["மற்றும்", "ஆனால்", "ஏனெனில்", "அல்லது", "எனவே"]),
  "te-IN": new Set(["మరియు", "కానీ", "ఎందుకంటే", "లేదా", "కాబట్టి", "అయితే"])
}
