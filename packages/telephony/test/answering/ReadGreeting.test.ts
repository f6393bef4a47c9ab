import { assert, describe, it } from "@effect/vitest"
import { readGreeting } from "@trunkline/telephony"

const meanings = {
  person: [
    "He is not available right now",
    "I'm busy now, please call me later",
    "Can I take a message for her?",
    "Yes, who is this?",
    "वो अभी उपलब्ध नहीं हैं",
    "हाँ जी बोलिए",
    "abhi busy hoon, baad mein call karo",
    "¿Quién habla?",
    "Leave me alone",
    "She can't come to the phone right now",
    "Which number are you calling?",
    "You have got the wrong number",
    "आपने गलत नंबर लगाया है",
    "मैं क्लास में हूँ"
  ],
  machine: [
    "The person you are calling is not available",
    "Hi, this is Priya, I can't come to the phone",
    "If you would like to leave a message, speak now",
    "कृपया बीप के बाद अपना संदेश छोड़ें",
    "kripya beep ke baad message chhodein",
    "Deje su mensaje después del tono",
    "Bitte hinterlassen Sie eine Nachricht nach dem Signalton"
  ],
  screening: [
    "The person you're calling is using a screening service",
    "Please state your name and the reason for your call",
    "कृपया अपना नाम और कॉल करने का कारण बताएं"
  ],
  ivr: ["For English, press one", "हिंदी के लिए एक दबाएं"],
  recording: [
    "The person you are calling",
    "जिस व्यक्ति को आप",
    "Nine eight one zero",
    "9820",
    "Your call has",
    "आपके द्वारा मिलाया"
  ],
  opening: [
    "I'm not here",
    "I am not here",
    "Sorry, I missed your call",
    "This is Asha, I",
    "Hi, this is Asha",
    "Asha here, sorry",
    "If you'd like",
    "आपने आशा को",
    "हम अभी"
  ],
  office: ["Thank you for calling Acme", "Welcome to Acme"]
} as const

describe("the first words of a call", () => {
  for (const [meaning, texts] of Object.entries(meanings)) {
    it.each(texts)(`tell of ${meaning}: %s`, (text) => {
      assert.strictEqual(readGreeting(text), meaning)
    })
  }

  it.each([
    "",
    "Hello",
    "नमस्ते",
    "Hi there",
    "Good morning",
    "Hello, this is Asha",
    "This is Asha from",
    "Leave it at the gate",
    "This phone belongs to"
  ])(
    "tell nothing that anybody could say: %s",
    (text) => {
      assert.isNull(readGreeting(text))
    }
  )
})
