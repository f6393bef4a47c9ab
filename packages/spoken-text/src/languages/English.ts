import { toWords } from "to-words/en-IN"
import { below100Of, type CardinalRules, cardinalWords, followedBy } from "./Cardinals.js"
import type { Language } from "./Language.js"

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

export const english: Language = {
  locale: "en-IN",
  numbers,
  year,
  yearHint: /(?:^|\s)(?:in|since|year|by|until|till|before|after|during|from|fy|mid|late|early)[ -]$/i,
  ordinals: { endings: ["st", "nd", "rd", "th"], detached: [], irregular: {}, defaults: [[], "th"], join: ordinal },
  signs: {
    minus: "minus",
    plus: "plus",
    point: "point",
    and: "and",
    number: "number",
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
    dollars: { whole: ["dollar", "dollars"], part: ["cent", "cents"] },
    euros: { whole: ["euro", "euros"], part: ["cent", "cents"] },
    pounds: { whole: ["pound", "pounds"], part: ["penny", "pence"] }
  },
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
  clock: {
    parts: [[0, "AM"], [12, "PM"]],
    say: (hour, minute, part) => {
      const minutes = minute === 0 ? [] : [`${minute < 10 ? "oh " : ""}${numbers.below100(minute)}`]
      const last = part ?? (minute === 0 ? "o'clock" : undefined)
      return [numbers.below100(hour), ...minutes, ...(last === undefined ? [] : [last])].join(" ")
    },
    after: ["hours", "hrs", "o'clock"]
  },
  codes: {
    secrets: ["otp", "pin", "pincode", "pin code", "cvv", "pnr", "passcode", "password", "dial"],
    names: [
      "code",
      "account",
      "a/c",
      "acct",
      "order",
      "id",
      "ref",
      "reference",
      "ticket",
      "booking",
      "invoice",
      "card",
      "policy",
      "token",
      "transaction",
      "txn",
      "helpline",
      "aadhaar"
    ],
    numbers: ["number", "no", "num", "id", "code", "ending in", "ending with"]
  },
  abbreviations: {
    "Dr.": "Doctor",
    "Mr.": "Mister",
    "Mrs.": "Missus",
    "Prof.": "Professor",
    "e.g.": "for example",
    "i.e.": "that is",
    "vs.": "versus",
    "approx.": "approximately",
    etc: "et cetera"
  }
}
