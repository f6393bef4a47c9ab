/** A question, and the sentence that answers it, in a language. */
export interface LanguageSample {
  readonly language: string
  /** The passage that has the answer. */
  readonly answer: string
  /** Another passage in the language, which has not. */
  readonly other: string
  /** Words of a caller who asks. */
  readonly question: string
}

/** Questions and answers about orders in English, the twelve languages of India, and Hindi in Latin letters. */
export const languageSamples: ReadonlyArray<LanguageSample> = [
  {
    language: "English",
    answer: "Refunds are paid within five working days after the return was accepted.",
    other: "Our shops are open from ten to eight, except on public holidays.",
    question: "When will I get my refund?"
  },
  {
    language: "Hindi",
    answer: "सामान लौटाने के पाँच दिन में धनवापसी आपके खाते में आ जाती है।",
    other: "हमारी दुकानें सुबह दस बजे खुलती हैं।",
    question: "मेरी धनवापसी कब होगी?"
  },
  {
    language: "Bengali",
    answer: "পণ্য ফেরত দেওয়ার পাঁচ দিনের মধ্যে টাকা ব্যাংকে জমা হয়।",
    other: "আমাদের দোকান সকাল দশটায় খোলে।",
    question: "আমার টাকা কবে পাব?"
  },
  {
    language: "Tamil",
    answer: "பொருளைத் திருப்பிய ஐந்து நாட்களில் பணம் வங்கிக் கணக்கில் வரும்.",
    other: "எங்கள் கடைகள் காலை பத்து மணிக்குத் திறக்கும்.",
    question: "எனக்கு பணம் எப்போது கிடைக்கும்?"
  },
  {
    language: "Telugu",
    answer: "వస్తువు తిరిగి ఇచ్చిన ఐదు రోజుల్లో డబ్బు బ్యాంకు ఖాతాకు వస్తుంది.",
    other: "మా దుకాణాలు ఉదయం పది గంటలకు తెరుస్తారు.",
    question: "నా డబ్బు ఎప్పుడు వస్తుంది?"
  },
  {
    language: "Marathi",
    answer: "वस्तू परत केल्यावर पाच दिवसांत परतावा खात्यात जमा होतो.",
    other: "आमची दुकाने सकाळी दहा वाजता उघडतात.",
    question: "माझा परतावा कधी मिळेल?"
  },
  {
    language: "Gujarati",
    answer: "વસ્તુ પરત કર્યા પછી પાંચ દિવસમાં રિફંડ ખાતામાં જમા થાય છે.",
    other: "અમારી દુકાનો સવારે દસ વાગ્યે ખૂલે છે.",
    question: "મારું રિફંડ ક્યારે આવશે?"
  },
  {
    language: "Kannada",
    answer: "ವಸ್ತು ಹಿಂತಿರುಗಿಸಿದ ಐದು ದಿನಗಳಲ್ಲಿ ಮರುಪಾವತಿ ಖಾತೆಗೆ ಬರುತ್ತದೆ.",
    other: "ನಮ್ಮ ಅಂಗಡಿಗಳು ಬೆಳಿಗ್ಗೆ ಹತ್ತು ಗಂಟೆಗೆ ತೆರೆಯುತ್ತವೆ.",
    question: "ನನ್ನ ಮರುಪಾವತಿ ಯಾವಾಗ?"
  },
  {
    language: "Malayalam",
    answer: "സാധനം തിരികെ നൽകി അഞ്ച് ദിവസത്തിനുള്ളിൽ റീഫണ്ട് അക്കൗണ്ടിൽ എത്തും.",
    other: "ഞങ്ങളുടെ കടകൾ രാവിലെ പത്തിന് തുറക്കും.",
    question: "എന്റെ റീഫണ്ട് എപ്പോൾ കിട്ടും?"
  },
  {
    language: "Punjabi",
    answer: "ਸਮਾਨ ਵਾਪਸ ਕਰਨ ਦੇ ਪੰਜ ਦਿਨਾਂ ਵਿੱਚ ਰਿਫੰਡ ਖਾਤੇ ਵਿੱਚ ਆ ਜਾਂਦਾ ਹੈ।",
    other: "ਸਾਡੀਆਂ ਦੁਕਾਨਾਂ ਸਵੇਰੇ ਦਸ ਵਜੇ ਖੁੱਲ੍ਹਦੀਆਂ ਹਨ।",
    question: "ਮੇਰਾ ਰਿਫੰਡ ਕਦੋਂ ਆਵੇਗਾ?"
  },
  {
    language: "Odia",
    answer: "ଜିନିଷ ଫେରାଇବାର ପାଞ୍ଚ ଦିନରେ ଟଙ୍କା ଖାତାକୁ ଆସେ।",
    other: "ଆମ ଦୋକାନ ସକାଳ ଦଶଟାରେ ଖୋଲେ।",
    question: "ମୋର ଟଙ୍କା କେବେ ଆସିବ?"
  },
  {
    language: "Assamese",
    answer: "সামগ্ৰী ঘূৰাই দিয়াৰ পাঁচ দিনৰ ভিতৰত ধন একাউণ্টত জমা হয়।",
    other: "আমাৰ দোকান ৰাতিপুৱা দহ বজাত খোলে।",
    question: "মোৰ ধন কেতিয়া পাম?"
  },
  {
    language: "Hindi in Latin letters",
    answer: "Saaman lautane ke paanch din mein paise wapas khaate mein aa jaate hain.",
    other: "Hamari dukaan subah dus baje khulti hai.",
    question: "Mere paise wapas kab aayenge?"
  }
]
