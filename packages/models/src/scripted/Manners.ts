/** The polite sentences of one language, and how its speakers say the few things that every call needs. */
export interface Manners {
  readonly thanks: string
  readonly help: string
  readonly noted: string
  readonly more: string
  readonly farewell: string
  readonly callBack: string
  readonly ask: (what: string) => string
  /** A goodbye, a wish to be called later, a yes, a no: whole words. */
  readonly goodbye: ReadonlyArray<string>
  readonly later: ReadonlyArray<string>
  readonly yes: ReadonlyArray<string>
  readonly no: ReadonlyArray<string>
}

const english: Manners = {
  thanks: "Thank you.",
  help: "How can I help you?",
  noted: "I have noted that.",
  more: "Is there anything else?",
  farewell: "Thank you for your time. Goodbye.",
  callBack: "Of course, I will call you back. Goodbye.",
  ask: (what) => `May I know ${what}?`,
  goodbye: ["bye", "goodbye", "bye bye", "good night", "not interested", "hang up"],
  later: [
    "call me later",
    "call later",
    "call back",
    "call me back",
    "call me tomorrow",
    "busy right now",
    "i am busy"
  ],
  yes: ["yes", "yeah", "sure", "ok", "okay", "right", "correct"],
  no: ["no", "nope", "nothing", "not"]
}

const hindi: Manners = {
  thanks: "धन्यवाद।",
  help: "बताइए, आपको क्या मदद चाहिए?",
  noted: "मैंने यह लिख लिया है।",
  more: "क्या और कुछ है?",
  farewell: "आपके समय के लिए धन्यवाद। नमस्ते।",
  callBack: "ज़रूर, हम आपको बाद में फ़ोन करेंगे। नमस्ते।",
  ask: (what) => `कृपया बताइए: ${what}?`,
  goodbye: ["अलविदा", "बाय", "फ़ोन रखो", "फोन रखता हूँ", "फोन रखती हूँ", "रुचि नहीं"],
  later: ["बाद में", "कल फोन", "कल फ़ोन", "अभी व्यस्त"],
  yes: ["हाँ", "हां", "जी", "ठीक", "सही"],
  no: ["नहीं", "ना", "कुछ नहीं"]
}

const all = [english, hindi]

/** Hindi for a text in Devanagari, otherwise English. */
export const mannersOf = (text: string): Manners => /\p{Script=Devanagari}/u.test(text) ? hindi : english

/** How someone talks who is told to speak this language. */
export const mannersIn = (language_name: string): Manners => language_name === "Hindi" ? hindi : english

const wordsOf = (text: string): string =>
  ` ${text.normalize("NFC").toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim()} `

/** Whether a text says one thing, in any of the languages. */
export const means = (text: string, thing: "goodbye" | "later" | "yes" | "no"): boolean =>
  all.some((manners) => manners[thing].some((phrase) => wordsOf(text).includes(wordsOf(phrase))))
