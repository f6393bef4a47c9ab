/** A step of a sipp scenario, as XML. */
export type Step = string

/** Waits for a request or a response. Optional responses may be left out by the other side. */
export const receive = (
  message: string | number,
  { auth = false, optional = false, routes = true, timeout, action = "" }: {
    readonly auth?: boolean
    readonly optional?: boolean
    /** Remembers the route set of the message. */
    readonly routes?: boolean
    readonly timeout?: number
    readonly action?: string
  } = {}
): Step => {
  const what = typeof message === "number" ? `response="${message}"` : `request="${message}"`
  const attributes = [
    what,
    optional ? `optional="true"` : "",
    routes ? `rrs="true"` : "",
    auth ? `auth="true"` : "",
    timeout === undefined ? "" : `timeout="${timeout}"`
  ].filter((attribute) => attribute !== "").join(" ")
  return `<recv ${attributes}>${action === "" ? "" : `<action>${action}</action>`}</recv>`
}

/** Waits some milliseconds. */
export const pause = (millis: number): Step => `<pause milliseconds="${millis}"/>`

/** Performs sipp actions, such as an `exec`. */
export const act = (action: string): Step => `<nop><action>${action}</action></nop>`

const send = (
  lines: ReadonlyArray<string>,
  { body, type = "application/sdp" }: { readonly body: ReadonlyArray<string>; readonly type?: string | undefined },
  attributes: string
): Step => {
  const content = body.length === 0
    ? ["Content-Length: 0", ""]
    : [`Content-Type: ${type}`, "Content-Length: [len]", "", ...body]
  return `<send ${attributes}><![CDATA[\n\n${
    [...lines.filter((line) => line !== ""), ...content].join("\n")
  }\n\n]]></send>`
}

/** Session description of sipp's own media port, or of another one, with keys as events. */
export const sdp = (
  { codecs = "0 101", direction = "sendrecv", keys = 101, port = "[media_port]", version = 1 }: {
    readonly codecs?: string
    readonly direction?: string
    /** Payload type of keys. */
    readonly keys?: number
    readonly port?: number | string
    readonly version?: number
  } = {}
): ReadonlyArray<string> => [
  "v=0",
  `o=sipp 53655765 ${version} IN IP[local_ip_type] [local_ip]`,
  "s=-",
  "c=IN IP[media_ip_type] [media_ip]",
  "t=0 0",
  `m=audio ${port} RTP/AVP ${codecs}`,
  "a=rtpmap:0 PCMU/8000",
  "a=rtpmap:8 PCMA/8000",
  "a=rtpmap:9 G722/8000",
  `a=rtpmap:${keys} telephone-event/8000`,
  `a=fmtp:${keys} 0-15`,
  `a=${direction}`
]

interface Content {
  readonly headers?: ReadonlyArray<string>
  readonly body?: ReadonlyArray<string>
  /** Content-Type of the body; `application/sdp` by default. */
  readonly type?: string
}

/** Sends a response to the last request. One that repeats is sent again, after 500 ms at first, until a request comes. */
export const respond = (
  status: number,
  { body = [], headers = [], repeats = false, tag = true, type }:
    & Content
    & { readonly repeats?: boolean; readonly tag?: boolean } = {}
): Step =>
  send(
    [
      `SIP/2.0 ${status} Reason`,
      "[last_Via:]",
      "[last_Record-Route:]",
      "[last_From:]",
      tag ? "[last_To:];tag=[pid]T[call_number]" : "[last_To:]",
      "[last_Call-ID:]",
      "[last_CSeq:]",
      "Contact: <sip:sipp@[local_ip]:[local_port];transport=[transport]>",
      ...headers
    ],
    { body, type },
    repeats ? `retrans="500"` : ""
  )

/** Sends a request of a caller: outside of a dialog, or inside with the tag of the other side. */
export const request = (
  method: string,
  {
    body = [],
    cseq = 1,
    headers = [],
    inDialog = true,
    to = "[service]",
    uri,
    repeatsVia = false,
    type
  }:
    & Content
    & {
      readonly cseq?: number
      readonly inDialog?: boolean
      readonly to?: string
      readonly uri?: string
      /** Repeats the Via of the last response, as ACK and CANCEL do. */
      readonly repeatsVia?: boolean
    } = {}
): Step =>
  send(
    [
      `${method} ${
        uri ?? (inDialog && method !== "CANCEL" ? "[next_url]" : `sip:${to}@[remote_ip]:[remote_port]`)
      } SIP/2.0`,
      repeatsVia ? "[last_Via:]" : "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]",
      inDialog && method !== "CANCEL" ? "[routes]" : "",
      "From: <sip:+919876543210@[local_ip]:[local_port]>;tag=[pid]F[call_number]",
      `To: <sip:${to}@[remote_ip]:[remote_port]>${inDialog && method !== "CANCEL" ? "[peer_tag_param]" : ""}`,
      "Call-ID: [call_id]",
      `CSeq: ${cseq} ${method}`,
      "Contact: <sip:sipp@[local_ip]:[local_port];transport=[transport]>",
      "Max-Forwards: 70",
      ...headers
    ],
    { body, type },
    method !== "ACK" ? `retrans="500"` : ""
  )

/** Sends a request of a callee within the dialog of the call that it received. */
export const requestOfCallee = (
  method: string,
  { body = [], cseq = 1, headers = [], type }: Content & { readonly cseq?: number } = {}
): Step =>
  send(
    [
      `${method} [next_url] SIP/2.0`,
      "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]",
      "[routes]",
      "From: [$to]",
      "To: [$from]",
      "Call-ID: [call_id]",
      `CSeq: ${cseq} ${method}`,
      "Contact: <sip:sipp@[local_ip]:[local_port];transport=[transport]>",
      "Max-Forwards: 70",
      ...headers
    ],
    { body, type },
    method === "ACK" ? "" : `retrans="500"`
  )

/** Receives the call of a callee, and remembers both sides for its own requests. */
export const receiveCall = (options: Parameters<typeof receive>[1] = {}): Step =>
  receive("INVITE", {
    ...options,
    action: [
      `<ereg regexp=".*" search_in="hdr" header="From:" assign_to="from"/>`,
      `<ereg regexp=".*" search_in="hdr" header="To:" assign_to="to_start"/>`,
      `<ereg regexp=".*" search_in="hdr" header="Via:" assign_to="via"/>`,
      `<ereg regexp=".*" search_in="hdr" header="CSeq:" assign_to="cseq"/>`,
      `<assignstr assign_to="to" value="[$to_start];tag=[pid]T[call_number]"/>`,
      options.action ?? ""
    ].join("")
  })

/** Sends a response to the INVITE of `receiveCall`, when another request came after it. */
export const respondToInvite = (status: number, body: ReadonlyArray<string> = []): Step =>
  send(
    [
      `SIP/2.0 ${status} Reason`,
      "Via: [$via]",
      "From: [$from]",
      "To: [$to]",
      "Call-ID: [call_id]",
      "CSeq: [$cseq]",
      "Contact: <sip:sipp@[local_ip]:[local_port];transport=[transport]>"
    ],
    { body },
    ""
  )

/** Fails the scenario unless the body of a received message matches. */
export const bodyHas = (pattern: string): string =>
  `<ereg regexp="${pattern}" search_in="body" check_it="true" assign_to="checked"/>`

/** Fails the scenario unless a header of a received message matches. */
export const headerHas = (header: string, pattern: string): string =>
  `<ereg regexp="${pattern}" search_in="hdr" header="${header}" check_it="true" assign_to="checked"/>`

/** Header with which sipp answers the challenge of the last response. */
export const authenticate = (user: string, password: string): string =>
  `[authentication username=${user} password=${password}]`

/** Text of a scenario. */
export const scenario = (steps: ReadonlyArray<Step>): string =>
  [
    `<?xml version="1.0" encoding="ISO-8859-1" ?>`,
    `<scenario name="test">`,
    ...steps,
    ...["from", "to_start", "to", "via", "cseq", "checked"]
      .filter((name) => steps.some((step) => step.includes(`assign_to="${name}"`)))
      .map((name) => `<Reference variables="${name}"/>`),
    `</scenario>`
  ].join("\n")
