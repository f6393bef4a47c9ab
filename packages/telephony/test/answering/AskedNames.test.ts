import { assert, describe, it } from "@effect/vitest"
import { readGreeting } from "@trunkline/telephony"

/** Sentences of people who ask for a name or a reason, or speak of services. */
const people = [
  "What did you say your name was?",
  "Sorry, what did you say your name is?",
  "Who did you say you were?",
  "Who did you say is calling and from where?",
  "Did you say your name was Rahul?",
  "You didn't say your name.",
  "You never told me your name, and you didn't say who you are and where you call from.",
  "Could you say your name again, please?",
  "Sorry, say your name once more.",
  "Can you tell me your name?",
  "Could you please give me your name first?",
  "Will you tell me your name or not?",
  "First tell me your name.",
  "Tell me your name.",
  "Tell me your name, please, and then I will listen.",
  "Just tell me who you are and what you want.",
  "Tell me who is calling and from which company.",
  "Who's calling?",
  "May I know who's calling?",
  "Can I ask who's calling, please?",
  "Who is this and what is this about?",
  "Why you are calling me again?",
  "I don't know why you are calling me.",
  "May I know why you are calling?",
  "What's the reason for your call?",
  "May I know the purpose of your call?",
  "Hold on, I'll check if she is free.",
  "Let me see if he is in.",
  "Truecaller is showing you as spam.",
  "It says on Truecaller that this is a fraud.",
  "Are you a virtual assistant?",
  "Am I speaking to an AI assistant?",
  "Is this an automated assistant or a real person?",
  "I don't talk to any AI assistant.",
  "Is this call screening or what?",
  "Do you have any identification, may I have your name and employee number?",
  "आपने अपना नाम क्या बताया?",
  "आपने अपना नाम तो बताया नहीं।",
  "पहले अपना नाम बताइए।",
  "आप अपना नाम बताएं पहले।",
  "अपना नाम फिर से बताइए।",
  "अपना नाम बताइए।",
  "भाई, अपना नाम बताओ।",
  "कौन बोल रहा है?",
  "आपका नाम क्या है?",
  "आपके कॉल की वजह क्या है?",
  "फ़ोन करने का कारण क्या है?",
  "मैं उनका असिस्टेंट बोल रहा हूँ।",
  "सर मीटिंग में हैं, मैं उनकी असिस्टेंट हूँ।",
  "क्या आप कोई एआई असिस्टेंट हैं?",
  "ट्रूकॉलर पर आपका नंबर स्पैम आ रहा है, सर।",
  "aapne apna naam kya bataya?",
  "apna naam bataya hi nahi aapne",
  "pehle apna naam batao",
  "bhai apna naam bataiye pehle",
  "aap apna naam bataiye na",
  "apna naam phir se bataiye",
  "sorry, aapka naam kya tha?",
  "kaun bol raha hai?",
  "who is calling, kaun bol raha hai?",
  "call karne ka karan kya hai?",
  "aapke call ki wajah kya hai bhai?",
  "Truecaller pe spam dikha raha hai",
  "aap virtual assistant ho kya?",
  "kya aap koi AI assistant hain?",
  "main unka assistant bol raha hoon"
]

/** Sentences of services that screen calls. */
const services = [
  "Please state your name and the reason for your call.",
  "Say your name, and why you're calling.",
  "State your name after the tone.",
  "Hi, if you record your name and reason for calling, I'll see if this person is available.",
  "Hi, say your name and why you're calling, and I'll see if they are free.",
  "The person you're calling is using a screening service. Please say who you are.",
  "Hi, I'm the Truecaller assistant. Who is calling?",
  "I'm a virtual assistant. What's the reason for your call?",
  "Hello, you're speaking to an AI assistant. May I know why you're calling?",
  "This is an automated assistant. Could you tell me your name?",
  "Can you tell me your name and the reason for your call?",
  "May I have your name and the purpose of your call?",
  "Tell me your name and why you are calling.",
  "Please tell me your name.",
  "If you say your name, I'll see if this person can talk.",
  "Hi, if you tell me your name and why you're calling, I'll ask.",
  "Please state who you are and hold while I see if they can answer.",
  "Please say who is calling and why.",
  "Sorry, I didn't get that. Please state your name and the reason for calling again.",
  "कृपया अपना नाम बताइए।",
  "कृपया अपना नाम और कॉल करने का कारण बताएं।",
  "अपना नाम और कॉल की वजह बताइए।",
  "यह कॉल स्क्रीनिंग सेवा है। आपके कॉल का कारण क्या है?",
  "नमस्ते, मैं प्रिया की डिजिटल असिस्टेंट हूँ। आप कौन बोल रहे हैं?",
  "kripya apna naam bataiye",
  "kripya apna naam aur call karne ka karan batayen",
  "main virtual assistant hoon, aapka naam kya hai?",
  "call screening chalu hai, apna naam bataiye"
]

describe("a question for a name", () => {
  it.each(people)("of a person is no screening: %s", (text) => {
    for (const words of [text, `Hello, ${text}`]) {
      assert.notInclude(["screening", "ivr", "machine", "recording"], readGreeting(words))
    }
  })

  it.each(services)("of a service is screening: %s", (text) => {
    assert.strictEqual(readGreeting(text), "screening")
  })
})
