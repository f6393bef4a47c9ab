/** Facts about a header field that a parser needs. */
export interface HeaderRule {
  /** In lower case and in the long form. */
  readonly name: string
  /** `list`: values may be separated by commas; `single`: at most one value; `whole`: neither. */
  readonly kind: "list" | "single" | "whole"
}

/**
 * Header fields whose values may share a line, separated by commas (RFC 3261, section 7.3.1 and the fields' own grammars).
 * Credentials and challenges have commas of their own, and so have dates; they are not among them.
 */
const lists = `Accept Accept-Contact Accept-Encoding Accept-Language Alert-Info Allow Allow-Events Call-Info Contact
  Content-Encoding Content-Language Diversion Error-Info Feature-Caps Geolocation History-Info In-Reply-To
  P-Asserted-Identity P-Associated-URI P-Early-Media P-Preferred-Identity P-Visited-Network-ID Path Proxy-Require Reason
  Record-Route Reject-Contact Request-Disposition Require Route Security-Client Security-Server Security-Verify
  Service-Route Supported Unsupported Via Warning`

/** Header fields that a message may have once; a second one makes it malformed (RFC 4475, section 3.3.9). */
const singles = "CSeq Call-ID Content-Length Content-Type From Max-Forwards To"

/** Other header fields whose usual spelling is not that of their words. */
const wholes = `Authentication-Info Authorization Content-Disposition Date Event Expires Identity Join MIME-Version
  Min-Expires Min-SE Organization P-Charging-Vector Priority Privacy Proxy-Authenticate Proxy-Authorization RAck RSeq
  Refer-Sub Refer-To Referred-By Replaces Reply-To Retry-After SIP-ETag SIP-If-Match Server Session-Expires Subject
  Subscription-State Timestamp User-Agent WWW-Authenticate`

/** Compact forms (RFC 3261, section 7.3.3, and the IANA registry of SIP header fields). */
const compactForms: ReadonlyArray<readonly [string, string]> = [
  ["a", "accept-contact"],
  ["b", "referred-by"],
  ["c", "content-type"],
  ["d", "request-disposition"],
  ["e", "content-encoding"],
  ["f", "from"],
  ["i", "call-id"],
  ["j", "reject-contact"],
  ["k", "supported"],
  ["l", "content-length"],
  ["m", "contact"],
  ["o", "event"],
  ["r", "refer-to"],
  ["s", "subject"],
  ["t", "to"],
  ["u", "allow-events"],
  ["v", "via"],
  ["x", "session-expires"],
  ["y", "identity"]
]

const rules = new Map<string, HeaderRule>()
const spellings = new Map<string, string>()
const ruleLists = [[lists, "list"], [singles, "single"], [wholes, "whole"]] as const
for (const [names, kind] of ruleLists) {
  for (const spelling of names.split(/\s+/)) {
    const name = spelling.toLowerCase()
    const rule = { name, kind }
    rules.set(name, rule).set(spelling, rule)
    spellings.set(name, spelling)
  }
}
for (const [compact, name] of compactForms) {
  const rule = rules.get(name)
  if (rule !== undefined) rules.set(compact, rule).set(compact.toUpperCase(), rule)
}

/** Characters of a token (RFC 3261, section 25.1). */
export const isToken = (text: string): boolean => /^[\w.!%*+`'~-]+$/.test(text)

/** The rule of a header field as its name was sent, in any case or compact form; null if this cannot be a name. */
export const headerRule = (headerName: string): HeaderRule | null => {
  const rule = rules.get(headerName)
  if (rule !== undefined) return rule
  if (!isToken(headerName)) return null
  const name = headerName.toLowerCase()
  return rules.get(name) ?? { name, kind: "whole" }
}

/** A name in lower case as it is usually written, such as `Call-ID`; each word of an unknown name is capitalised. */
export const spellHeader = (name: string): string =>
  spellings.get(name) ?? name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
