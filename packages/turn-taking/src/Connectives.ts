/** Words after which a speaker goes on, in English and eleven languages of India: conjunctions, and what a noun or a verb follows. */
const words = {
  English: "and or but so because if that the a an to of in on at for with my is are was it's i'm um uh er",
  Assamese: "আৰু কিন্তু বা কাৰণ যদি যে মোৰ",
  Bengali: "এবং আর কিন্তু বা কারণ যদি যে মানে আমার",
  Gujarati: "અને પણ અથવા કારણ જો કે એટલે મારું મારો મારી",
  Hindi: "और या लेकिन कि तो क्योंकि अगर मेरा मेरी मतलब में का की के से",
  Kannada: "ಮತ್ತು ಆದರೆ ಅಥವಾ ಏಕೆಂದರೆ ಯಾಕಂದ್ರೆ ಅಂದ್ರೆ ನನ್ನ",
  Malayalam: "പക്ഷേ പക്ഷെ അല്ലെങ്കിൽ കാരണം പിന്നെ എന്റെ",
  Marathi: "आणि पण किंवा कारण जर म्हणजे माझा माझी माझे",
  Odia: "ଏବଂ ଓ କିନ୍ତୁ କିମ୍ବା କାରଣ ଯଦି ମୋର",
  Punjabi: "ਅਤੇ ਤੇ ਪਰ ਜਾਂ ਕਿਉਂਕਿ ਜੇ ਕਿ ਮੇਰਾ ਮੇਰੀ ਦਾ ਦੀ ਦੇ",
  Tamil: "மற்றும் ஆனால் ஆனா அல்லது ஏனென்றால் ஏன்னா அதாவது என்",
  Telugu: "మరియు కానీ కాని లేదా ఎందుకంటే అంటే నా"
} as const

const connectives: ReadonlySet<string> = new Set(
  Object.values(words).flatMap((each) => each.normalize("NFC").split(" "))
)

/** Returns true for a word in lower case after which a speaker goes on, such as "and" or "लेकिन". */
export const isConnective = (word: string): boolean => connectives.has(word.normalize("NFC"))
