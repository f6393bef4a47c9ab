import type { GreetingCue } from "./GreetingCue.js"

/** Cues in more languages: Bengali, Gujarati, Marathi, Tamil, Telugu, Spanish, French, German, Portuguese. */
export const otherGreetings: ReadonlyArray<GreetingCue> = [
  {
    meaning: "screening",
    phrases: ["diga su nombre", "indique su nombre", "dites votre nom", "nennen sie ihren namen", "diga seu nome"]
  },
  {
    meaning: "ivr",
    phrases: [
      "marque uno",
      "marque el 1",
      "oprima",
      "pulse ",
      "tapez 1",
      "appuyez sur",
      "drücken sie",
      "pressione",
      "tecle "
    ]
  },
  {
    meaning: "machine",
    phrases: [
      "বার্তা রাখুন",
      "বার্তা রেখে",
      "বিপের পর",
      "મેસેજ મૂકો",
      "સંદેશ મૂકો",
      "બીપ પછી",
      "संदेश सोडा",
      "निरोप ठेवा",
      "बीप नंतर",
      "செய்தியை விட",
      "செய்தியை பதிவு",
      "ஒலிக்குப் பிறகு",
      "பீப் ஒலி",
      "సందేశాన్ని వదల",
      "బీప్ తర్వాత",
      "deje un mensaje",
      "deje su mensaje",
      "dejar un mensaje",
      "después del tono",
      "después de la señal",
      "buzón de voz",
      "laissez un message",
      "laissez-moi un message",
      "laisser un message",
      "après le bip",
      "messagerie",
      "répondeur",
      "nach dem signalton",
      "nach dem ton",
      "hinterlassen sie",
      "mailbox von",
      "deixe a sua mensagem",
      "deixe sua mensagem",
      "deixe um recado",
      "após o sinal",
      "caixa postal"
    ]
  },
  {
    meaning: "person",
    phrases: [
      "কে বলছেন",
      "বলুন",
      "કોણ બોલ",
      "બોલો",
      "कोण बोल",
      "बोला ",
      "யார்",
      "சொல்லுங்க",
      "ఎవరు",
      "చెప్పండి",
      "quién",
      "dígame",
      "diga ",
      "qui est",
      "c'est qui",
      "oui ",
      "wer ist",
      "wer spricht",
      "ja bitte",
      "quem fala",
      "quem é",
      "pois não"
    ]
  }
]
