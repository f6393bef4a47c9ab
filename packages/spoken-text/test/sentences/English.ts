import type { Cases } from "../cases/Cases.js"

export const english: Cases = [
  ["Your verification code is 4582.", "Your verification code is four five eight two."],
  ["Use code 90311 to log in.", "Use code nine zero three one one to log in."],
  [
    "482913 is your OTP for ₹1,250.00 at Big Bazaar.",
    "four eight two, nine one three is your OTP for one thousand two hundred fifty rupees at Big Bazaar."
  ],
  [
    "The OTP for your payment of Rs. 8,450.50 is 771204.",
    "The OTP for your payment of eight thousand four hundred fifty rupees and fifty paise is seven seven one, two zero four."
  ],
  ["The PIN stays valid for 300 seconds.", "The PIN stays valid for three hundred seconds."],
  ["Your card ending 4521 was used at 9.30 pm.", "Your card ending four five two one was used at nine thirty PM."],
  ["A/c XX4521 is credited with INR 12,000.", "account four five two one is credited with twelve thousand rupees."],
  ["Your account ending in 0789 is active.", "Your account ending in zero seven eight nine is active."],
  ["The last four digits of your card are 7788.", "The last four digits of your card are seven seven eight eight."],
  [
    "Cards ending 4521 and 7788 are blocked.",
    "Cards ending four five two one and seven seven eight eight are blocked."
  ],
  ["The number ends with 21.", "The number ends with two one."],
  [
    "Please quote ticket no. 30457 when you call.",
    "Please quote ticket number three zero four five seven when you call."
  ],
  [
    "Cheque number 004512 for ₹75,000 has bounced.",
    "Cheque number zero zero four, five one two for seventy five thousand rupees has bounced."
  ],
  ["Your appointment is at 9.30 tomorrow.", "Your appointment is at nine thirty tomorrow."],
  ["The doctor sees patients from 9.30 to 10.30 am.", "The doctor sees patients from nine thirty to ten thirty AM."],
  ["We are open from 10.00 to 18.30 hrs.", "We are open from ten o'clock to six thirty PM."],
  ["Dr. Rao can see you at 5.15 p.m. on Jan. 5.", "Doctor Rao can see you at five fifteen PM on fifth January."],
  [
    "Come between 9.30 and 11.45 a.m. with your reports.",
    "Come between nine thirty and eleven forty five AM with your reports."
  ],
  ["The train leaves at 0615 hrs.", "The train leaves at six fifteen AM."],
  [
    "The slot is 4-5.30 pm on 15/08/2026.",
    "The slot is four PM to five thirty PM on fifteenth August twenty twenty six."
  ],
  ["The rate is 9.30 percent a year.", "The rate is nine point three zero percent a year."],
  [
    "The loan runs at 8.50% p.a. for 5 years.",
    "The loan runs at eight point five zero percent per annum for five years."
  ],
  ["Your bill is 1,250.00 rupees.", "Your bill is one thousand two hundred fifty rupees."],
  [
    "Your bill is 8450.50 rupees, due by Feb. 7.",
    "Your bill is eight thousand four hundred fifty rupees and fifty paise, due by seventh February."
  ],
  ["Please pay ₹8450.5 today.", "Please pay eight thousand four hundred fifty rupees and fifty paise today."],
  ["The late fee is ₹0.75 a day.", "The late fee is seventy five paise a day."],
  ["Rupees 2,500.25 only.", "two thousand five hundred rupees and twenty five paise only."],
  ["It costs 12.50 dollars.", "It costs twelve dollars and fifty cents."],
  [
    "The fare is ₹99.50-150.75.",
    "The fare is ninety nine rupees and fifty paise to one hundred fifty rupees and seventy five paise."
  ],
  ["We have raised ₹2.50 crore.", "We have raised two point five crore rupees."],
  [
    "Invoice INV-2045 of M/s. Sharma Traders Pvt. Ltd. is due.",
    "Invoice INV-two zero four five of Messrs Sharma Traders Private Limited is due."
  ],
  [
    "This is Mohd. Irfan of Acme Pvt. Ltd. Please call back.",
    "This is Mohammed Irfan of Acme Private Limited. Please call back."
  ],
  [
    "The Govt. office, opp. City Mall, M.G. Rd. Pune, is shut.",
    "The Government office, opposite City Mall, M.G. Road Pune, is shut."
  ],
  [
    "Tel. 020-2567 8901 or mob. 98200 12345.",
    "telephone zero two zero, two five six seven, eight nine zero one or mobile nine eight two zero zero, one two three four five."
  ],
  [
    "Your parcel, AWB 78451236, comes in vehicle KA 05 MH 1234.",
    "Your parcel, AWB seven eight four five, one two three six, comes in vehicle KA zero five MH one two three four."
  ],
  ["Deliver it to flat no. 1204 by 6.45 pm.", "Deliver it to flat number one two zero four by six forty five PM."],
  [
    "The driver is 2.5 km away and comes in 10-15 minutes.",
    "The driver is two point five kilometres away and comes in ten to fifteen minutes."
  ],
  [
    "Your EMI of Rs.4,999/- for Dec. 2026 is overdue by 12 days.",
    "Your EMI of four thousand nine hundred ninety nine rupees for December twenty twenty six is overdue by twelve days."
  ],
  [
    "Loan a/c no. 00451278 has a balance of ₹1,02,345.",
    "Loan account number zero zero four five, one two seven eight has a balance of one lakh two thousand three hundred forty five rupees."
  ],
  [
    "Pay 1,000 rupees or 2 instalments of 500.50 rupees.",
    "Pay one thousand rupees or two instalments of five hundred rupees and fifty paise."
  ],
  [
    "The order is 1500 rupees, for the year ending 2025.",
    "The order is one thousand five hundred rupees, for the year ending two thousand twenty five."
  ],
  ["Your OTP is 45-82-91.", "Your OTP is four five, eight two, nine one."],
  ["OTP: 12 34 56", "OTP: one two, three four, five six"],
  ["Your OTP is 12-05-26, not a date.", "Your OTP is one two, zero five, two six, not a date."],
  ["Your OTP is valid till 12-05-26.", "Your OTP is valid till twelfth May twenty twenty six."],
  ["Use 739204 to log in.", "Use seven three nine, two zero four to log in."],
  ["To log in, use 739204.", "To log in, use seven three nine, two zero four."],
  ["Enter 4582 when asked for the OTP.", "Enter four five eight two when asked for the OTP."],
  ["Use 1500 points to confirm.", "Use one thousand five hundred points to confirm."],
  ["Our helpline is 1800 123 4567.", "Our helpline is one eight zero zero, one two three, four five six seven."],
  [
    "Call the helpline 1860-266-2666 or 155261.",
    "Call the helpline one eight six zero, two six six, two six six six or one five five, two six one."
  ],
  ["Card *4521 and A/c x4521 are linked.", "Card four five two one and account four five two one are linked."],
  [
    "Accounts XX4521, XXXX4521 and *XX21 are closed.",
    "Accounts four five two one, four five two one and two one are closed."
  ],
  ["Card no. 4521 XXXX XXXX 7788 is blocked.", "Card number four five two one, seven seven eight eight is blocked."],
  ["Reply STOP to 56767.", "Reply STOP to five six seven six seven."],
  ["Send BAL to 1909 or call us on 1930.", "Send BAL to one nine zero nine or call us on one nine three zero."],
  ["We called 500 people.", "We called five hundred people."],
  ["Your flight AI 302 leaves at 6 pm.", "Your flight AI three zero two leaves at six PM."],
  [
    "Flight 6E 2134 is late and UK-955 is on time.",
    "Flight six E two one three four is late and UK-nine five five is on time."
  ],
  [
    "IndiGo 6E 345 to Delhi, and SG 8152 is delayed.",
    "IndiGo six E three four five to Delhi, and SG eight one five two is delayed."
  ],
  ["We use AI 500 times a day.", "We use AI five hundred times a day."],
  ["Your card expires 09/28.", "Your card expires September twenty twenty eight."],
  ["Valid thru 11/27, CVV 123.", "Valid thru November twenty twenty seven, CVV one two three."],
  ["The offer expires on 05/08.", "The offer expires on fifth August."],
  ["Policy no. 123/456/789 is active.", "Policy number one two three, four five six, seven eight nine is active."],
  ["Pay 1250/- rupees today.", "Pay one thousand two hundred fifty rupees today."],
  ["The fee is Rs. 1,250/- only.", "The fee is one thousand two hundred fifty rupees only."],
  ["Pay Rs. Five hundred by Friday.", "Pay rupees Five hundred by Friday."],
  ["Rs. 500/- (Rs. Five hundred only)", "five hundred rupees (rupees Five hundred only)"],
  ["We take Rs. The rest is free.", "We take rupees. The rest is free."],
  ["It costs Re. 1 only.", "It costs one rupee only."],
  [
    "Loan @ 8.5% p.a., 5 Nos. @ Rs. 200 each",
    "Loan at eight point five percent per annum, five numbers at two hundred rupees each"
  ],
  [
    "Nos. 5 and 6 of Apollo Hosp. Pune are with Southern Rly. staff.",
    "numbers five and six of Apollo Hospital Pune are with Southern Railway staff."
  ],
  [
    "The Dept. of Rev. has written to the Asst. Commr. Mr. Rao.",
    "The Department of Revenue has written to the Assistant Commissioner Mister Rao."
  ],
  ["He is at City Hosp. The doctor is in.", "He is at City Hospital. The doctor is in."],
  ["Deliver to 2nd Flr., Tal. Haveli, Dist. Pune.", "Deliver to second floor, taluka Haveli, district Pune."],
  ["Attn. Mr. Das of Messrs. Rao and Sons", "attention Mister Das of Messrs Rao and Sons"],
  [
    "Lic. No. 45678 lapses; Exp. date is 09/28.",
    "licence number four five six seven eight lapses; expiry date is September twenty twenty eight."
  ],
  ["The Min. bal. of Rs. 5,000 is low.", "The minimum balance of five thousand rupees is low."],
  ["The min. Amount is due.", "The minimum amount is due."],
  ["Wait 5 min. Please hold.", "Wait five minutes. Please hold."],
  ["It takes 5 min. by car.", "It takes five minutes by car."],
  ["Open Mon. to Fri. from 9 am, Sat. 10-2 pm.", "Open Monday to Friday from nine AM, Saturday ten o'clock to two PM."],
  ["Mon-Sat: 10 am to 7 pm", "Monday to Saturday: ten AM to seven PM"],
  ["Come on Tue., 5 Aug. or on Sat. Aug. 8.", "Come on Tuesday, fifth August or on Saturday eighth August."],
  ["Come on Mon. Please bring your card.", "Come on Monday. Please bring your card."],
  ["Lt. Gen. Singh and the Assoc. Secy. are here.", "Lieutenant General Singh and the Association Secretary are here."],
  ["Approx. 50 pcs. came by Sl. No. 7.", "Approximately fifty pieces came by serial number seven."],
  [
    "Cheque no. 004512 dt. 05/08/2026 is lost.",
    "Cheque number zero zero four, five one two dated fifth August twenty twenty six is lost."
  ],
  ["Your appt. is in Sec. 21, Ind. Est. Nashik.", "Your appointment is in sector twenty one, Industrial Estate Nashik."]
]
