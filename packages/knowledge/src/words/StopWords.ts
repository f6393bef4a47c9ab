import { plainWords } from "./Words.js"

/**
 * Words that questions consist of and that tell nothing about their subject, by language: articles, pronouns, auxiliaries,
 * postpositions and question words. The last list has Hindi as it is written in Latin letters.
 */
const lists: ReadonlyArray<string> = [
  // English
  `a an the this that these those i me my we us our you your he him his she her it its they them their is am are was were be
  been being do does did done have has had having will would shall should can could may might must of in on at to for from by
  with about into over under after before between and or but not no nor so if then than as what which who whom whose when where
  why how there here please tell want need know get got just also any some im ive dont cant`,
  // Hindi
  `का की के को से में पर ने है हैं था थी थे हो होता होती होते और या कि यह वह ये वे मैं हम तुम आप मेरा मेरी मेरे हमारा आपका आपकी आपके क्या
  कब कहाँ कहां कैसे क्यों कौन कितना कितनी कितने लिए तो भी ही नहीं कर करना करने करें सकता सकती सकते चाहिए मुझे हमें बताइए बताओ जी`,
  // Bengali
  `এই ওই সেই আমি আমার আমাকে আমরা আপনি আপনার তুমি তোমার সে তার কি কী কে কেন কখন কোথায় কীভাবে কিভাবে কত ও এবং বা আর যে হয় হবে আছে
  ছিল না থেকে জন্য করে করতে করা এর একটি বলুন চাই`,
  // Tamil
  `நான் எனக்கு என் என்னுடைய நாம் நீங்கள் உங்கள் அவர் அது இது இந்த அந்த என்ன எப்போது எங்கே எப்படி ஏன் யார் எவ்வளவு மற்றும் அல்லது ஒரு
  உள்ளது இல்லை ஆகும் வேண்டும் முடியும் செய்ய`,
  // Telugu
  `నేను నాకు నా మేము మీరు మీ అతను ఆమె అది ఇది ఈ ఆ ఏమి ఏంటి ఎప్పుడు ఎక్కడ ఎలా ఎందుకు ఎవరు ఎంత మరియు లేదా ఒక ఉంది లేదు కావాలి చేయాలి
  చెప్పండి కోసం`,
  // Marathi
  `मी मला माझा माझी माझे आम्ही तुम्ही तुमचा तुमची तुमचे तो ती ते हा ही हे काय कधी कुठे कसे कसा कशी का कोण किती आणि किंवा आहे आहेत होता
  होते नाही साठी करा करावे पाहिजे`,
  // Gujarati
  `હું મને મારું મારી મારા અમે તમે તમારું તમારી તમારા તે આ એ શું ક્યારે ક્યાં કેવી કેમ કોણ કેટલા કેટલું અને અથવા છે હતું હતી નથી
  માટે કરવું જોઈએ ના ની નું ને માં`,
  // Kannada
  `ನಾನು ನನಗೆ ನನ್ನ ನಾವು ನೀವು ನಿಮ್ಮ ಅವರು ಅದು ಇದು ಈ ಆ ಏನು ಯಾವಾಗ ಎಲ್ಲಿ ಹೇಗೆ ಏಕೆ ಯಾರು ಎಷ್ಟು ಮತ್ತು ಅಥವಾ ಒಂದು ಇದೆ ಇಲ್ಲ ಬೇಕು ಮಾಡಲು`,
  // Malayalam
  `ഞാൻ എനിക്ക് എന്റെ ഞങ്ങൾ നിങ്ങൾ നിങ്ങളുടെ അവർ അത് ഇത് ഈ ആ എന്ത് എന്താണ് എപ്പോൾ എവിടെ എങ്ങനെ എന്തുകൊണ്ട് ആര് എത്ര ഒരു ഉണ്ട് ഇല്ല
  ആണ് വേണം`,
  // Punjabi
  `ਮੈਂ ਮੈਨੂੰ ਮੇਰਾ ਮੇਰੀ ਅਸੀਂ ਤੁਸੀਂ ਤੁਹਾਡਾ ਤੁਹਾਡੀ ਉਹ ਇਹ ਕੀ ਕਦੋਂ ਕਿੱਥੇ ਕਿਵੇਂ ਕਿਉਂ ਕੌਣ ਕਿੰਨਾ ਕਿੰਨੇ ਅਤੇ ਜਾਂ ਹੈ ਹਨ ਸੀ ਨਹੀਂ ਦਾ ਦੀ ਦੇ ਨੂੰ ਤੋਂ
  ਵਿੱਚ ਲਈ ਕਰਨਾ`,
  // Odia
  `ମୁଁ ମୋତେ ମୋର ଆମେ ଆପଣ ଆପଣଙ୍କ ସେ ତାହା ଏହା ଏହି କଣ କ’ଣ କେବେ କେଉଁଠି କିପରି କାହିଁକି କିଏ କେତେ ଏବଂ କିମ୍ବା ଅଛି ନାହିଁ ପାଇଁ କରିବା`,
  // Assamese
  `মই মোক মোৰ আমি আপুনি আপোনাৰ তেওঁ সি এইটো কি কেতিয়া ক'ত কেনেকৈ কিয় কোন কিমান আৰু বা আছে নাই বাবে কৰিব`,
  // Hindi in Latin letters
  `ka ki ke ko se mein par ne hai hain tha thi the ho hota hoti aur ya yeh woh main mera meri mere hum hamara aap aapka aapki
  aapke kya kab kahan kaise kyun kyon kaun kitna kitni kitne liye toh bhi hi nahi nahin kar karna karne karein sakta sakti
  sakte chahiye mujhe humein batao bataiye ji`
]

const stopWords: ReadonlySet<string> = new Set(lists.flatMap(plainWords))

/** True for a word of `plainWords` that tells nothing about the subject of a question, in any of the languages. */
export const isStopWord = (word: string): boolean => stopWords.has(word)
