import { headers, type SipMessage } from "./Message.js"

/**
 * Names in all values of a list, such as Require, Supported, Unsupported, Allow or Allow-Events, without their parameters
 * and without empty values. Option tags are in lower case, in which they are compared (RFC 3261, section 7.3.1); methods,
 * whose case counts, are as they were sent.
 */
export const namesIn = (message: SipMessage, header: string): ReadonlyArray<string> =>
  headers(message, header).flatMap((value) => {
    const name = /^[^\s;]*/.exec(value)?.[0] ?? ""
    return name === "" ? [] : [header === "allow" ? name : name.toLowerCase()]
  })

/** Extensions that a request requires and that are not among those supported: 420 lists them in Unsupported. */
export const unsupportedExtensions = (
  message: SipMessage,
  supportedTags: ReadonlyArray<string>
): ReadonlyArray<string> => namesIn(message, "require").filter((tag) => !supportedTags.includes(tag))
