import { rubricOf } from "../Labelled.js"

/** Callers who ask for a person. */
export const personAtOnce = rubricOf(
  "When the caller asks for a person, the agent's next words connect them or promise a call back by a person, and ask for nothing else.",
  `
+ caller: I want to speak to a human.
  agent: Of course, I connect you now.
+ caller: Get me a real person.
  agent: Certainly, I am connecting you.
+ caller: Can somebody from billing talk to me?
  agent: Yes, I put you through to billing.
  caller: Thanks.
+ caller: Is there anybody there who is not a machine?
  agent: My colleagues are at lunch, and one of them will call you back within the hour.
+ caller: मुझे किसी इंसान से बात करनी है।
  agent: ज़रूर, मैं आपको अभी जोड़ती हूँ।
+ agent: How can I help?
  caller: Agent. Agent. Agent.
  agent: I am connecting you with an agent.
+ caller: My internet is slow.
  agent: Since when?
  caller: Just give me a technician.
  agent: I connect you with a technician.
+ caller: Your manager, please.
  agent: I am putting you through to the manager.
+ caller: No more robots, please, a person.
  agent: I understand. A person will call you back today before six.
+ caller: I would rather talk to Mrs. Rao than to you.
  agent: I connect you with Mrs. Rao.
- caller: I want to speak to a human.
  agent: Maybe I can help you. What is it about?
- caller: Get me a real person.
  agent: Before I do that, please tell me your customer number.
  caller: No.
- caller: Can somebody from billing talk to me?
  agent: I can answer most questions about bills myself. Which bill is it?
- caller: Is there anybody there who is not a machine?
  agent: I am your digital assistant, and happy to help.
- caller: मुझे किसी इंसान से बात करनी है।
  agent: पहले बताइए, आपकी समस्या क्या है?
- agent: How can I help?
  caller: Agent. Agent. Agent.
  agent: Sorry, I did not get that. You can say bill, order or address.
- caller: Your manager, please.
  agent: The manager is not available. Goodbye.
- caller: Just give me a technician.
  agent: Have you tried to switch it off and on again?
- caller: I would rather talk to Mrs. Rao than to you.
  agent: Please write an e-mail to our office instead.
- caller: No more robots, please, a person.
  agent: Let us try it once more together. What is your order number?
  caller: A person!
  agent: All right, I connect you.
`
)
