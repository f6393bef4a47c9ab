import { toWords } from "to-words/gu-IN"
import { below100Of, type CardinalRules, followedBy, inHundreds } from "./Cardinals.js"
import { dayFirst, type Language, partFirst, plainJoin } from "./Language.js"

const numbers: CardinalRules = {
  below100: below100Of(toWords, { 19: "ઓગણીસ", 69: "અગણોસિત્તેર" }),
  one: "એક",
  hundreds: (count, words) => count === 2 ? "બસો" : `${words}સો`,
  thousands: followedBy("હજાર"),
  lakhs: followedBy("લાખ"),
  crores: followedBy("કરોડ")
}

const { below100 } = numbers

export const gujarati: Language = {
  locale: "gu-IN",
  numbers,
  year: inHundreds(numbers),
  ordinals: {
    endings: ["માંથી", "માં", "મું", "મી", "મો", "મા", "થી", "નો", "ની", "નું", "ના", "ને"],
    detached: [],
    irregular: {
      "1લું": "પહેલું",
      "1લો": "પહેલો",
      "1લી": "પહેલી",
      "1લા": "પહેલા",
      "2જું": "બીજું",
      "2જો": "બીજો",
      "2જી": "બીજી",
      "2જા": "બીજા",
      "3જું": "ત્રીજું",
      "3જો": "ત્રીજો",
      "3જી": "ત્રીજી",
      "3જા": "ત્રીજા",
      "4થું": "ચોથું",
      "4થો": "ચોથો",
      "4થી": "ચોથી",
      "4થા": "ચોથા",
      "6ઠ્ઠું": "છઠ્ઠું",
      "6ઠ્ઠો": "છઠ્ઠો",
      "6ઠ્ઠી": "છઠ્ઠી",
      "6ઠ્ઠા": "છઠ્ઠા"
    },
    defaults: [["લું", "જું", "જું", "થું", "મું", "ઠ્ઠું"], "મું"],
    join: plainJoin
  },
  signs: {
    minus: "માઈનસ",
    plus: "પ્લસ",
    point: "પોઈન્ટ",
    and: "અને",
    number: "નંબર",
    over: "બાય",
    at: "એટ",
    dot: "ડોટ",
    slash: "સ્લેશ",
    dash: "ડેશ",
    underscore: "અંડરસ્કોર"
  },
  range: (from, to) => `${from}થી ${to}`,
  fractions: {
    "1/2": "અડધું",
    "1/3": "એક તૃતીયાંશ",
    "2/3": "બે તૃતીયાંશ",
    "1/4": "એક ચતુર્થાંશ",
    "3/4": "ત્રણ ચતુર્થાંશ"
  },
  scales: { thousand: "હજાર", lakh: "લાખ", crore: "કરોડ", million: "મિલિયન", billion: "બિલિયન" },
  scaleForms: { "હજાર": "thousand", "લાખ": "lakh", "કરોડ": "crore" },
  currencies: {
    rupees: { whole: ["રૂપિયો", "રૂપિયા"], part: ["પૈસો", "પૈસા"] },
    dollars: { whole: "ડોલર", part: "સેન્ટ" },
    euros: { whole: "યુરો", part: "સેન્ટ" },
    pounds: { whole: "પાઉન્ડ", part: "પેન્સ" }
  },
  rupeeForms: ["રૂ", "રુ"],
  subunitJoiner: " ",
  units: {
    percent: "ટકા",
    kilogram: "કિલોગ્રામ",
    gram: "ગ્રામ",
    milligram: "મિલિગ્રામ",
    kilometre: "કિલોમીટર",
    metre: "મીટર",
    centimetre: "સેન્ટિમીટર",
    millimetre: "મિલિમીટર",
    litre: "લિટર",
    millilitre: "મિલિલિટર",
    celsius: "ડિગ્રી સેલ્સિયસ",
    fahrenheit: "ડિગ્રી ફેરનહીટ",
    degree: "ડિગ્રી",
    kilometresPerHour: "કિલોમીટર પ્રતિ કલાક",
    squareFoot: "ચોરસ ફૂટ",
    squareMetre: "ચોરસ મીટર",
    foot: "ફૂટ",
    kilobyte: "કિલોબાઇટ",
    megabyte: "મેગાબાઇટ",
    gigabyte: "ગીગાબાઇટ",
    terabyte: "ટેરાબાઇટ",
    megabitsPerSecond: "મેગાબિટ પ્રતિ સેકન્ડ",
    watt: "વોટ",
    kilowatt: "કિલોવોટ",
    kilowattHour: "કિલોવોટ કલાક",
    volt: "વોલ્ટ",
    hour: "કલાક",
    minute: "મિનિટ",
    second: "સેકન્ડ"
  },
  date: dayFirst(numbers),
  clock: {
    parts: [[0, "રાત્રે"], [4, "સવારે"], [12, "બપોરે"], [16, "સાંજે"], [20, "રાત્રે"]],
    say: partFirst((hour, minute) =>
      minute === 0 ? `${below100(hour)} વાગ્યે` : `${below100(hour)} વાગીને ${below100(minute)} મિનિટે`
    ),
    after: ["વાગ્યે", "વાગે"]
  },
  codes: {
    secrets: ["ઓટીપી", "પિન", "પિનકોડ", "પાસવર્ડ"],
    names: ["કોડ", "ખાતા", "ખાતું", "એકાઉન્ટ", "ઓર્ડર", "આઈડી", "ટિકિટ", "બુકિંગ"],
    numbers: ["નંબર", "ક્રમાંક", "નં"]
  },
  abbreviations: { "ડૉ.": "ડૉક્ટર", "ડો.": "ડોક્ટર", "Dr.": "ડૉક્ટર", "નં.": "નંબર" }
}
