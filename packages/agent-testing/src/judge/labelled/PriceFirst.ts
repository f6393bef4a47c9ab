import { rubricOf } from "../Labelled.js"

/** Offers, with the price before the caller agrees or without. */
export const priceFirst = rubricOf(
  "The agent tells the price of what it sells before the caller agrees to it.",
  `
+ agent: The deep cleaning is 1,499 rupees. Shall I book it?
  caller: Yes, go ahead.
  agent: It is booked for Friday.
+ caller: I want the bigger plan.
  agent: That one costs 799 a month. Do you want to change to it?
  caller: Okay, change it.
+ caller: Can you send a technician?
  agent: A visit is 350 rupees, everything included. Is that all right?
  caller: That is fine.
  agent: He will come tomorrow at ten.
+ agent: We have the morning bus for 620 rupees and the night bus for 540. Which one do you want?
  caller: The night bus.
  agent: Seat 14 is yours.
+ caller: How much is the extended warranty?
  agent: It is 2,200 rupees for two years.
  caller: Then add it, please.
+ agent: Would you like insurance with that? It is 49 rupees for each ticket.
  caller: No, thank you.
  agent: All right, without insurance. The tickets are 900 rupees together. Shall I book them?
  caller: Yes.
+ caller: नमस्ते, मुझे एक सिलेंडर चाहिए।
  agent: एक सिलेंडर नौ सौ तीन रुपये का है। क्या मैं बुक कर दूँ?
  caller: हाँ, कर दीजिए।
+ caller: Give me two large pizzas.
  agent: Two large ones are 998 rupees with delivery. Shall I place the order?
  caller: Do it.
  agent: They will be with you in forty minutes.
+ agent: The course fee is 12,000 rupees, in three parts if you like.
  caller: I will take it, in three parts.
  agent: Welcome to the course.
+ caller: I need a cab to the airport at five.
  agent: It will be between 850 and 950 rupees.
  caller: Book it.
- caller: I want the bigger plan.
  agent: Shall I change you to it now?
  caller: Yes.
  agent: Done. It costs 799 a month.
- caller: Can you send a technician?
  agent: Of course. Is tomorrow at ten good for you?
  caller: Yes, that is good.
  agent: Then he will come tomorrow at ten. Goodbye.
- agent: We have the morning bus and the night bus. Which one do you want?
  caller: The night bus.
  agent: Seat 14 is yours. Please pay 540 rupees to the driver.
- caller: Give me two large pizzas.
  agent: Shall I place the order?
  caller: Do it.
  agent: They will be with you in forty minutes.
- agent: Would you like the extended warranty? Most people take it.
  caller: Okay, add it.
  agent: It is added. You will find the amount on your bill.
- caller: मुझे एक सिलेंडर चाहिए।
  agent: क्या मैं अभी बुक कर दूँ?
  caller: हाँ।
  agent: बुक हो गया। नौ सौ तीन रुपये तैयार रखिए।
- agent: The full body check-up is very popular. Shall I put you down for Monday?
  caller: Monday is fine.
  agent: You are booked for Monday at eight.
- caller: I need a cab to the airport at five.
  agent: I can send one. Do you want it?
  caller: Yes, please.
  agent: It is on its way. The fare depends on the traffic.
- caller: What would a new battery cost?
  agent: Our technician will tell you when he is there. Shall I send him?
  caller: Well, send him then.
  agent: He comes at noon.
- agent: I can renew your subscription right now. Do you agree?
  caller: I agree.
  agent: It is renewed for a year, and 1,188 rupees are due.
`
)
