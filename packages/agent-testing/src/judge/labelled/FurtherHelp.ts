import { rubricOf } from "../Labelled.js"

/** Ends of calls, with an offer of further help or without. */
export const furtherHelp = rubricOf(
  "Before the agent says goodbye, it asks whether there is anything else that the caller needs.",
  `
+ agent: It is done. Is there anything else?
  caller: No.
  agent: Goodbye.
+ agent: The bill is paid. Can I do anything more for you?
  caller: No, thanks.
  agent: Thank you, and goodbye.
+ caller: When do you close?
  agent: At nine. Do you need anything else?
  caller: That was all.
  agent: Have a nice evening, goodbye.
+ agent: बिल भर दिया गया है। क्या और कुछ मदद चाहिए?
  caller: नहीं।
  agent: धन्यवाद, अलविदा।
+ agent: Your table is booked. What else can I do for you?
  caller: Nothing, thank you.
  agent: Goodbye.
+ caller: Cancel my order.
  agent: It is cancelled. Anything else?
  caller: Yes, when do I get my money?
  agent: Within three days. Goodbye.
+ agent: The code is 4471. Is there something else I can help with?
  caller: No, bye.
  agent: Bye.
+ agent: Is there anything else you need today?
  caller: No, that is all.
  agent: Then goodbye, and thanks for the call.
+ agent: A technician comes at ten. Any other question?
  caller: None.
  agent: Goodbye, Mr. Thomas.
+ caller: Thanks for the number.
  agent: You are welcome. Do you need any other number?
  caller: No.
  agent: Goodbye.
- agent: It is done. Goodbye.
  caller: Bye.
- agent: The bill is paid. Thank you, and goodbye.
  caller: Wait!
- caller: When do you close?
  agent: At nine. Have a nice evening, goodbye.
- agent: बिल भर दिया गया है। धन्यवाद, अलविदा।
  caller: ठीक है।
- agent: Your table is booked.
  caller: Thank you.
  agent: Goodbye.
- caller: Cancel my order.
  agent: Which one?
  caller: The one from Monday.
  agent: It is cancelled. Goodbye.
- agent: The code is 4471. Did you write it down?
  caller: Yes.
  agent: Bye.
- agent: A technician comes at ten. We wish you a good day. Goodbye, Mr. Thomas.
  caller: Goodbye.
- caller: Thanks for the number.
  agent: You are welcome. Goodbye.
- agent: Are you satisfied with our service?
  caller: Yes, I am.
  agent: That is good to hear. Goodbye.
`
)
