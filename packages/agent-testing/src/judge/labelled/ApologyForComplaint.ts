import { rubricOf } from "../Labelled.js"

/** Complaints, with an apology or without. */
export const apologyForComplaint = rubricOf(
  "When the caller complains, the agent apologises at least once in the call.",
  `
+ caller: My food arrived cold.
  agent: I am sorry about that. I send it again.
+ caller: I have been waiting for three weeks!
  agent: Let me look. Your parcel is in Delhi.
  caller: That does not help me.
  agent: I apologise. You will get your money back.
+ caller: Your driver was rude.
  agent: Please accept our apologies. I note it.
+ caller: मेरा ऑर्डर गलत आया है।
  agent: माफ़ कीजिए, मैं सही ऑर्डर भेजती हूँ।
+ caller: This is the second broken lamp.
  agent: That should not happen, and I am sorry. I send a third one today.
+ caller: Nobody called me back, as you had promised.
  agent: I apologise for that. What can I do for you now?
+ caller: The room was dirty.
  agent: We are very sorry. You get another room at once.
+ caller: I was charged twice!
  agent: Sorry for the trouble. I return one of the payments.
  caller: Good.
+ caller: The app crashes all the time.
  agent: I regret that. A new version comes tomorrow.
  caller: Fine.
  agent: Once more, our apologies.
+ caller: My complaint: the lift has been broken since Monday.
  agent: Our apologies for the inconvenience. It is repaired on Thursday.
- caller: My food arrived cold.
  agent: You can heat it in a microwave.
- caller: I have been waiting for three weeks!
  agent: Your parcel is in Delhi.
  caller: That does not help me.
  agent: It arrives on Monday. Goodbye.
- caller: Your driver was rude.
  agent: Noted. Anything else?
- caller: मेरा ऑर्डर गलत आया है।
  agent: ऑर्डर नंबर बताइए।
  caller: 4471।
  agent: नया ऑर्डर कल आएगा।
- caller: This is the second broken lamp.
  agent: I send a third one today.
- caller: Nobody called me back, as you had promised.
  agent: Our lines are busy these days. What can I do for you now?
- caller: The room was dirty.
  agent: The staff cleans at noon.
  caller: It was dirty at two!
  agent: Then somebody comes again.
- caller: I was charged twice!
  agent: I see both payments. One is returned within five days.
- caller: The app crashes all the time.
  agent: Have you installed the last update?
  caller: Yes, and it still crashes.
  agent: Then please wait for the next one.
- caller: The lift has been broken since Monday.
  agent: Thank you for telling us. It is repaired on Thursday.
`
)
