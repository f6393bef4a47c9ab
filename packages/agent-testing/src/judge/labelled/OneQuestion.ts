import { rubricOf } from "../Labelled.js"

/** Agents who ask one thing at a time, or several. */
export const oneQuestion = rubricOf(
  "The agent never asks more than one question in one turn.",
  `
+ agent: What is your name?
  caller: Asha.
  agent: And your phone number, Asha?
  caller: 98 76 54.
+ agent: Good morning. How can I help?
  caller: My card is lost.
  agent: I am sorry. I block it now. Shall I send a new one?
+ agent: When did you arrive?
  caller: Yesterday.
  agent: Thank you, that is all I need.
+ caller: A taxi, please.
  agent: From where?
  caller: The station.
  agent: Where to?
+ agent: You are booked for Monday. Goodbye.
  caller: Goodbye.
+ agent: Which size do you need, small or large?
  caller: Large.
  agent: A large one is on its way.
+ agent: नमस्ते, आपका नाम क्या है?
  caller: रवि।
  agent: धन्यवाद रवि जी। आपका शहर?
+ agent: I see two orders. Is it the one from Monday?
  caller: Yes.
  agent: It arrives today.
+ agent: Please tell me your address.
  caller: 4 Lake Road.
  agent: Is that in Mysuru?
+ caller: Do you deliver?
  agent: Yes, we do. What would you like?
  caller: A soup.
  agent: A soup, all right. It is 120 rupees.
- agent: What is your name, and what is your phone number?
  caller: Asha, 98 76 54.
- agent: Good morning. How can I help? Are you a customer already?
  caller: Yes.
- caller: A taxi, please.
  agent: From where? Where to? And when?
- agent: When did you arrive?
  caller: Yesterday.
  agent: How long will you stay? Do you need a second key?
- agent: नमस्ते, आपका नाम क्या है? और आप किस शहर से हैं?
  caller: रवि, दिल्ली।
- agent: Which size do you need? And which colour?
  caller: Large, blue.
  agent: It is on its way.
- caller: I lost my card.
  agent: I am sorry. When did you lose it? Was there a payment since?
- agent: You are booked for Monday. Is there anything else? Would you like a reminder?
  caller: No.
- agent: Do you want to pay now?
  caller: Yes.
  agent: By card or by transfer? May I keep the card for next time?
- agent: How old is the child? Is it the first visit?
  caller: Three, and yes.
  agent: Thank you. Goodbye.
`
)
