import { comparable } from "../announcements/Phrases.js"

/**
 * Questions of people that have the words of services that screen in them: for a name that they have not heard, for a reason
 * alone, and whether somebody is a machine. They are patterns of comparable words, each with a space before it and one after.
 */
const questions = [
  // Asks for a name again, or for a name alone.
  "(?:did|do|does|not|never|(?<! if )you) (?:you |not |just |even |ever |please )*(?:say|state|told|tell|give|gave) (?:me )?(?:your name|who (?:you|is))",
  "(?:say|state|tell me|give me) your name (?:again|first|once (?:more|again)|one more time)",
  "(?:say|tell me) who (?:you are|is calling) and (?:what you|where|from|how|which|who)",
  "(?:may|can|could) i have your name and (?:employee|your employee|id|company|designation|department|position)",
  // Asks for a reason alone, and not after a name.
  "(?:what is|what was|know|ask) (?:the|your) (?:reason|purpose) (?:for calling|for your call|of your call)",
  // Asks whether somebody is a machine, or refuses one.
  "(?:are you|is this|is it|am i (?:talking|speaking) (?:to|with)|you are|(?:talk|speak) (?:to|with)) (?:a|an|the|some|just a|just an|any|only an|only a) (?:virtual|digital|ai|automated|call|google) (?:assistant|screening)",
  "is (?:this|it) (?:call screening|a screening service)",
  // The same in Hindi, in both its letters.
  "(?:आपने|आप|पहले|फिर से|दोबारा|दुबारा|जरा|भाई|तो|एक बार) अपना नाम (?:तो )?(?:बता|बोल)\\S*",
  "अपना नाम (?:बता|बोल)\\S* (?:पहले|फिर|दोबारा|दुबारा|जरा|तो|भाई|जी|ना|न|नहीं|ही)",
  "(?:कॉल|फोन) (?:करने |)(?:का|की) (?:कारण|वजह|मकसद) क्या",
  "(?:का|की|के|उनका|उनकी|उनके|इनका|इनकी|मेरा|मेरी) (?:असिस्टेंट|असिस्टंट|सहायक)",
  "(?:आप|तुम|क्या) (?:आप |तुम |कोई |एक |सिर्फ )*(?:एआई |ai |वर्चुअल |डिजिटल )?(?:असिस्टेंट|असिस्टंट)",
  "(?:aapne|aap|pehle|phir se|dobara|zara|bhai|to|ek baar) apna naam (?:to )?(?:bata|bol)\\S*",
  "apna naam (?:bata|bol)\\S* (?:pehle|phir|dobara|zara|to|bhai|ji|na|nahi|nahin|hi)",
  "(?:call|phone) (?:karne |)(?:ka|ki) (?:karan|wajah|maksad) kya",
  "(?:aap|tum|kya) (?:aap |tum |koi |ek |sirf )*(?:ai |virtual |digital |call )(?:assistant|screening)"
]

const pattern = new RegExp(`(?<= )(?:${questions.map((one) => one.normalize("NFD")).join("|")})(?= )`, "gu")

/** Words after which a request for a name is that of a service, whoever else asks like that. */
const courtesies = ["please", "kripya", "कृपया"].map((word) => comparable(word).trim())

/** Comparable words without the questions of people: what is left tells whether a service that screens speaks. */
export const withoutPersonQuestions = (text: string): string =>
  text.replace(
    pattern,
    (question, at: number) => courtesies.some((word) => text.slice(0, at).endsWith(` ${word} `)) ? question : "…"
  )
