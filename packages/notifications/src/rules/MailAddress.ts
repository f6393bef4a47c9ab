import { issueType } from "@trunkline/errors"
import { Schema } from "effect"

/** The most people that a rule mails (shapes 7.6). */
export const MAX_RECIPIENTS = 50

/** The longest address that mail servers take (RFC 5321, 4.5.3.1). */
const maxLength = 254

const atom = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const label = "[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?"
const pattern = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`, "u")

/**
 * One address such as `asha@example.in`, of any script: no name, quotes, spaces, line breaks or other control
 * characters, a domain of at least two labels, at most 254 characters.
 */
export const MailAddress = Schema.String.pipe(
  Schema.filter((text) => text.length <= maxLength && pattern.test(text), {
    identifier: "MailAddress",
    message: () => "Must be one e-mail address, such as asha@example.in",
    ...issueType("value_error")
  })
)

/** Whom a rule mails: at most 50, nobody twice, whatever the case of letters (shapes 7.6). */
export const MailRecipients = Schema.Array(MailAddress).pipe(
  Schema.maxItems(MAX_RECIPIENTS),
  Schema.filter((addresses) => new Set(addresses.map((address) => address.toLowerCase())).size === addresses.length, {
    message: () => "Must not name an address twice",
    ...issueType("value_error")
  })
)
