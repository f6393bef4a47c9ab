/**
 * Words of listeners, in English and eleven languages of India: in their own script, and in the Latin one, in which transcribers
 * write speech that mixes them with English.
 */
const words = {
  English: "yes yeah yep okay ok right sure mm mhm mm-hmm uh-huh hm hmm hmmm ah oh i see",
  Assamese: "হয় অঁ হুঁ ঠিক আছে বাৰু",
  Bengali: "হ্যাঁ হ্যা হুম হুঁ আচ্ছা ঠিক আছে hyan accha achha thik ache",
  Gujarati: "હા હં હમ્મ જી સારું સારુ બરાબર ઠીક છે haa saru barabar thik chhe",
  Hindi: "हाँ हां हा जी अच्छा ठीक है हम्म हूँ हूं सही haan haanji han ji accha acha theek hai sahi",
  Kannada: "ಹೌದು ಹಾಂ ಹಾ ಸರಿ ಹೂಂ ಹಮ್ ಆಯ್ತು haudu howdu sari aytu",
  Malayalam: "അതെ അതേ ഉവ്വ് ശരി ആ ഉം ഹും athe uvvu sheri shari",
  Marathi: "हो होय बरं बर ठीक आहे बरोबर ho hoy bara barobar aahe",
  Odia: "ହଁ ହଉ ଆଜ୍ଞା ଠିକ୍ ଠିକ ଅଛି ହୁଁ achhi",
  Punjabi: "ਹਾਂ ਹਾਂਜੀ ਜੀ ਅੱਛਾ ਠੀਕ ਹੈ ਹੂੰ",
  Tamil: "ஆமா ஆமாம் ஆம் சரி ம் ம்ம் ஹ்ம் ஓ aama aamaam aam seri",
  Telugu: "అవును అవునండి ఆ హా సరే సరి ఊ ఊఁ avunu sare"
} as const

const backchannels: ReadonlySet<string> = new Set(
  Object.values(words).flatMap((each) => each.normalize("NFC").split(" "))
)

/** Most words of a backchannel. */
const maxWords = 3

/**
 * Returns true for words with which a listener only shows that they listen, such as "okay", "haan" or "అవును", and for no words.
 * They do not interrupt the agent.
 */
export const isBackchannel = (text: string): boolean => {
  const parts = text.normalize("NFC").toLowerCase().match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'-]*/gu) ?? []
  return parts.length <= maxWords && parts.every((part) => backchannels.has(part))
}
