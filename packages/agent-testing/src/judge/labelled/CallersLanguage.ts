import { rubricOf } from "../Labelled.js"

/** Calls in more than one language. */
export const callersLanguage = rubricOf(
  "Each time, the agent answers in the language of the caller's words just before.",
  `
+ caller: Hello, are you open?
  agent: Yes, until nine.
  caller: Thank you.
  agent: You are welcome.
+ caller: नमस्ते, क्या आप खुले हैं?
  agent: जी हाँ, रात नौ बजे तक।
+ caller: Hello, are you open?
  agent: Yes, until nine.
  caller: और रविवार को?
  agent: रविवार को हम बंद रहते हैं।
+ caller: வணக்கம், மேசை கிடைக்குமா?
  agent: கிடைக்கும். எத்தனை பேருக்கு?
  caller: Four people.
  agent: A table for four is free.
+ agent: Hello, how can I help?
  caller: Bonjour, parlez-vous français ?
  agent: Bien sûr. Comment puis-je vous aider ?
+ caller: ನಮಸ್ಕಾರ, ಬಿಲ್ ಎಷ್ಟು?
  agent: ನಿಮ್ಮ ಬಿಲ್ ಐನೂರು ರೂಪಾಯಿ.
  caller: ಧನ್ಯವಾದ.
  agent: ಸಂತೋಷ.
+ caller: मुझे बिल भरना है।
  agent: कौन सा बिल?
  caller: The one for electricity.
  agent: The electricity bill is 640 rupees.
  caller: ठीक है।
  agent: धन्यवाद।
+ caller: Guten Tag, ist der Laden offen?
  agent: Ja, bis achtzehn Uhr.
+ agent: नमस्ते, मैं आपकी क्या मदद करूँ?
  caller: Can we speak English?
  agent: Of course. How can I help you?
+ caller: হ্যালো, আপনারা কি খোলা?
  agent: হ্যাঁ, রাত আটটা পর্যন্ত।
- caller: नमस्ते, क्या आप खुले हैं?
  agent: Yes, until nine.
- caller: Hello, are you open?
  agent: जी हाँ, नौ बजे तक।
  caller: What?
- caller: Hello, are you open?
  agent: Yes, until nine.
  caller: और रविवार को?
  agent: On Sundays we are closed.
- caller: வணக்கம், மேசை கிடைக்குமா?
  agent: மன்னிக்கவும், எத்தனை பேருக்கு?
  caller: Four people.
  agent: நான்கு பேருக்கு மேசை இருக்கிறது.
- agent: Hello, how can I help?
  caller: Bonjour, parlez-vous français ?
  agent: Please say that again in English.
- caller: ನಮಸ್ಕಾರ, ಬಿಲ್ ಎಷ್ಟು?
  agent: आपका बिल पाँच सौ रुपये है।
- caller: मुझे बिल भरना है।
  agent: कौन सा बिल?
  caller: बिजली का।
  agent: The electricity bill is 640 rupees.
- caller: Guten Tag, ist der Laden offen?
  agent: Yes, until six.
  caller: Danke.
- agent: नमस्ते, मैं आपकी क्या मदद करूँ?
  caller: Can we speak English?
  agent: ज़रूर, बताइए।
- caller: হ্যালো, আপনারা কি খোলা?
  agent: Hello! We are open until eight.
  caller: আচ্ছা।
  agent: ধন্যবাদ।
`
)
