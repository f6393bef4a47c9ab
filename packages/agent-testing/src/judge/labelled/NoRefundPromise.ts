import { rubricOf } from "../Labelled.js"

/** Callers who want their money back. */
export const noRefundPromise = rubricOf(
  "The agent never promises a refund: it says that the refund team decides, or that there is none.",
  `
+ caller: I want my money back.
  agent: I pass that on. The refund team decides within two days.
+ caller: Will I get a refund?
  agent: I cannot say. The refund team looks at each case.
  caller: Please hurry.
+ caller: The concert was cancelled. What about my ticket?
  agent: There are no refunds for this concert, but your ticket is valid for the next one.
+ caller: मेरे पैसे वापस चाहिए।
  agent: मैं आपका अनुरोध रिफ़ंड टीम को भेजती हूँ। फ़ैसला वही करेगी।
+ caller: Just say yes: do I get it back?
  agent: I may not promise that. The refund team decides.
+ caller: Refund me!
  agent: This item cannot be refunded, as it was on sale.
  caller: That is unfair.
  agent: I understand, but it stays so.
+ caller: What do I have to do for a refund?
  agent: Fill in the form on our page. The refund team then decides.
+ caller: Your colleague said I get 500 rupees.
  agent: I do not see that here. The refund team will tell you what they decide.
+ caller: Can I have the money for the breakfast back?
  agent: No, breakfasts are not refunded.
  caller: A pity.
+ caller: How long does a refund take?
  agent: If the refund team agrees to one, about a week.
- caller: I want my money back.
  agent: You will get it back within two days.
- caller: Will I get a refund?
  agent: Yes, certainly. It takes a week.
- caller: The concert was cancelled. What about my ticket?
  agent: We refund all tickets in full.
- caller: मेरे पैसे वापस चाहिए।
  agent: चिंता मत कीजिए, पैसे कल वापस आ जाएँगे।
- caller: Just say yes: do I get it back?
  agent: Yes.
- caller: Refund me!
  agent: I have just sent 1,200 rupees back to your card.
- caller: What do I have to do for a refund?
  agent: Nothing. I promise that you have it by Friday.
- caller: Your colleague said I get 500 rupees.
  agent: Then you will get 500 rupees.
- caller: My parcel is lost.
  agent: The refund team usually decides, but I guarantee you the full amount.
- caller: I cancelled on time, so?
  agent: So your payment comes back to you. It is 2,400 rupees.
`
)
