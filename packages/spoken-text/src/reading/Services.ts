/** Characters searched before and after figures. */
const reach = 72

const reachAfter = 40

const before = (text: string, at: number): string => text.slice(Math.max(0, at - reach), at)

const after = (text: string, end: number): string => text.slice(end, end + reachAfter)

const wordStart = "(?<![\\p{L}\\p{M}])"

/** Letters of airlines that are no other words. */
const certainAirline = /(?<![\p{L}\p{Nd}])(?:6E|G8|I5|9I|S5|9W)[ -]?$/u

const airline = /(?<![\p{L}\p{Nd}])(?:AI|IX|UK|SG|QP|EK|EY|QR|SQ|BA|LH|TG|UL|MH|AF|CX)[ -]?$/u

const flown = /(?:flight|airline|airways|air india|indigo|vistara|spicejet|akasa|airport)[^.!?\n]{0,48}$/i

const flies =
  /^,? (?:(?:is|has|will|was|be|been|now) ){0,3}(?:flight|board|depart|delay|cancel|resched|land|arriv|leav|take)/i

/** True for three or four figures after the letters of an airline, which are other words unless flights are spoken of. */
export const isFlight = (text: string, at: number, end: number): boolean => {
  if (end - at < 3 || end - at > 4) return false
  const words = before(text, at)
  return certainAirline.test(words) ||
    (airline.test(words) && (flown.test(words) || flies.test(after(text, end))))
}

const message = "(?:reply|sms|text|send|message|missed call)(?:\\s[^\\s\\d.!?]{1,20}){0,6}\\sto"

const messaging = new RegExp(`${wordStart}(?:${message}|(?:call|sms|text)(?: us)?(?: [\\d-]{3,14},? or)?)\\s$`, "iu")

/** Words before the number of a phone, of which there may be two. */
const reaching = new RegExp(
  `${wordStart}(?:call|sms|text|reach|contact|ring)(?: (?:us|me|him|her|them))? (?:on|at) (?:\\d{3,6}(?:,| or| and) )?$`,
  "iu"
)

const sentWords = "will|so|while|to|for|from|and|or|now|today|if|when|with|by|before|immediately|anytime"

/** Text that follows the number of a receiver, but not the number of things that are sent. */
const sentPattern = new RegExp(
  `^(?:\\s*$|[,;:!?)"'”’\\n]|\\.(?!\\d)|\\s(?:${sentWords})(?![\\p{L}\\p{M}]|\\s\\d))`,
  "iu"
)

/** True for the number to which a message or a call goes, as in "Reply STOP to 56767" and "Call 1930 to complain". */
export const isMessaged = (text: string, at: number, end: number): boolean =>
  end - at <= 6 &&
  (reaching.test(before(text, at)) || (sentPattern.test(after(text, end)) && messaging.test(before(text, at))))

const typing = new RegExp(`${wordStart}(?:use|enter|type|key in|punch in|input|submit|quote)\\s$`, "iu")

const toLogIn = new RegExp(`${wordStart}(?:log|sign)[ -]?in[^.!?\\d\\n]{0,24}$`, "iu")

const actions = "log|sign|verif|authenticat|confirm|activat|unlock|reset|complete|proceed|continue|validat|authori[sz]"

const purposes = "log|sign|verification|authentication|activation|authori[sz]ation"

const places = "(?:on|in|into) (?:the|your) (?:app|website|site|screen|keypad|page|portal|machine)|at the prompt"

/** Words after which figures are typed in as they are, unless they are an amount. */
const certainlyTyped = new RegExp(`${wordStart}(?:enter|type|key in|punch in|quote|quoting|mention)\\s$`, "iu")

const amount = /^(?: |,)?(?:as|for|in) (?:the |your |an? )?(?:amount|sum|budget|price|total|work|job)/i

const purpose = new RegExp(
  `^ (?:to (?:${actions})|for (?:\\p{L}{1,12} ){0,2}(?:${purposes})|(?:when|if) (?:asked|prompted)|${places})`,
  "iu"
)

/** True for figures to be typed in, as in "Use 739204 to log in", "Quote 88123" and "Enter 4582 when asked". */
export const isTyped = (text: string, at: number, end: number): boolean => {
  if (end - at < 4 || end - at > 8) return false
  const words = before(text, at)
  const isAmount = /[05]0$/.test(text.slice(at, end)) || amount.test(after(text, end))
  if (certainlyTyped.test(words) && !isAmount && sentPattern.test(after(text, end))) return true
  return typing.test(words) && (purpose.test(after(text, end)) || toLogIn.test(words))
}
