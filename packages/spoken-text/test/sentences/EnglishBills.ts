import type { Cases } from "../cases/Cases.js"

/** More sentences of invoices, appointments, deliveries, collections and bank messages. */
export const englishBills: Cases = [
  ["Your code is 4582-91.", "Your code is four five eight two, nine one."],
  ["GSTIN 29ABCDE1234F1Z5 is on the bill.", "GSTIN two nine ABCDE one two three four F one Z five is on the bill."],
  ["Use SAVE50 at checkout.", "Use SAVE five zero at checkout."],
  ["Quote 88123 when you call.", "Quote eight eight one two three when you call."],
  ["Call (022) 2345 6789 now.", "Call zero two two, two three four five, six seven eight nine now."],
  ["Rupees 500/- only.", "five hundred rupees only."],
  ["Please pay Rs ₹500 or ৳500 or $50 USD.", "Please pay five hundred rupees or five hundred taka or fifty dollars."],
  ["Open 9.30-18.30 daily.", "Open nine thirty to six thirty PM daily."],
  [
    "The train leaves at 0930 hours; the drive took 2000 hours.",
    "The train leaves at nine thirty AM; the drive took two thousand hours."
  ],
  ["Due by 5.12.26.", "Due by fifth December twenty twenty six."],
  [
    "She has a Ph.D. in physics, an M.Phil. and a B.Tech. degree.",
    "She has a PhD in physics, an MPhil and a BTech degree."
  ],
  [
    "Deduction under Sec. 80C applies in Sec. 17 Noida.",
    "Deduction under section eighty C applies in sector seventeen Noida."
  ],
  ["Your A/C no. 45821 is active.", "Your account number four five eight two one is active."],
  [
    "Quote ref no 88123 and policy no 55512.",
    "Quote reference number eight eight one two three and policy number five five five one two."
  ],
  [
    "Your bill number is 45821 and your bill no is 45822.",
    "Your bill number is four five eight two one and your bill number is four five eight two two."
  ],
  ["Call Extn. Rao. Extn. 204 is mine.", "Call extension Rao. extension two hundred four is mine."],
  ["Take 2 tabs. after food.", "Take two tablets after food."],
  ["Close all tabs. Open the app.", "Close all tabs. Open the app."],
  ["There are no 5 star hotels here.", "There are no five star hotels here."],
  [
    "He said version 1.2.26 and Android 5.12.26.",
    "He said version one dot two dot twenty six and Android five dot twelve dot twenty six."
  ],
  [
    "A4 paper, COVID-19, 10AM, 500GB and FY26.",
    "A four paper, COVID-nineteen, ten AM, five hundred gigabytes and FY twenty six."
  ],
  [
    "Your A/C no. XX4521 was debited for Rs. 1,250/- on 5.12.26 at 0930 hours.",
    "Your account number four five two one was debited for one thousand two hundred fifty rupees on fifth December twenty twenty six at nine thirty AM."
  ],
  [
    "Invoice no 2045-26 for Rupees 12,500/- is due on 15.1.27.",
    "Invoice number two zero four five, two six for twelve thousand five hundred rupees is due on fifteenth January twenty twenty seven."
  ],
  ["OTP 4582-91 is valid till 18.30 hrs.", "OTP four five eight two, nine one is valid till six thirty PM."],
  [
    "Apply code FLAT20 or WELCOME100 for Rs.200/- off.",
    "Apply code FLAT two zero or WELCOME one zero zero for two hundred rupees off."
  ],
  [
    "PAN ABCDE1234F and GSTIN 27AAPFU0939F1ZV are verified.",
    "PAN ABCDE one two three four F and GSTIN two seven AAPFU zero nine three nine F one ZV are verified."
  ],
  [
    "Vehicle MH12AB1234 is out for delivery, AWB no 4521-7788.",
    "Vehicle MH one two AB one two three four is out for delivery, AWB number four five two one, seven seven eight eight."
  ],
  [
    "Dial (080) 2345-6789, Extn. 204, between 10.00-17.30.",
    "Dial zero eight zero, two three four five, six seven eight nine, extension two hundred four, between ten o'clock to five thirty PM."
  ],
  [
    "Claim no 88123 under Sec. 24(b) of the Act is rejected.",
    "Claim number eight eight one two three under section twenty four(b) of the Act is rejected."
  ],
  [
    "Take 2 tabs. twice daily, then see Dr. Iyer, Ph.D., at 9.15-9.45.",
    "Take two tablets twice daily, then see Doctor Iyer, PhD, at nine fifteen to nine forty five."
  ],
  [
    "Quoting 55512 will help us; quote ref. no. 30457.",
    "Quoting five five five one two will help us; quote reference number three zero four five seven."
  ],
  [
    "The balance of INR Rs. 500 is due; pay ₹ 500/- rupees only.",
    "The balance of five hundred rupees is due; pay five hundred rupees only."
  ],
  [
    "Report at 1745 hours on 03.02.27 with roll no 45821.",
    "Report at five forty five PM on third February twenty twenty seven with roll number four five eight two one."
  ],
  [
    "IFSC SBIN0001234, A/C 00451278, amount Rs ₹8,450.50.",
    "IFSC SBIN zero zero zero one, two three four, account zero zero four five, one two seven eight, amount eight thousand four hundred fifty rupees and fifty paise."
  ],
  [
    "His seat no is 45, coach no B4, PNR no 4521778890.",
    "His seat number is forty five, coach number B four, PNR number four five two one, seven seven eight eight, nine zero."
  ],
  [
    "The score was 2.15 to 3.30 and version 2.1.26 is live.",
    "The score was two point one five to three point three zero and version two dot one dot twenty six is live."
  ],
  [
    "Our store is open 10.30-20.00; call (0484) 2345678.",
    "Our store is open ten thirty to eight PM; call zero four eight four, two three four five, six seven eight."
  ],
  [
    "Pls pay Rs 2,450/- (Rupees two thousand four hundred fifty only) by 7.11.26.",
    "Pls pay two thousand four hundred fifty rupees (Rupees two thousand four hundred fifty only) by seventh November twenty twenty six."
  ],
  [
    "Your pickup code: 7741-22. Share it only with the rider.",
    "Your pickup code: seven seven four one, two two. Share it only with the rider."
  ],
  [
    "8841 is the gate code; flat no 1204, Blk. C.",
    "eight eight four one is the gate code; flat number one two zero four, block C."
  ],
  [
    "Use coupon DIWALI250 to get Rs. 250 off on orders above Rs. 1,999/-.",
    "Use coupon DIWALI two five zero to get two hundred fifty rupees off on orders above one thousand nine hundred ninety nine rupees."
  ],
  [
    "Txn ID 4T78K2291 of Rs.750/- failed at 14.05 hrs.",
    "Txn ID four T seven eight K two two nine one of seven hundred fifty rupees failed at two oh five PM."
  ],
  [
    "EMI no 7 of loan no 00451278 is due on 05.11.26.",
    "EMI no seven of loan number zero zero four five, one two seven eight is due on fifth November twenty twenty six."
  ],
  [
    "Reach by 0615 hours, gate no 4, and carry form 16A.",
    "Reach by six fifteen AM, gate number four, and carry form sixteen A."
  ],
  [
    "Sec 138 of the NI Act and Sec. 9, Rohini.",
    "section one hundred thirty eight of the NI Act and sector nine, Rohini."
  ],
  [
    "Acct no. 1234-5678 and Cust. ID 90311.",
    "account number one two three four, five six seven eight and customer ID nine zero three one one."
  ]
]
