import { type Localized, normalizeSpoken } from "@trunkline/agents"
import { Duration } from "effect"

/** Default texts of agents. Languages without a wording fall back to English. */
export const phrases = {
  inboundGreeting: { English: "Hello, how can I help you?", Hindi: "नमस्ते, बताइए, आपको क्या मदद चाहिए?" },
  outboundGreeting: {
    English: "Hello, this is an automated call. Do you have a moment?",
    Hindi: "नमस्ते, यह एक स्वचालित कॉल है। क्या आपके पास थोड़ा समय है?"
  },
  goodbye: { English: "Thank you. Goodbye.", Hindi: "धन्यवाद। नमस्ते।" },
  callBack: { English: "We will call you back. Goodbye.", Hindi: "हम आपको फिर फ़ोन करेंगे। नमस्ते।" },
  silence: { English: "Are you still there?", Hindi: "क्या आप सुन रहे हैं?" },
  again: { English: "Sorry, could you say that again?", Hindi: "माफ़ कीजिए, क्या आप फिर से कह सकते हैं?" },
  moment: { English: "One moment, please.", Hindi: "एक क्षण रुकिए।" },
  enterDigits: {
    English: "Please enter it with the keys of your phone.",
    Hindi: "कृपया इसे अपने फ़ोन के बटनों से दर्ज कीजिए।"
  },
  digitsMissing: { English: "Sorry, some digits are missing.", Hindi: "माफ़ कीजिए, कुछ अंक कम हैं।" },
  hold: { English: "Please hold, I am connecting you.", Hindi: "कृपया लाइन पर रहिए, मैं आपको जोड़ रही हूँ।" },
  acceptKey: { English: "Press {{key}} to take the call.", Hindi: "कॉल लेने के लिए {{key}} दबाइए।" },
  timeUp: {
    English: "We are running out of time, so I have to end this call. Goodbye.",
    Hindi: "समय समाप्त हो रहा है, इसलिए मुझे यह कॉल समाप्त करनी होगी। नमस्ते।"
  },
  broken: {
    English: "I am sorry, I cannot continue right now. Goodbye.",
    Hindi: "माफ़ कीजिए, अभी बात जारी नहीं रह सकती। नमस्ते।"
  }
} as const satisfies Record<string, Localized>

const goodbyes = [
  "bye",
  "goodbye",
  "good bye",
  "good night",
  "see you",
  "talk to you later",
  "अलविदा",
  "बाय",
  "फोन रखता हूँ",
  "फोन रखती हूँ",
  "फ़ोन रखता हूँ",
  "फ़ोन रखती हूँ"
].map((phrase) => ` ${normalizeSpoken(phrase)} `)

/** Returns true when a text contains a goodbye. */
export const saysGoodbye = (text: string): boolean => {
  const spokenText = ` ${normalizeSpoken(text)} `
  return goodbyes.some((goodbye) => spokenText.includes(goodbye))
}

/** Delay of a callback when the caller names none. */
const defaultDelay = Duration.hours(1)

const units: ReadonlyArray<readonly [RegExp, Duration.Duration]> = [
  [/(\d{1,4}) (?:min|mins|minute|minutes|मिनट)(?= |$)/u, Duration.minutes(1)],
  [/(\d{1,3}) (?:hour|hours|hr|hrs|घंटे|घंटा|घण्टे)(?= |$)/u, Duration.hours(1)],
  [/(\d{1,2}) (?:day|days|दिन)(?= |$)/u, Duration.days(1)]
]

/** The delay of a callback that a text asks for: a number of minutes, hours or days, tomorrow, or one hour by default. */
export const callbackDelay = (text: string): Duration.Duration => {
  const spokenText = normalizeSpoken(text)
  for (const [pattern, unit] of units) {
    const count = Number(pattern.exec(spokenText)?.[1] ?? 0)
    if (count > 0) return Duration.times(unit, count)
  }
  return / (?:tomorrow|कल) /u.test(` ${spokenText} `) ? Duration.days(1) : defaultDelay
}
