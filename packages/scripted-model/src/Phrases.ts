import { excerpt } from "./Text.js"

/** Picks a wording: the first without a seed, another one with the next seed. */
export const pickWording = <A>(variants: readonly [A, ...ReadonlyArray<A>], seed: number | undefined): A =>
  variants[Math.abs(Math.trunc(seed ?? 0)) % variants.length] ?? variants[0]

/** Hashes the UTF-16 units of a text to a number from 0 up to 1 (32-bit FNV-1a). */
export const hashToUnit = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0) / 0x1_0000_0000
}

/** Wordings of the same sentence. Without a seed the first one is used. */
export type Wordings<A = string> = readonly [A, ...ReadonlyArray<A>]

/** Sentences of one language, and the phrases by which its speakers express common intents. */
export interface Phrases {
  readonly thanks: string
  readonly help: string
  readonly noted: string
  readonly more: string
  readonly farewell: string
  readonly callBack: string
  readonly ask: (subject: string) => string
  /** In writing: replies to a greeting, to thanks and to a goodbye. */
  readonly toGreeting: Wordings
  readonly toThanks: Wordings
  readonly toGoodbye: Wordings
  /** In writing: the user's message repeated, and a tool's result. */
  readonly youSaid: Wordings<(words: string) => string>
  readonly resultPhrase: Wordings<(tool: string, words: string) => string>
  /** Name for a tool without a known name. */
  readonly someTool: string
  readonly images: (kinds: ReadonlyArray<string>) => string
  /** Phrases of callers, as whole words: a goodbye, a request for a callback, yes and no. */
  readonly goodbye: ReadonlyArray<string>
  readonly later: ReadonlyArray<string>
  readonly yes: ReadonlyArray<string>
  readonly no: ReadonlyArray<string>
  /** Phrases in writing, as whole words: a greeting, thanks and a goodbye. */
  readonly greeting: ReadonlyArray<string>
  readonly gratitude: ReadonlyArray<string>
  readonly leave: ReadonlyArray<string>
}

const english: Phrases = {
  thanks: "Thank you.",
  help: "How can I help you?",
  noted: "I have noted that.",
  more: "Is there anything else?",
  farewell: "Thank you for your time. Goodbye.",
  callBack: "Of course, I will call you back. Goodbye.",
  ask: (subject) => `May I know ${subject}?`,
  toGreeting: [
    "Hello! How can I help you?",
    "Hi there! What can I do for you?",
    "Good to hear from you. How may I be of help?",
    "Welcome! What would you like to talk about?"
  ],
  toThanks: ["You are welcome.", "My pleasure.", "Glad to be of help.", "Any time."],
  toGoodbye: ["Goodbye, and take care.", "Bye for now.", "Until next time.", "Goodbye, it was good to talk to you."],
  youSaid: [
    (words) => `You said: ${words}`,
    (words) => `I hear you say: ${words}`,
    (words) => `In your words: ${words}`,
    (words) => `What I have from you is this: ${words}`
  ],
  resultPhrase: [
    (tool, words) => `This is what ${tool} found: ${words}`,
    (tool, words) => `According to ${tool}: ${words}`,
    (tool, words) => `I asked ${tool} and learned: ${words}`
  ],
  someTool: "a tool",
  images: (kinds) => `I was given ${kinds.length === 1 ? "an image" : `${kinds.length} images`} (${kinds.join(", ")}).`,
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
  no: ["no", "nope", "nothing", "not"],
  greeting: ["hello", "hi", "hey", "good morning", "good afternoon", "good evening", "how are you"],
  gratitude: ["thanks", "thank you", "many thanks"],
  leave: ["bye", "goodbye", "bye bye", "good night", "see you", "farewell", "take care"]
}

const hindi: Phrases = {
  thanks: "धन्यवाद।",
  help: "बताइए, आपको क्या मदद चाहिए?",
  noted: "मैंने यह लिख लिया है।",
  more: "क्या और कुछ है?",
  farewell: "आपके समय के लिए धन्यवाद। नमस्ते।",
  callBack: "ज़रूर, हम आपको बाद में फ़ोन करेंगे। नमस्ते।",
  ask: (subject) => `कृपया बताइए: ${subject}?`,
  toGreeting: [
    "नमस्ते! आपको क्या मदद चाहिए?",
    "नमस्कार! बताइए, क्या काम है?",
    "नमस्ते जी, कहिए।",
    "आपका स्वागत है! आज किस बारे में बात करें?"
  ],
  toThanks: ["आपका स्वागत है।", "कोई बात नहीं।", "यह तो मेरा काम है।", "मुझे ख़ुशी हुई।"],
  toGoodbye: ["नमस्ते, अपना ध्यान रखिए।", "अलविदा, फिर मिलेंगे।", "फिर मिलेंगे।", "नमस्ते, आपसे बात करके अच्छा लगा।"],
  youSaid: [
    (words) => `आपने कहा: ${words}`,
    (words) => `मैंने यह सुना: ${words}`,
    (words) => `आपके शब्दों में: ${words}`,
    (words) => `आपकी बात यह है: ${words}`
  ],
  resultPhrase: [
    (tool, words) => `${tool} से यह पता चला: ${words}`,
    (tool, words) => `${tool} के अनुसार: ${words}`,
    (tool, words) => `मैंने ${tool} से पूछा और यह मिला: ${words}`
  ],
  someTool: "उपकरण",
  images: (kinds) => `मुझे ${kinds.length} चित्र मिले (${kinds.join(", ")})।`,
  goodbye: ["अलविदा", "बाय", "फ़ोन रखो", "फोन रखता हूँ", "फोन रखती हूँ", "रुचि नहीं"],
  later: ["बाद में", "कल फोन", "कल फ़ोन", "अभी व्यस्त"],
  yes: ["हाँ", "हां", "जी", "ठीक", "सही"],
  no: ["नहीं", "ना", "कुछ नहीं"],
  greeting: ["नमस्ते", "नमस्कार", "प्रणाम", "हैलो", "हेलो", "namaste", "namaskar"],
  gratitude: ["धन्यवाद", "शुक्रिया", "dhanyavaad", "dhanyavad", "shukriya"],
  leave: ["अलविदा", "बाय", "फिर मिलेंगे", "शुभ रात्रि", "alvida", "phir milenge"]
}

const languages = [english, hindi]

/** Selects Hindi for a text in Devanagari, otherwise English. */
export const phrasesFor = (text: string): Phrases => /\p{Script=Devanagari}/u.test(text) ? hindi : english

/** Selects the phrases of a language by its English name; English by default. */
export const phrasesIn = (language_name: string): Phrases => language_name === "Hindi" ? hindi : english

/** An intent that is detected by phrases. */
export type Intent = "goodbye" | "later" | "yes" | "no" | "greeting" | "gratitude" | "leave"

/** Normalizes a text: lower case, with spaces for everything but letters and digits; long texts are shortened. */
const plain = (text: string): string =>
  ` ${excerpt(text).normalize("NFC").toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim()} `

const phrasesOf = (thing: Intent) => languages.map((manners) => ({ manners, phrases: manners[thing].map(plain) }))

const intents: Readonly<Record<Intent, ReturnType<typeof phrasesOf>>> = {
  goodbye: phrasesOf("goodbye"),
  later: phrasesOf("later"),
  yes: phrasesOf("yes"),
  no: phrasesOf("no"),
  greeting: phrasesOf("greeting"),
  gratitude: phrasesOf("gratitude"),
  leave: phrasesOf("leave")
}

/** Finds the language in which a text expresses an intent; undefined if it does in none. */
export const phrasesWithIntent = (text: string, thing: Intent): Phrases | undefined => {
  const words = plain(text)
  return intents[thing].find(({ phrases }) => phrases.some((phrase) => words.includes(phrase)))?.manners
}

/** Checks whether a text expresses an intent in any language. */
export const hasIntent = (text: string, thing: Intent): boolean => phrasesWithIntent(text, thing) !== undefined
