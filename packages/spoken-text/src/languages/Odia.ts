import { toWords } from "to-words/or-IN"
import { below100Of, type CardinalRules, followedBy, inHundreds } from "./Cardinals.js"
import { asking, dayFirst, firstOrdinals, type Language, listed, paired, partFirst, plainJoin } from "./Language.js"

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
    endings: ["ଟାରେ", "ଟାରୁ", "ଟାକୁ", "ଟିକୁ", "ତମ", "ଟିର", "ଟି", "ଟାର", "ଟା", "ଜଣ", "ରେ", "ରୁ", "ର", "କୁ"],
    detachedEndings: ["ତମ", "ଟା", "ଟି"],
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
    section: "ଧାରା",
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
    taka: { whole: "ଟାକା", part: "ପଇସା" },
    dollars: { whole: "ଡଲାର", part: "ସେଣ୍ଟ" },
    euros: { whole: "ୟୁରୋ", part: "ସେଣ୍ଟ" },
    pounds: { whole: "ପାଉଣ୍ଡ", part: "ପେନ୍ସ" }
  },
  rupeeWords: { "ଟଙ୍କାର": "ପଇସାର", "ଟଙ୍କାରେ": "ପଇସାରେ", "ଟଙ୍କାକୁ": "ପଇସାକୁ" },
  rupeeEndings: { "ର": "ଟଙ୍କାର", "ରେ": "ଟଙ୍କାରେ", "କୁ": "ଟଙ୍କାକୁ" },
  countNouns: listed("ଦିନ, ଦିନର, ଦିନରେ, ସପ୍ତାହ, ମାସ, ମାସର, ବର୍ଷ, ମିନିଟରେ, ମିନିଟର, ଘଣ୍ଟାରେ, ଘଣ୍ଟାର, ଜଣ, ଥର, ୟୁନିଟ"),
  rupeeForms: ["ଟ"],
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
  shortMonths: listed("ଜାନୁ, ଫେବୃ|ଫେବ୍ରୁ, , ଅପ୍ରେ|ଏପ୍ରି, , , ଜୁଲା, ଅଗ, ସେପ୍ଟେ, ଅକ୍ଟୋ, ନଭେ, ଡିସେ"),
  clock: {
    parts: [[0, "ରାତି"], [4, "ସକାଳ"], [12, "ଅପରାହ୍ନ"], [17, "ସନ୍ଧ୍ୟା"], [20, "ରାତି"]],
    say: partFirst((hour, minute) => {
      const hourWords = hour === 1 ? "ଗୋଟାଏ" : `${below100(hour)}ଟା`
      return minute === 0 ? hourWords : `${hourWords} ${below100(minute)} ମିନିଟ`
    }),
    after: {
      "ଟାରେ": { "ଟା": "ଟାରେ", "ଗୋଟାଏ": "ଗୋଟାଏରେ", "ମିନିଟ": "ମିନିଟରେ" },
      "ଟା": {},
      "ଘଣ୍ଟାରେ": { "ଟା": "ଟାରେ", "ମିନିଟ": "ମିନିଟରେ" },
      "ମିନିଟରେ": { "ଟା": "ଟାରେ", "ମିନିଟ": "ମିନିଟରେ" },
      "ଟାରୁ": { "ଟା": "ଟାରୁ", "ମିନିଟ": "ମିନିଟରୁ" },
      "ଟାର": { "ଟା": "ଟାର", "ମିନିଟ": "ମିନିଟର" }
    },
    cases: { "ରେ": { "ଟା": "ଟାରେ", "ମିନିଟ": "ମିନିଟରେ" }, "ରୁ": { "ଟା": "ଟାରୁ", "ମିନିଟ": "ମିନିଟରୁ" } },
    behind: asking("ପର୍ଯ୍ୟନ୍ତ, ସୁଦ୍ଧା", {}),
    to: ["ରୁ"],
    first: {},
    dayparts: listed("ସକାଳେ, ପୂର୍ବାହ୍ନ, ଅପରାହ୍ଣ, ଦିନ, ସନ୍ଧ୍ୟାରେ, ରାତିରେ, ଭୋର, ଦ୍ୱିପହର")
  },
  codes: {
    secrets: listed("ଓଟିପି, ପିନ୍, ପିନ, ପିନକୋଡ, ପିନ୍ କୋଡ୍, ପିନ୍‌କୋଡ୍, ପାସୱାର୍ଡ, ସିଭିଭି, ଲଗଇନ, ଲଗ୍ ଇନ୍, ଲଗଇନ୍"),
    labels: ["କୋଡ୍", "କୋଡ", "ଆଇଡି", "ଟୋକନ", "ରେଫରେନ୍ସ"],
    names: listed(
      "ଗାଡ଼ି, ଯାନ, ରେଜିଷ୍ଟ୍ରେସନ, ମିଟର, ପାର୍ସଲ, ଲୋନ, ଆକାଉଣ୍ଟ, ଖାତା, କାର୍ଡ, କାର୍ଡ୍, ଅର୍ଡର, ଟିକେଟ, ବୁକିଂ, ଚେକ, " +
        "ଚେକ୍, ପଲିସି, ଇନଭଏସ, ଟ୍ରେନ, ଟ୍ରେନ୍, " +
        "ଫ୍ଲାଇଟ, ରସିଦ, ଅଭିଯୋଗ, ଆଧାର, ହେଲ୍ପଲାଇନ, ନମ୍ବର, ନଂ, ନଂ., ଫ୍ଲାଇଟ୍, ବିମାନ"
    ),
    numbers: ["ନମ୍ବର", "ନଂ", "ସଂଖ୍ୟା"],
    endings: listed("ଶେଷ # ଅଙ୍କ, ଶେଷ # ସଂଖ୍ୟା, ଶେଷ # ନମ୍ବର"),
    links: ["ହେଉଛି", "ଅଟେ"],
    owners: ["ଆପଣଙ୍କ", "ଆପଣଙ୍କର"],
    typingWords: listed("ପ୍ରବେଶ କର, ଟାଇପ କର, ଲେଖନ୍ତୁ"),
    closings: listed("ରେ ଶେଷ, ରେ ସମାପ୍ତ, ରେ ସରୁଥିବା, କୁ ପଠା, ନମ୍ବରକୁ ପଠା, କୁ ଏସଏମଏସ, କୁ କଲ, କୁ ଫୋନ")
  },
  abbreviations: paired(
    "ଲେ. କର୍ଣ୍ଣେଲ=ଲେଫ୍ଟନାଣ୍ଟ କର୍ଣ୍ଣେଲ, ଅଧି.=ଅଧିକାରୀ, ଡା.=ଡାକ୍ତର, ଡ.=ଡକ୍ଟର, ନଂ.=ନମ୍ବର, ପ୍ରୋ.=ପ୍ରଫେସର, " +
      "ପ୍ରଫେ.=ପ୍ରଫେସର, ପ୍ରା.=ପ୍ରାଇଭେଟ, ଲି.=ଲିମିଟେଡ, କଂ.=କମ୍ପାନୀ, " +
      "ମେ.=ମେସର୍ସ, ତା.=ତାରିଖ, କି.ମି.=କିଲୋମିଟର, Dr.=ଡକ୍ଟର, Prof.=ପ୍ରଫେସର, Mr.=ମିଷ୍ଟର, M/s=ମେସର୍ସ, " +
      "Pvt.=ପ୍ରାଇଭେଟ, Ltd=ଲିମିଟେଡ, ଜି.=ଜିଲ୍ଲା, ମୋ. #=ମୋବାଇଲ, ରେଜି.=ରେଜିଷ୍ଟର୍ଡ"
  )
}
