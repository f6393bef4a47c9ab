import { toWords } from "to-words/or-IN"
import { below100Of, type CardinalRules, followedBy, inHundreds } from "./Cardinals.js"
import { dayFirst, firstOrdinals, type Language, partFirst, plainJoin } from "./Language.js"

const numbers: CardinalRules = {
  below100: below100Of((number) => toWords(number).replace(/ଶି$/u, "ଶ"), { 0: "ଶୂନ୍ୟ", 19: "ଊଣେଇଶ" }),
  one: "ଏକ",
  hundreds: (count, words) => count === 1 ? "ଶହେ" : `${words} ଶହ`,
  thousands: followedBy("ହଜାର"),
  lakhs: followedBy("ଲକ୍ଷ"),
  crores: followedBy("କୋଟି")
}

const { below100 } = numbers

/** The endings of the first ten ordinals. */
const first = ["ମ", "ୟ", "ୟ", "ର୍ଥ", "ମ", "ଷ୍ଠ", "ମ", "ମ", "ମ", "ମ"]

export const odia: Language = {
  locale: "or-IN",
  numbers,
  year: inHundreds(numbers),
  ordinals: {
    endings: ["ତମ", "ଟିର", "ଟି", "ଟାର", "ଟା", "ଜଣ", "ରେ", "ରୁ", "ର", "କୁ"],
    detached: ["ତମ"],
    irregular: firstOrdinals(
      first,
      ["ପ୍ରଥମ", "ଦ୍ୱିତୀୟ", "ତୃତୀୟ", "ଚତୁର୍ଥ", "ପଞ୍ଚମ", "ଷଷ୍ଠ", "ସପ୍ତମ", "ଅଷ୍ଟମ", "ନବମ", "ଦଶମ"]
    ),
    defaults: [first, "ତମ"],
    join: plainJoin
  },
  signs: {
    minus: "ମାଇନସ୍",
    plus: "ପ୍ଲସ୍",
    point: "ଦଶମିକ",
    and: "ଏବଂ",
    number: "ନମ୍ବର",
    over: "ବାଇ",
    at: "ଆଟ୍",
    dot: "ଡଟ୍",
    slash: "ସ୍ଲାସ୍",
    dash: "ଡାସ୍",
    underscore: "ଅଣ୍ଡରସ୍କୋର"
  },
  range: (from, to) => `${from}ରୁ ${to}`,
  fractions: {
    "1/2": "ଅଧା",
    "1/3": "ଏକ ତୃତୀୟାଂଶ",
    "2/3": "ଦୁଇ ତୃତୀୟାଂଶ",
    "1/4": "ଏକ ଚତୁର୍ଥାଂଶ",
    "3/4": "ତିନି ଚତୁର୍ଥାଂଶ"
  },
  scales: { thousand: "ହଜାର", lakh: "ଲକ୍ଷ", crore: "କୋଟି", million: "ମିଲିୟନ", billion: "ବିଲିୟନ" },
  scaleForms: { "ହଜାର": "thousand", "ଲକ୍ଷ": "lakh", "କୋଟି": "crore" },
  currencies: {
    rupees: { whole: "ଟଙ୍କା", part: "ପଇସା" },
    dollars: { whole: "ଡଲାର", part: "ସେଣ୍ଟ" },
    euros: { whole: "ୟୁରୋ", part: "ସେଣ୍ଟ" },
    pounds: { whole: "ପାଉଣ୍ଡ", part: "ପେନ୍ସ" }
  },
  rupeeForms: [],
  subunitJoiner: " ",
  units: {
    percent: "ପ୍ରତିଶତ",
    kilogram: "କିଲୋଗ୍ରାମ",
    gram: "ଗ୍ରାମ",
    milligram: "ମିଲିଗ୍ରାମ",
    kilometre: "କିଲୋମିଟର",
    metre: "ମିଟର",
    centimetre: "ସେଣ୍ଟିମିଟର",
    millimetre: "ମିଲିମିଟର",
    litre: "ଲିଟର",
    millilitre: "ମିଲିଲିଟର",
    celsius: "ଡିଗ୍ରୀ ସେଲସିୟସ",
    fahrenheit: "ଡିଗ୍ରୀ ଫାରେନହାଇଟ",
    degree: "ଡିଗ୍ରୀ",
    kilometresPerHour: "ଘଣ୍ଟା ପ୍ରତି {} କିଲୋମିଟର",
    squareFoot: "ବର୍ଗଫୁଟ",
    squareMetre: "ବର୍ଗମିଟର",
    foot: "ଫୁଟ",
    kilobyte: "କିଲୋବାଇଟ",
    megabyte: "ମେଗାବାଇଟ",
    gigabyte: "ଗିଗାବାଇଟ",
    terabyte: "ଟେରାବାଇଟ",
    megabitsPerSecond: "ସେକେଣ୍ଡ ପ୍ରତି {} ମେଗାବିଟ",
    watt: "ୱାଟ",
    kilowatt: "କିଲୋୱାଟ",
    kilowattHour: "କିଲୋୱାଟ ଘଣ୍ଟା",
    volt: "ଭୋଲ୍ଟ",
    hour: "ଘଣ୍ଟା",
    minute: "ମିନିଟ",
    second: "ସେକେଣ୍ଡ"
  },
  date: dayFirst(numbers),
  clock: {
    parts: [[0, "ରାତି"], [4, "ସକାଳ"], [12, "ଅପରାହ୍ନ"], [17, "ସନ୍ଧ୍ୟା"], [20, "ରାତି"]],
    say: partFirst((hour, minute) => {
      const said = hour === 1 ? "ଗୋଟାଏ" : `${below100(hour)}ଟା`
      return minute === 0 ? said : `${said} ${below100(minute)} ମିନିଟ`
    }),
    after: ["ଟାରେ", "ଟା"]
  },
  codes: {
    secrets: ["ଓଟିପି", "ପିନ୍", "ପିନ", "ପିନକୋଡ", "ପାସୱାର୍ଡ"],
    names: ["କୋଡ୍", "କୋଡ", "ଆକାଉଣ୍ଟ", "ଖାତା", "ଅର୍ଡର", "ଆଇଡି", "ଟିକେଟ", "ବୁକିଂ"],
    numbers: ["ନମ୍ବର", "ନଂ"]
  },
  abbreviations: { "ଡା.": "ଡାକ୍ତର", "ଡ.": "ଡକ୍ଟର", "Dr.": "ଡକ୍ଟର", "ନଂ.": "ନମ୍ବର" }
}
