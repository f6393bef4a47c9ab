import type { Attachment, Mail } from "./Mail.js"

/** The longest address that mail servers take (RFC 5321, 4.5.3.1, with the correction to RFC 3696). */
const maxAddress = 254

/** Control characters, the line and paragraph separators among them. */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** One address without name, comment, quotes or brackets. Unicode is allowed; whether it goes is the server's affair. */
const address = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/u

/** A Message-ID with its brackets, of lengths that fit on a header's line (RFC 5322, 3.6.4). */
const messageId = /^<[\w.!#$%&'*+\-/=?^`{|}~]{1,200}@[\w.-]{1,255}>$/

const mediaType = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.-]+)*$/

const contentId = /^[\w.@-]{1,120}$/

/** Whether a text is one mail address that a header can hold: no name, no list, no line break, at most 254 characters. */
export const isMailAddress = (text: string): boolean =>
  text.length <= maxAddress && !control.test(text) && address.test(text)

const attachmentFault = ({ cid, contentType, filename }: Attachment): string | undefined => {
  if (filename === "" || control.test(filename)) {
    return "The name of an attached file is empty or holds control characters"
  }
  if (!mediaType.test(contentType)) return "The media type of an attached file is not one"
  return cid === undefined || contentId.test(cid) ? undefined : "The content id of an attached file is not one"
}

/** Why a mail must not be sent; undefined when it may be. Holds nothing of the mail. */
export const mailFault = (mail: Mail): string | undefined => {
  if (!isMailAddress(mail.to)) return "The recipient is not one mail address"
  if (control.test(mail.subject)) return "The subject holds control characters"
  if (!messageId.test(mail.message_id)) return "The message id is not one"
  return mail.attachments.map(attachmentFault).find((fault) => fault !== undefined)
}
