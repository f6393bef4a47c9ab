import { type Localized, saysPhrase } from "@trunkline/agents"

/** What an agent says when its definition has no words of its own. Other languages fall back to English. */
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
]

/** Whether someone takes leave with these words. */
export const saysGoodbye = (text: string): boolean => goodbyes.some((goodbye) => saysPhrase(text, goodbye))
