import type { RefusalWords } from "./Phrase.js"

const call =
  "call/calling/phone/phoning/ring/ringing/contact/contacting/disturb/disturbing/bother/bothering/dial/dialing"
const me = "me/us/here/this/my/our"
const dont = "don't/dont/not/never"

/** Refusals in English. */
export const english: RefusalWords = {
  always: [
    "stop/quit calling/phoning/contacting/harassing/bothering/disturbing/spamming/pestering",
    "stop these/those/the/all/your calls",
    `${dont} * ${call} * again/anymore/ever`,
    `${dont} * ${call} * any more`,
    `never/ever * ${call} ${me}`,
    "don't/dont/not want/need/like * calls/call",
    "don't/dont/not want * to be called/contacted/disturbed/bothered",
    "don't/dont/not want to receive/get/hear",
    "don't/dont/not want * you/anyone * to call/calling/ringing/contacting/phoning",
    "no more calls/phone",
    "remove/delete/erase/scrub/strike/drop me/us",
    "remove/delete/erase/scrub/strike/drop my/our/this/the number/name/contact/details/phone/mobile",
    "take/get me/us off",
    "take/get my/our/this/the number/name/contact/phone off",
    "off/from your/the/this/that calling/call/contact/phone/marketing? list/lists/database/records",
    "lose/forget my/this number",
    "unsubscribe",
    "opt me/us/my out",
    "want/wish/like to opt out",
    "opting out",
    "do/the not call list/registry/register",
    "dnd/dnc/ndnc list/registry/register/service",
    "in/on/under/activate/activated/for/into dnd/dnc/ndnc",
    "leave me/us alone"
  ],
  unlessQualified: [`don't/dont/not ${call} ${me}`, `don't/dont/not ${call}`],
  qualifiers: [
    "now/today/tonight/tomorrow/morning/afternoon/evening/night/noon/midnight/lunch/dinner/sleeping/driving",
    "before/after/until/till/between/while/when/during/unless/if/yet/early/late/later/instead/first/twice",
    "week/month/weekend/weekends/weekday/weekdays/sunday/sundays/saturday/saturdays/monday/friday",
    "work/office/meeting/home/landline/whatsapp/message/email/text/sms/just/only",
    "o'clock/am/pm"
  ],
  exceptions: [
    "you/they/he/she/people/nobody/why/who never/don't/dont/not",
    "do/did/does/would/will/can/could/why you/they/he/she/i not/never",
    "calling/call me sir/madam/ma'am/mister/miss/uncle/aunty/names/that/by",
    "did/does/will/was/were/is/they/he/she not/never call/calling/phone/ring/contact",
    "didn't/doesn't/couldn't/won't/wasn't",
    "did/does not get/hear/receive/see/ring/answer",
    "hesitate to",
    "i/we/i'll/will not/never/don't/dont call/phone/contact"
  ]
}

const romanAgain = "dobara/dubara/dubaara/phir/fir/phirse/firse/ab/aage/aainda/kabhi/wapas/vapas"
const romanCall = "call/phone/fone/contact/pareshan/tang/disturb/calls"
const romanNot = "mat/na/nahi/nahin/nai/naa"
const romanDo = "karna/karo/kare/karen/karein/kijiye/kijiyega/kariye/kariyega/kar/kijie"

/** Refusals in Hindi as it is written in Latin letters, also within English. */
export const romanHindi: RefusalWords = {
  always: [
    `${romanAgain} * ${romanCall} * ${romanNot} * ${romanDo}`,
    `aaj/aj/iske ke? baad * ${romanCall} * ${romanNot}`,
    "call/phone/fone/calls karna/karne band/bandh",
    "pareshan/tang/disturb mat/na karo/karna/kijiye/kariye/kare/karen",
    "number/naam/name/no * hata/hatao/hatado/hatwa/hataiye/nikal/nikalo/nikaliye/delete/remove/mita",
    "list/database se * hata~/nikal~/delete/remove/nikaal~",
    "call/calls/phone nahi/nahin/nai chahiye/chahie",
    "dnd/dnc me/mein/par/pe/laga/lagao/daal/dal"
  ],
  unlessQualified: [
    "call/phone/fone/contact mat/na karo/karna/kare/karen/karein/kijiye/kijiyega/kariye/kariyega/kiya",
    "mat karo/karna/kijiye/kariye * call/phone/fone"
  ],
  qualifiers: [
    "abhi/aaj/aj/kal/subah/shaam/sham/raat/dopahar/baje/baad/pehle/pahle/office/meeting/tak/jab/sunday/ravivar",
    "agar/message/whatsapp/sirf/kaam/ghar/gaadi/drive/hafte/mahine"
  ]
}
