import { header, headers, parseCSeq, parseMessage, parseNameAddr, parseVia, writeMessage } from "@trunkline/sip"
import { Either } from "effect"
import * as npm from "sip"
import { report } from "./report.js"

const messages = 4_000
const rounds = 15

/** An INVITE as a trunk sends it through a proxy. */
const invite = Buffer.from([
  "INVITE sip:+912261234567@192.0.2.10:5060;transport=udp SIP/2.0",
  "Record-Route: <sip:198.51.100.5;lr;ftag=as58f4201b>",
  "Via: SIP/2.0/UDP 198.51.100.5:5060;branch=z9hG4bK7d1f.9a4d65f6.0;rport",
  "Via: SIP/2.0/UDP 203.0.113.9:5060;received=203.0.113.9;branch=z9hG4bK04b6d9c2;rport=5060",
  "Max-Forwards: 69",
  "From: \"Asha Rao\" <sip:+919876543210@203.0.113.9>;tag=as58f4201b",
  "To: <sip:+912261234567@198.51.100.5>",
  "Contact: <sip:+919876543210@203.0.113.9:5060>",
  "Call-ID: 3848276298220188511@203.0.113.9",
  "CSeq: 102 INVITE",
  "User-Agent: A trunk 1.2",
  "Date: Sat, 13 Nov 2010 23:29:00 GMT",
  "Allow: INVITE, ACK, CANCEL, OPTIONS, BYE, REFER, SUBSCRIBE, NOTIFY, INFO, PUBLISH",
  "Supported: replaces, timer",
  "Session-Expires: 1800;refresher=uac",
  "Content-Type: application/sdp",
  "Content-Length: 229",
  "",
  "v=0",
  "o=root 1821 1821 IN IP4 203.0.113.9",
  "s=A trunk",
  "c=IN IP4 203.0.113.9",
  "t=0 0",
  "m=audio 11424 RTP/AVP 0 8 101",
  "a=rtpmap:0 PCMU/8000",
  "a=rtpmap:8 PCMA/8000",
  "a=rtpmap:101 telephone-event/8000",
  "a=fmtp:101 0-16",
  "a=ptime:20",
  "a=sendrecv",
  ""
].join("\r\n"))

/** Parses a message, and what npm `sip` always parses of its header fields. */
const parseWithFields = (bytes: Uint8Array): number => {
  const message = Either.getOrThrow(parseMessage(bytes))
  const fields = [
    ...headers(message, "via").map(parseVia),
    ...["from", "to"].map((name) => parseNameAddr(header(message, name) ?? "")),
    ...["contact", "record-route"].flatMap((name) => headers(message, name).map(parseNameAddr)),
    parseCSeq(header(message, "cseq") ?? "")
  ]
  return fields.filter(({ _tag }) => _tag === "Right").length
}

/** CPU µs a message of this codec and of the npm package `sip`, taking turns. */
export const measureCodec = async (): Promise<void> => {
  const parsed = Either.getOrThrow(parseMessage(invite))
  const foreign = npm.parse(invite.toString("latin1"))
  if (foreign === undefined) throw new Error("npm sip cannot parse the INVITE")
  const ways = {
    "parse": () => parseWithFields(invite),
    "parse without reading fields": () => Either.getOrThrow(parseMessage(invite)).headers.length,
    "npm sip, parse": () => npm.parse(invite.toString("latin1"))?.headers.via.length ?? 0,
    "write": () => writeMessage(parsed).length,
    "npm sip, write": () => Buffer.from(npm.stringify(foreign), "latin1").length
  }
  const micros = new Map<string, Array<number>>()
  for (let round = 0; round < rounds; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const before = process.cpuUsage()
      let sum = 0
      for (let index = 0; index < messages; index++) sum += way()
      const { system, user } = process.cpuUsage(before)
      if (sum === 0) throw new Error("Nothing was read or written")
      if (round >= 3) micros.set(name, [...micros.get(name) ?? [], (system + user) / messages])
    }
  }
  const medians = [...micros].map(([name, spent]): readonly [string, number] => {
    const sorted = spent.toSorted((a, b) => a - b)
    return [name, sorted[Math.floor(sorted.length / 2)] ?? Number.NaN]
  })
  for (const [name, spent] of medians) console.log(`  ${name}: ${spent.toFixed(1)} µs a message`)
  const [parse = 0, bare = 0, npmParse = 0, write = 0, npmWrite = 0] = medians.map(([, spent]) => spent)
  report({
    path: `parse an INVITE of ${invite.length} bytes, CPU µs`,
    ours: `${parse.toFixed(1)}; ${bare.toFixed(1)} without reading fields`,
    peer: `npm sip ${npmParse.toFixed(1)}`,
    ratio: `${(parse / npmParse).toFixed(2)} times npm sip`,
    goal: ""
  })
  report({
    path: `write an INVITE of ${invite.length} bytes, CPU µs`,
    ours: write.toFixed(1),
    peer: `npm sip ${npmWrite.toFixed(1)}`,
    ratio: `${(write / npmWrite).toFixed(2)} times npm sip`,
    goal: ""
  })
}
