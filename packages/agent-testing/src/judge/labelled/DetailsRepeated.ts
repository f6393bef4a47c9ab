import { rubricOf } from "../Labelled.js"

/** Bookings, with the details repeated and agreed to or not. */
export const detailsRepeated = rubricOf(
  "Before the agent says that something is booked, it repeats the day and the time, and the caller agrees.",
  `
+ caller: A table tomorrow at eight.
  agent: Tomorrow at eight in the evening, is that right?
  caller: Yes.
  agent: It is booked.
+ caller: Can I see the doctor on Tuesday?
  agent: There is a slot on Tuesday at half past nine. Shall I take that one for you?
  caller: Please do.
  agent: Your appointment is booked.
+ agent: So that is Sunday the sixth, at four. Do you agree?
  caller: Exactly.
  agent: Then it is booked. See you on Sunday.
+ caller: Pick-up on Friday, around noon.
  agent: I have Friday at twelve. Correct?
  caller: Correct.
  agent: The pick-up is booked for you.
+ caller: कल शाम सात बजे की मेज़ चाहिए।
  agent: कल शाम सात बजे, ठीक है?
  caller: हाँ, ठीक है।
  agent: आपकी मेज़ बुक हो गई है।
+ caller: The haircut, on Saturday.
  agent: Saturday at eleven, or Saturday at two?
  caller: At two.
  agent: Saturday at two, then. May I book it?
  caller: Yes, you may.
  agent: Done, it is booked.
+ caller: Move my visit to Thursday.
  agent: Thursday at three in the afternoon?
  caller: That works.
  agent: It is booked anew.
+ agent: Monday, nine in the morning, room two. Shall I book that?
  caller: No, rather at ten.
  agent: Monday at ten, then?
  caller: Yes.
  agent: It is booked.
+ caller: A court for tonight, six o'clock.
  agent: Tonight at six. Is that what you want?
  caller: It is.
  agent: The court is booked.
+ agent: I repeat: the 14th of March at 5.30 pm. Is everything right?
  caller: All right.
  agent: Your test drive is booked.
- caller: A table tomorrow at eight.
  agent: It is booked. Anything else?
- caller: Can I see the doctor on Tuesday?
  agent: Your appointment is booked for Tuesday at half past nine.
  caller: Oh, that early?
- caller: Pick-up on Friday, around noon.
  agent: May I have your name?
  caller: Meera.
  agent: Thank you, Meera, the pick-up is booked.
- caller: कल शाम सात बजे की मेज़ चाहिए।
  agent: बुक हो गई। धन्यवाद।
- caller: The haircut, on Saturday.
  agent: Shall I book it?
  caller: Yes.
  agent: It is booked, for Saturday at two.
- agent: Sunday at four, is that right?
  caller: No, at five.
  agent: It is booked for five. Goodbye.
- caller: Move my visit to Thursday.
  agent: Done, it is booked for Thursday at three.
  caller: Thursday at three? I am at work then.
- caller: A court for tonight.
  agent: Which name?
  caller: Thomas.
  agent: Booked, Thomas. You play at six.
- agent: Do you want the usual appointment?
  caller: Yes, the usual one.
  agent: Then it is booked.
- caller: I would like a test drive.
  agent: Great, which car?
  caller: The small one.
  agent: Your test drive is booked, and we will write to you when it is.
`
)
