import { toWords } from "to-words/en-IN"
import { below100Of, type CardinalRules, cardinalWords, followedBy } from "./Cardinals.js"
import { type Language, listed, paired } from "./Language.js"

const numbers: CardinalRules = {
  below100: below100Of((number) => toWords(number).toLowerCase()),
  one: "one",
  hundreds: followedBy("hundred"),
  thousands: followedBy("thousand"),
  lakhs: followedBy("lakh"),
  crores: followedBy("crore")
}

/** Twenty twenty six, nineteen oh five, nineteen hundred, but two thousand five. */
const year = (number: number): string => {
  const rest = number % 100
  if (number < 1100 || number > 2099 || (number >= 2000 && number < 2010)) return cardinalWords(numbers, number)
  const century = numbers.below100((number - rest) / 100)
  if (rest === 0) return `${century} hundred`
  return `${century} ${rest < 10 ? "oh " : ""}${numbers.below100(rest)}`
}

const irregular: Readonly<Record<string, string>> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth"
}

const ordinal = (words: string): string =>
  words.replace(/[a-z]+$/, (last) => irregular[last] ?? (last.endsWith("y") ? `${last.slice(0, -1)}ieth` : `${last}th`))

/** Things that have a number, which is a code only after a word for it: "bill no 45821". */
const numberNames = listed(
  "bill, file, case, roll, gst, meter, serial, batch, lot, membership, customer, member, loan, claim, " +
    "policy, order, invoice, account"
).flatMap((thing) => [`${thing} no`, `${thing} number`])

export const english: Language = {
  locale: "en-IN",
  numbers,
  year,
  yearHint: /(?:^|\s)(?:in|since|year|by|until|till|before|after|during|from|fy|mid|late|early)[ -]$/i,
  ordinals: {
    endings: ["st", "nd", "rd", "th"],
    detachedEndings: [],
    irregular: {},
    defaults: [[], "th"],
    join: ordinal
  },
  signs: {
    minus: "minus",
    plus: "plus",
    point: "point",
    and: "and",
    number: "number",
    section: "section",
    over: "by",
    at: "at",
    dot: "dot",
    slash: "slash",
    dash: "dash",
    underscore: "underscore"
  },
  range: (from, to) => `${from} to ${to}`,
  fractions: {
    "1/2": "one half",
    "1/3": "one third",
    "2/3": "two thirds",
    "1/4": "one quarter",
    "3/4": "three quarters"
  },
  scales: { thousand: "thousand", lakh: "lakh", crore: "crore", million: "million", billion: "billion" },
  scaleForms: {},
  currencies: {
    rupees: { whole: ["rupee", "rupees"], part: ["paisa", "paise"] },
    taka: { whole: "taka", part: ["paisa", "paise"] },
    dollars: { whole: ["dollar", "dollars"], part: ["cent", "cents"] },
    euros: { whole: ["euro", "euros"], part: ["cent", "cents"] },
    pounds: { whole: ["pound", "pounds"], part: ["penny", "pence"] }
  },
  rupeeWords: {},
  rupeeEndings: {},
  countNouns: listed(
    "day, days, week, weeks, month, months, year, years, people, persons, times, points, units, pieces, " +
      "items, customers, members, rupee notes, steps"
  ),
  rupeeForms: [],
  subunitJoiner: " and ",
  units: {
    percent: "percent",
    kilogram: ["kilogram", "kilograms"],
    gram: ["gram", "grams"],
    milligram: ["milligram", "milligrams"],
    kilometre: ["kilometre", "kilometres"],
    metre: ["metre", "metres"],
    centimetre: ["centimetre", "centimetres"],
    millimetre: ["millimetre", "millimetres"],
    litre: ["litre", "litres"],
    millilitre: ["millilitre", "millilitres"],
    celsius: ["degree Celsius", "degrees Celsius"],
    fahrenheit: ["degree Fahrenheit", "degrees Fahrenheit"],
    degree: ["degree", "degrees"],
    kilometresPerHour: ["kilometre per hour", "kilometres per hour"],
    squareFoot: ["square foot", "square feet"],
    squareMetre: ["square metre", "square metres"],
    foot: ["foot", "feet"],
    kilobyte: ["kilobyte", "kilobytes"],
    megabyte: ["megabyte", "megabytes"],
    gigabyte: ["gigabyte", "gigabytes"],
    terabyte: ["terabyte", "terabytes"],
    megabitsPerSecond: ["megabit per second", "megabits per second"],
    watt: ["watt", "watts"],
    kilowatt: ["kilowatt", "kilowatts"],
    kilowattHour: ["kilowatt hour", "kilowatt hours"],
    volt: ["volt", "volts"],
    hour: ["hour", "hours"],
    minute: ["minute", "minutes"],
    second: ["second", "seconds"]
  },
  date: (day, month, year) => [ordinal(numbers.below100(day)), month, ...(year === undefined ? [] : [year])].join(" "),
  shortMonths: [],
  clock: {
    parts: [[0, "AM"], [12, "PM"]],
    say: (hour, minute, part) => {
      const minutes = minute === 0 ? [] : [`${minute < 10 ? "oh " : ""}${numbers.below100(minute)}`]
      const last = part ?? (minute === 0 ? "o'clock" : undefined)
      return [numbers.below100(hour), ...minutes, ...(last === undefined ? [] : [last])].join(" ")
    },
    after: { "hours": {}, "hrs": {}, "hr": {}, "o'clock": {} },
    cases: {},
    behind: {},
    to: ["to"],
    first: {},
    dayparts: [],
    partLast: true
  },
  codes: {
    secrets: listed("otp, otps, pin, pincode, pin code, mpin, cvv, pnr, passcode, password, dial"),
    labels: [...listed("gstin, ifsc, coupon, code, id, ref, reference, utr, token, awb"), ...numberNames],
    names: listed(
      "vehicle no., pan, imei, lic, loan, claim, account, a/c, acct, order, ticket, booking, invoice, card, " +
        "policy, transaction, txn, helpline, aadhaar, " +
        "cheque, tracking, consignment, docket, train, flight, room, flat, complaint, receipt, challan, folio, " +
        "consumer, passport, vehicle, employee, registration, gate pass, locker, number, no."
    ),
    numbers: ["number", "no", "num", "id", "code"],
    endings: listed(
      "ending, ending in, ending with, ending on, ends in, ends with, ended in, last # digits, last four, " +
        "last 4, final # digits"
    ),
    links: ["is", "are", "was", "reads"],
    owners: ["is", "is your", "is the", "is my", "as your", "as the"],
    typingWords: [],
    closings: []
  },
  abbreviations: paired(
    "Ph.D.=PhD, Ph. D.=PhD, M.Phil.=MPhil, B.Tech.=BTech, M.Tech.=MTech, B.Sc.=BSc, M.Sc.=MSc, B.Com.=BCom, " +
      "M.Com.=MCom, B.Ed.=BEd, tabs.=tablets, tab.=tablet, caps.=capsules, Extn.=extension, extn.=extension, " +
      "A/C no.=account number, A/C no=account number, A/C No.=account number, A/C No=account number, " +
      "A/c no.=account number, A/c no=account number, A/c No.=account number, A/c No=account number, " +
      "A/C #=account, Acc. no.=account number, Acc no.=account number, Acct no.=account number, " +
      "Acct. no.=account number, ref no.=reference number, ref no=reference number, " +
      "ref. no.=reference number, Ref no.=reference number, Ref no=reference number, " +
      "Ref No.=reference number, Ref. No.=reference number, Ref. no.=reference number, " +
      "Ref No=reference number, Blk.=block, Admn.=administration, Qtr.=quarter, u/s #=under section, " +
      "U/s #=under section, Mktg.=marketing, Coll.=College, Comm.=Commissioner, Prof.=Professor, " +
      "e.g.=for example, i.e.=that is, vs.=versus, approx.=approximately, etc=et cetera, " +
      "Dr.=Doctor, Mr.=Mister, Mrs.=Missus, M/s=Messrs, M/S=Messrs, Pvt.=Private, pvt.=private, PVT.=Private, " +
      "Ltd=Limited, LTD=Limited, Co.=Company, Inc.=Incorporated, Corp.=Corporation, Bros.=Brothers, " +
      "Govt=Government, govt=government, Mohd=Mohammed, Md.=Mohammed, Smt.=Shrimati, Sh.=Shri, Kum.=Kumari, " +
      "Tel.=telephone, Ph.=phone, Mob.=mobile, mob.=mobile, Ext.=extension, Dept=department, dept.=department, " +
      "Regd=registered, Asst.=Assistant, Addl.=Additional, Adv.=Advocate, Er.=Engineer, Capt.=Captain, " +
      "Col.=Colonel, Lt.=Lieutenant, Hon.=Honorable, Jr.=Junior, Sr.=Senior, Rd.=Road, Opp.=opposite, " +
      "opp.=opposite, Nr.=near, nr.=near, Bldg.=building, Apt.=apartment, Distt.=district, Dist.=district, " +
      "Qty.=quantity, Amt.=amount, Inv.=invoice, Ref.=reference, Acct.=account, A/c=account, " +
      "a/c no.=account number, a/c no=account number, a/c number=account number, c/o=care of, C/o=care of, " +
      "Nos.=numbers, p.a.=per annum, w.e.f.=with effect from, viz.=namely, incl.=including, excl.=excluding, " +
      "Jan.=January, Feb.=February, Mar.=March, Apr.=April, Jun.=June, Jul.=July, " +
      "Aug.=August, Sept.=September, Oct.=October, Nov.=November, Dec.=December, " +
      "Approx.=Approximately, Assoc. Prof.=Associate Professor, Asst. Prof.=Assistant Professor, " +
      "Assoc.=Association, Assn.=Association, Secy.=Secretary, Gen.=General, Maj.=Major, Brig.=Brigadier, " +
      "Sgt.=Sergeant, Insp.=Inspector, Commr.=Commissioner, Rev.=Reverend, Supt.=Superintendent, Dy.=Deputy, " +
      "Jt.=Joint, Mgr.=Manager, Retd.=retired, Messrs.=Messrs, Attn=attention, Hosp.=Hospital, hosp.=hospital, " +
      "Rly.=Railway, Stn.=Station, Jn.=Junction, Univ.=University, Engg.=Engineering, Mfg.=Manufacturing, " +
      "Corpn.=Corporation, Soc.=Society, Div.=Division, Mkt.=Market, Ind. Est.=Industrial Estate, " +
      "Dept. of Rev.=Department of Revenue, Flr.=floor, flr.=floor, Tal.=taluka, Teh.=tehsil, Vill.=village, " +
      "Sec. #=sector, Ave.=Avenue, Lic.=licence, Regn.=registration, Exp. date=expiry date, " +
      "exp. date=expiry date, Exp. #=expiry, Exp.=experience, Min. bal.=minimum balance, " +
      "min. bal.=minimum balance, min. balance=minimum balance, min. amount=minimum amount, " +
      "min. Amount=minimum amount, min. order=minimum order, min. payment=minimum payment, " +
      "min. due=minimum due, Min. Bal.=minimum balance, Min.=minimum, Max.=maximum, Avg.=average, " +
      "Bal.=balance, bal.=balance, Sr. No.=serial number, Sr. no.=serial number, Sl. No.=serial number, " +
      "Sl. no.=serial number, S. No.=serial number, Appt.=appointment, appt.=appointment, Contd.=continued, " +
      "contd.=continued, Recd.=received, recd.=received, Misc.=miscellaneous, Encl.=enclosed, " +
      "Estd.=established, Cust.=customer, pcs.=pieces, Pcs.=pieces, yrs.=years, Yrs.=years, mths.=months, " +
      "wks.=weeks, Dt. #=dated, dt. #=dated, amt.=amount, exp. on=expires on, Exp. on=expires on, " +
      "exp. #=expiry, Wt.=weight, Gr. Flr.=ground floor, Apts.=apartments, Txn.=transaction, txn.=transaction, " +
      "H. No.=house number, D. No.=door number, Shri.=Shri"
  )
}
