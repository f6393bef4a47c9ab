/** Talk as voice agents have it, in the scripts that callers write, and what else stands in requests. */
export const samples: Readonly<Record<string, string>> = {
  English:
    "Good morning! I am calling from the water supply office about your new meter. Our engineer can visit on Thursday between ten and twelve, or on Friday after three in the afternoon. Would either of these suit you? If nobody is at home, please leave the gate open and keep the dog inside. The work takes about forty minutes, and the supply will be off for a quarter of an hour at most. You do not have to pay anything; the old meter will be taken away. Should you wish to change the appointment later, just send a message to this number.",
  Hindi:
    "नमस्ते, मैं बिजली विभाग से बोल रही हूँ। आपके पिछले महीने का बिल अभी तक जमा नहीं हुआ है। क्या आप आज या कल भुगतान कर सकते हैं? आप चाहें तो हम किसी कर्मचारी को आपके घर भेज सकते हैं, या आप ऑनलाइन भी पैसे दे सकते हैं। अगर आपने पहले ही भुगतान कर दिया है तो कृपया रसीद का नंबर बता दीजिए, मैं अभी जाँच कर लेती हूँ। हमारा कार्यालय सुबह दस बजे से शाम पाँच बजे तक खुला रहता है। आपकी सुविधा के लिए हम किस्तों में भी भुगतान स्वीकार करते हैं।",
  Marathi:
    "नमस्कार, मी तुमच्या बँकेतून बोलत आहे. तुमच्या कर्जाचा पुढचा हप्ता पाच तारखेला भरायचा आहे. तुम्हाला वेळेवर आठवण करून देण्यासाठी मी फोन केला आहे. तुम्ही पैसे कसे भरणार आहात, शाखेत येऊन की मोबाईलवरून? काही अडचण असेल तर मला सांगा, आपण नवीन तारीख ठरवू शकतो. तुमच्या खात्यात पुरेशी रक्कम ठेवा म्हणजे दंड लागणार नाही. आणखी काही विचारायचे असेल तर आमच्या कार्यालयाशी संपर्क साधा.",
  Bengali:
    "নমস্কার, আমি হাসপাতাল থেকে ফোন করছি। আগামী মঙ্গলবার সকাল এগারোটায় আপনার ডাক্তার দেখানোর সময় ঠিক করা আছে। আপনি কি ওই সময়ে আসতে পারবেন? আসার সময় আগের সব কাগজপত্র আর ওষুধের তালিকা সঙ্গে আনবেন। যদি কোনো কারণে আসতে না পারেন, তাহলে আমাদের আগের দিন জানিয়ে দেবেন। আমরা আপনার জন্য অন্য একটা দিন ঠিক করে দেব। হাসপাতালের সামনে গাড়ি রাখার জায়গা আছে।",
  Assamese:
    "নমস্কাৰ, মই আপোনাৰ বিদ্যালয়ৰ পৰা ফোন কৰিছোঁ। কাইলৈ অভিভাৱকৰ সভা আছে, আপুনি আহিব পাৰিবনে? সভাখন পুৱা দহ বজাত আৰম্ভ হ'ব আৰু প্ৰায় এঘণ্টা চলিব। আপোনাৰ ল'ৰাৰ পঢ়াশুনাৰ বিষয়ে শিক্ষকসকলে কথা পাতিব বিচাৰে। যদি আহিব নোৱাৰে, তেন্তে বেলেগ এটা দিন ঠিক কৰিব পাৰি। আমি আপোনাৰ উত্তৰলৈ বাট চাম।",
  Tamil:
    "வணக்கம், நான் உங்கள் காப்பீட்டு நிறுவனத்திலிருந்து பேசுகிறேன். உங்கள் வாகனக் காப்பீடு அடுத்த மாதம் முடிவடைகிறது. அதை இப்போதே புதுப்பித்தால் உங்களுக்குத் தள்ளுபடி கிடைக்கும். நீங்கள் இணையத்தில் பணம் செலுத்தலாம் அல்லது எங்கள் கிளைக்கு நேரில் வரலாம். உங்கள் வாகனத்தின் பதிவு எண்ணைச் சொல்ல முடியுமா? வேறு ஏதாவது சந்தேகம் இருந்தால் கேளுங்கள், நான் விளக்கமாகச் சொல்கிறேன்.",
  Telugu:
    "నమస్కారం, నేను గ్యాస్ ఏజెన్సీ నుంచి మాట్లాడుతున్నాను. మీరు బుక్ చేసిన సిలిండర్ రేపు మధ్యాహ్నం మీ ఇంటికి వస్తుంది. ఆ సమయంలో ఇంట్లో ఎవరైనా ఉంటారా? డబ్బులు నగదుగా ఇవ్వవచ్చు లేదా ఫోన్ ద్వారా పంపవచ్చు. చిరునామా మారితే దయచేసి ఇప్పుడే చెప్పండి. మీకు ఇంకేమైనా సహాయం కావాలంటే మా కార్యాలయానికి ఫోన్ చేయండి, మేము వెంటనే స్పందిస్తాము.",
  Kannada:
    "ನಮಸ್ಕಾರ, ನಾನು ಗ್ರಂಥಾಲಯದಿಂದ ಮಾತನಾಡುತ್ತಿದ್ದೇನೆ. ನೀವು ತೆಗೆದುಕೊಂಡ ಎರಡು ಪುಸ್ತಕಗಳನ್ನು ಕಳೆದ ವಾರವೇ ಹಿಂದಿರುಗಿಸಬೇಕಿತ್ತು. ದಯವಿಟ್ಟು ಅವುಗಳನ್ನು ಈ ಶನಿವಾರದೊಳಗೆ ತಂದುಕೊಡಿ. ನಿಮಗೆ ಇನ್ನೂ ಸಮಯ ಬೇಕಿದ್ದರೆ ನಾವು ಅವಧಿಯನ್ನು ವಿಸ್ತರಿಸಬಹುದು. ಗ್ರಂಥಾಲಯವು ಬೆಳಿಗ್ಗೆ ಒಂಬತ್ತರಿಂದ ಸಂಜೆ ಆರರವರೆಗೆ ತೆರೆದಿರುತ್ತದೆ. ಬೇರೆ ಏನಾದರೂ ಕೇಳುವುದಿದೆಯೇ?",
  Malayalam:
    "നമസ്കാരം, ഞാൻ തപാൽ ഓഫീസിൽ നിന്നാണ് വിളിക്കുന്നത്. താങ്കളുടെ പേരിൽ ഒരു പാഴ്സൽ വന്നിട്ടുണ്ട്. വിലാസം പൂർണ്ണമല്ലാത്തതിനാൽ അത് എത്തിക്കാൻ കഴിഞ്ഞില്ല. വീട്ടുനമ്പറും അടുത്തുള്ള അടയാളവും പറഞ്ഞുതരാമോ? നാളെ രാവിലെ തന്നെ അത് എത്തിച്ചുതരാം. അല്ലെങ്കിൽ തിരിച്ചറിയൽ രേഖയുമായി വന്ന് നേരിട്ട് കൈപ്പറ്റാം.",
  Gujarati:
    "નમસ્તે, હું તમારી દવાની દુકાનેથી બોલું છું. તમે મંગાવેલી દવાઓ આવી ગઈ છે. તમે આજે સાંજે લેવા આવશો કે અમે ઘરે મોકલી આપીએ? કુલ રકમ સાતસો પચાસ રૂપિયા થાય છે. ડૉક્ટરની ચિઠ્ઠી સાથે રાખજો, તેના વગર કેટલીક દવાઓ આપી શકાતી નથી. જો સરનામું બદલાયું હોય તો અત્યારે જ જણાવી દો. બીજું કંઈ જોઈતું હોય તો કહેજો.",
  Punjabi:
    "ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਮੈਂ ਖੇਤੀਬਾੜੀ ਵਿਭਾਗ ਤੋਂ ਬੋਲ ਰਿਹਾ ਹਾਂ। ਤੁਹਾਡੇ ਪਿੰਡ ਵਿੱਚ ਅਗਲੇ ਹਫ਼ਤੇ ਕਿਸਾਨਾਂ ਲਈ ਇੱਕ ਮੁਫ਼ਤ ਕੈਂਪ ਲੱਗ ਰਿਹਾ ਹੈ। ਉੱਥੇ ਮਿੱਟੀ ਦੀ ਜਾਂਚ ਕੀਤੀ ਜਾਵੇਗੀ ਅਤੇ ਨਵੇਂ ਬੀਜਾਂ ਬਾਰੇ ਦੱਸਿਆ ਜਾਵੇਗਾ। ਕੀ ਤੁਸੀਂ ਆਉਣਾ ਚਾਹੋਗੇ? ਆਪਣੇ ਖੇਤ ਦੀ ਥੋੜ੍ਹੀ ਜਿਹੀ ਮਿੱਟੀ ਨਾਲ ਲੈ ਕੇ ਆਇਓ। ਕੈਂਪ ਸਵੇਰੇ ਨੌਂ ਵਜੇ ਸ਼ੁਰੂ ਹੋਵੇਗਾ।",
  Odia:
    "ନମସ୍କାର, ମୁଁ ରେଳ ବିଭାଗରୁ କହୁଛି। ଆପଣଙ୍କ ଟ୍ରେନ୍ ଆଜି ଦୁଇ ଘଣ୍ଟା ବିଳମ୍ବରେ ଆସିବ। ଆପଣ ଯଦି ଯାତ୍ରା ବାତିଲ କରିବାକୁ ଚାହାନ୍ତି, ତେବେ ପୂରା ଟଙ୍କା ଫେରସ୍ତ ମିଳିବ। ଅନ୍ୟ ଟ୍ରେନରେ ସିଟ୍ ଦରକାର ହେଲେ ମୋତେ ଏବେ କୁହନ୍ତୁ। ଷ୍ଟେସନରେ ଖାଇବା ପାଇଁ ଏବଂ ବିଶ୍ରାମ ନେବା ପାଇଁ ବ୍ୟବସ୍ଥା କରାଯାଇଛି। ଆପଣଙ୍କ ଅସୁବିଧା ପାଇଁ ଆମେ ଦୁଃଖିତ।",
  Urdu:
    "السلام علیکم، میں آپ کے اسکول سے بات کر رہی ہوں۔ آپ کے بیٹے کی فیس ابھی تک جمع نہیں ہوئی۔ آخری تاریخ پندرہ ہے، اس کے بعد جرمانہ لگے گا۔ کیا آپ اس ہفتے ادائیگی کر سکتے ہیں؟ آپ دفتر آ کر یا موبائل سے بھی رقم بھیج سکتے ہیں۔ اگر کوئی مشکل ہو تو پرنسپل صاحب سے بات کر لیجیے، وہ آپ کو کچھ دن کی مہلت دے سکتے ہیں۔",
  Hinglish:
    "Haan ji, main samajh gaya. Aap kal subah gyarah baje aa sakte hain? Mera ghar station ke paas hi hai, bank ke peeche wali gali mein. Agar rasta na mile to mujhe call kar lijiye, main bahar aa jaunga. Payment main online kar dunga, bas QR code bhej dena. Aur haan, bill pe mera naam theek se likhwa dijiye.",
  "Hindi and English":
    "जी हाँ, मेरा order number 48213 है। Delivery कल शाम तक आनी थी लेकिन app में अभी भी \"out for delivery\" दिखा रहा है। क्या आप please check करके बता सकते हैं? मेरा address वही है, Sector 15, Flat 402. अगर आज नहीं आया तो मुझे refund चाहिए, मैंने 1,299 रुपये UPI से pay किए थे।",
  German:
    "Guten Tag, hier spricht die Hausverwaltung. Nächste Woche wird im Treppenhaus das Licht erneuert, deshalb fällt am Mittwoch zwischen acht und zehn Uhr der Strom aus. Bitte schalten Sie vorher alle empfindlichen Geräte aus. Falls Sie in dieser Zeit auf den Aufzug angewiesen sind, rufen Sie uns einfach zurück, wir finden gemeinsam eine Lösung.",
  Russian:
    "Здравствуйте, вас беспокоит служба доставки. Ваш заказ уже на складе, курьер может привезти его сегодня вечером или завтра утром. Когда вам удобнее? Пожалуйста, подготовьте документ, без него мы не сможем передать посылку. Если вас не будет дома, оставьте телефон соседей.",
  Arabic:
    "مرحبا، أتصل بكم من شركة المياه بخصوص العداد الجديد. يمكن للفني أن يزوركم يوم الخميس صباحا أو يوم السبت بعد الظهر. هل يناسبكم أحد هذين الموعدين؟ لن تدفعوا أي رسوم، وسوف نأخذ العداد القديم معنا. إذا أردتم تغيير الموعد فأرسلوا رسالة إلى هذا الرقم.",
  Chinese:
    "您好，我是物业公司的客服。下周三上午我们要检修小区的电梯，大约需要两个小时。请您提前安排好出门的时间。如果家里有老人或者孩子需要帮助，请打电话给我们，我们会派人过去。检修结束以后，我们会在群里通知大家。谢谢您的理解和配合。",
  Japanese:
    "もしもし、図書館からお電話しております。先月お借りになった本の返却期限が過ぎています。今週中にお持ちいただけますか。まだお読みになりたい場合は、もう一週間延長することもできます。開館時間は午前九時から午後六時までです。",
  Korean:
    "안녕하세요, 치과에서 전화드렸습니다. 내일 오후 세 시에 예약이 있으신데 오실 수 있으신가요? 시간을 바꾸고 싶으시면 지금 말씀해 주세요. 주차는 건물 지하에 하실 수 있고, 신분증을 꼭 가져오시기 바랍니다.",
  Thai:
    "สวัสดีค่ะ โทรจากโรงพยาบาลนะคะ คุณมีนัดพบแพทย์วันพุธหน้าเวลาเก้าโมงเช้า สะดวกมาตามเวลาไหมคะ กรุณางดอาหารและน้ำหลังเที่ยงคืน และนำยาที่ใช้อยู่มาด้วย ถ้าต้องการเลื่อนนัดกรุณาแจ้งล่วงหน้าหนึ่งวันค่ะ",
  Emoji: "Thanks a lot! 🙏 See you on Sunday at the match 🏏🎉 I will bring the snacks 😄👍 and you bring the tea ☕",
  TypeScript:
    "export const dueOf = (loans: ReadonlyArray<Loan>, today: Day): number => {\n  let sum = 0\n  for (const { amount, due, paid } of loans) {\n    if (due <= today && !paid) {\n      sum += amount\n    }\n  }\n  return Math.round(sum * 100) / 100\n}\n\ninterface Loan {\n  readonly id: string\n  readonly amount: number\n  readonly due: Day\n  readonly paid: boolean\n}\n",
  Python:
    "def overdue(loans, today):\n    \"\"\"Those whose day has come and that nobody has paid.\"\"\"\n    late = [loan for loan in loans if loan.due <= today and not loan.paid]\n    for loan in sorted(late, key=lambda loan: loan.amount, reverse=True):\n        print(f\"{loan.id:>8}  {loan.amount:10.2f}\")\n    return sum(loan.amount for loan in late)\n",
  JSON: JSON.stringify({
    customer: { name: "Meera Nair", phone: "+919812345670", city: "Kochi", language: "ml-IN" },
    orders: [
      { id: "ord_20931", status: "delivered", amount: 1299.5, items: ["kettle", "filter"], paid: true },
      { id: "ord_20977", status: "in_transit", amount: 349, items: ["bulb"], paid: false }
    ],
    next_visit: "2026-11-04T10:30:00+05:30",
    notes: null
  }),
  "JSON on lines": JSON.stringify(
    {
      type: "object",
      properties: {
        city: { type: "string", description: "Where the customer lives" },
        amount: { type: "number", minimum: 0, maximum: 100_000 },
        agreed: { type: "boolean" },
        slot: { type: "string", enum: ["morning", "afternoon", "evening"] }
      },
      required: ["city", "amount"],
      additionalProperties: false
    },
    null,
    2
  ),
  Prompt:
    "# Your task\n\nYou are a polite agent of a savings bank. Speak the caller's language.\n\n## Rules\n\n- Ask for one thing at a time.\n- Never read out more than the last four digits of an account.\n- If the caller is angry, apologise once and offer a call back.\n\n## Variables\n\n| name | meaning |\n|---|---|\n| `amount_due` | what is owed, in rupees |\n| `due_date` | the day on which it is owed |\n",
  Numbers: "9812345670, 4500, 1,25,000.50, 12/11/2026, 10:45, 560001, +91 98765 43210, 3.14159, 2026-10-05, 100%, 42"
}
