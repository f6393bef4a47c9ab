import { toWords } from "to-words/te-IN"
import { below100Of, type CardinalRules, cardinalWords, inHundreds, type ScaleWords } from "./Cardinals.js"
import { dayFirst, type Language, partFirst } from "./Language.js"

/** A scale with its plural, which has another form before more of the number and before nouns. */
const scale = (one: string, many: string, manyBefore: string): ScaleWords => (count, words, next) =>
  count === 1 ? one : `${words} ${next === "nothing" ? many : manyBefore}`

const hundreds = scale("వంద", "వందలు", "వందల")

const numbers: CardinalRules = {
  below100: below100Of(toWords),
  one: "ఒక",
  hundreds: (count, words, next) => count === 1 && next === "number" ? "నూట" : hundreds(count, words, next),
  thousands: scale("వెయ్యి", "వేలు", "వేల"),
  lakhs: scale("ఒక లక్ష", "లక్షలు", "లక్షల"),
  crores: scale("ఒక కోటి", "కోట్లు", "కోట్ల")
}

const { below100 } = numbers

/** ఐదవ, ఇరవయ్యవ; other endings are appended to the words. */
const ordinal = (words: string, ending: string): string =>
  ending.startsWith("వ") ? `${words.replace(/[ుి]$/u, "").replace(/ై$/u, "య్య")}${ending}` : `${words}${ending}`

export const telugu: Language = {
  locale: "te-IN",
  numbers,
  year: inHundreds(numbers),
  ordinals: {
    endings: ["వది", "వ", "కి", "కు", "లో", "న"],
    detached: ["వ"],
    irregular: {},
    defaults: [[], "వ"],
    join: ordinal
  },
  signs: {
    minus: "మైనస్",
    plus: "ప్లస్",
    point: "పాయింట్",
    and: "మరియు",
    number: "నంబర్",
    over: "బై",
    at: "ఎట్",
    dot: "డాట్",
    slash: "స్లాష్",
    dash: "డాష్",
    underscore: "అండర్‌స్కోర్"
  },
  range: (from, to) => `${from} నుండి ${to}`,
  fractions: {
    "1/2": "సగం",
    "1/3": "మూడింట ఒక వంతు",
    "2/3": "మూడింట రెండు వంతులు",
    "1/4": "పావు",
    "3/4": "ముప్పావు"
  },
  scales: {
    thousand: ["వేలు", "వేల"],
    lakh: ["లక్షలు", "లక్షల"],
    crore: ["కోట్లు", "కోట్ల"],
    million: "మిలియన్",
    billion: "బిలియన్"
  },
  scaleForms: {
    "వేలు": "thousand",
    "వేల": "thousand",
    "లక్షలు": "lakh",
    "లక్షల": "lakh",
    "లక్ష": "lakh",
    "కోట్లు": "crore",
    "కోట్ల": "crore",
    "కోటి": "crore"
  },
  currencies: {
    rupees: { whole: ["రూపాయి", "రూపాయలు"], part: ["పైసా", "పైసలు"] },
    dollars: { whole: ["డాలర్", "డాలర్లు"], part: ["సెంట్", "సెంట్లు"] },
    euros: { whole: ["యూరో", "యూరోలు"], part: ["సెంట్", "సెంట్లు"] },
    pounds: { whole: ["పౌండ్", "పౌండ్లు"], part: ["పెన్నీ", "పెన్స్"] }
  },
  rupeeForms: ["రూ", "రు"],
  subunitJoiner: " ",
  units: {
    percent: "శాతం",
    kilogram: ["కిలోగ్రాము", "కిలోగ్రాములు"],
    gram: ["గ్రాము", "గ్రాములు"],
    milligram: ["మిల్లీగ్రాము", "మిల్లీగ్రాములు"],
    kilometre: ["కిలోమీటరు", "కిలోమీటర్లు"],
    metre: ["మీటరు", "మీటర్లు"],
    centimetre: ["సెంటీమీటరు", "సెంటీమీటర్లు"],
    millimetre: ["మిల్లీమీటరు", "మిల్లీమీటర్లు"],
    litre: ["లీటరు", "లీటర్లు"],
    millilitre: ["మిల్లీలీటరు", "మిల్లీలీటర్లు"],
    celsius: ["డిగ్రీ సెల్సియస్", "డిగ్రీల సెల్సియస్"],
    fahrenheit: ["డిగ్రీ ఫారెన్‌హీట్", "డిగ్రీల ఫారెన్‌హీట్"],
    degree: ["డిగ్రీ", "డిగ్రీలు"],
    kilometresPerHour: ["గంటకు {} కిలోమీటరు", "గంటకు {} కిలోమీటర్లు"],
    squareFoot: ["చదరపు అడుగు", "చదరపు అడుగులు"],
    squareMetre: ["చదరపు మీటరు", "చదరపు మీటర్లు"],
    foot: ["అడుగు", "అడుగులు"],
    kilobyte: ["కిలోబైట్", "కిలోబైట్లు"],
    megabyte: ["మెగాబైట్", "మెగాబైట్లు"],
    gigabyte: ["గిగాబైట్", "గిగాబైట్లు"],
    terabyte: ["టెరాబైట్", "టెరాబైట్లు"],
    megabitsPerSecond: ["సెకనుకు {} మెగాబిట్", "సెకనుకు {} మెగాబిట్లు"],
    watt: ["వాట్", "వాట్లు"],
    kilowatt: ["కిలోవాట్", "కిలోవాట్లు"],
    kilowattHour: ["కిలోవాట్ గంట", "కిలోవాట్ గంటలు"],
    volt: ["వోల్ట్", "వోల్ట్లు"],
    hour: ["గంట", "గంటలు"],
    minute: ["నిమిషం", "నిమిషాలు"],
    second: ["సెకను", "సెకన్లు"]
  },
  date: dayFirst(numbers),
  clock: {
    parts: [
      [0, "రాత్రి"],
      [4, "తెల్లవారుజామున"],
      [6, "ఉదయం"],
      [12, "మధ్యాహ్నం"],
      [16, "సాయంత్రం"],
      [19, "రాత్రి"]
    ],
    say: partFirst((hour, minute) => {
      const said = hour === 1 ? "ఒంటి" : below100(hour)
      const minutes = `${cardinalWords(numbers, minute, "noun")} ${minute === 1 ? "నిమిషం" : "నిమిషాలు"}`
      if (minute === 0) return hour === 1 ? `${said} గంట` : `${said} గంటలు`
      return hour === 1 ? `${said} గంట ${minutes}` : `${said} గంటల ${minutes}`
    }),
    after: ["గంటలకు", "గంటలు", "గంటల"]
  },
  codes: {
    secrets: ["ఓటీపీ", "ఓటిపి", "పిన్", "పిన్‌కోడ్", "పాస్‌వర్డ్"],
    names: ["కోడ్", "ఖాతా", "అకౌంట్", "ఆర్డర్", "ఐడి", "ఐడీ", "టికెట్", "బుకింగ్"],
    numbers: ["నంబర్", "నెంబర్", "నంబరు", "సంఖ్య"]
  },
  abbreviations: { "డా.": "డాక్టర్", "Dr.": "డాక్టర్" }
}
