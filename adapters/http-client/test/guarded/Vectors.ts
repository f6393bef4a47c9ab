/** Non-public IPv4 addresses, tested in all notations. AddressRules.test.ts tests the edges of all ranges. */
const closedV4 = [
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.31.255.254",
  "192.0.0.192",
  "192.168.1.1",
  "198.19.0.1",
  "224.0.0.1",
  "255.255.255.255"
]

const octets = (ip: string): ReadonlyArray<number> => ip.split(".").map(Number)

const value = (ip: string): number => octets(ip).reduce((sum, octet) => sum * 256 + octet, 0)

const dotted = (ip: string, write: (octet: number) => string): string => octets(ip).map(write).join(".")

const lastParts = (ip: string, count: number): string => {
  const parts = octets(ip)
  const rest = parts.slice(count).reduce((sum, octet) => sum * 256 + octet, 0)
  return [...parts.slice(0, count), rest].join(".")
}

const words = (ip: string): string => [value(ip) >>> 16, value(ip) & 0xffff].map((word) => word.toString(16)).join(":")

const fullWidth = (text: string): string => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))

const circled = (text: string): string =>
  text.replace(/\d/g, (digit) => digit === "0" ? "⓪" : String.fromCodePoint(0x2460 + Number(digit) - 1))

const percent = (text: string): string => text.replace(/./g, (char) => `%${char.charCodeAt(0).toString(16)}`)

/** Hosts of URLs that URL parsing turns into an IPv4 address. */
export const spellings = (ip: string): ReadonlyArray<string> => [
  ip,
  `${ip}.`,
  String(value(ip)),
  `0x${value(ip).toString(16)}`,
  `0X${value(ip).toString(16).toUpperCase()}`,
  `0${value(ip).toString(8)}`,
  dotted(ip, (octet) => `0x${octet.toString(16)}`),
  dotted(ip, (octet) => `0${octet.toString(8)}`),
  dotted(ip, (octet) => `000${octet.toString(8)}`),
  lastParts(ip, 1),
  lastParts(ip, 2),
  fullWidth(ip),
  circled(ip),
  ip.replaceAll(".", "。"),
  ip.replaceAll(".", "．"),
  percent(ip),
  ip.replaceAll(".", "%2e")
]

/** Hosts of URLs with an IPv4 address inside an IPv6 address, which is as public as the IPv4 address. */
export const carriers = (ip: string): ReadonlyArray<string> => [
  `[::ffff:${ip}]`,
  `[::FFFF:${words(ip)}]`,
  `[0:0:0:0:0:ffff:${words(ip)}]`,
  `[64:ff9b::${ip}]`,
  `[64:FF9B:0:0:0:0:${words(ip)}]`
]

/** Hosts of URLs with an IPv4 address in a form that is always rejected. */
export const tunnels = (ip: string): ReadonlyArray<string> => [
  `[::${ip}]`,
  `[::ffff:0:${ip}]`,
  `[64:ff9b:1::${ip}]`,
  `[64:ff9b:1:ffff::${words(ip)}]`,
  `[2002:${words(ip)}::]`,
  `[2002:${words(ip)}::1]`,
  `[2001:0:${words(ip)}::]`,
  `[2001::${words(ip)}]`,
  `[fe80::5efe:${ip}]`
]

/** Public IPv4 addresses. */
export const publicV4 = ["1.0.0.1", "8.8.8.8", "100.63.255.255", "172.32.0.1", "192.0.1.1", "223.255.255.255"]

/** Hosts with a non-public IPv6 address. */
const closedV6 = [
  "::",
  "::1",
  "0:0:0:0:0:0:0:1",
  "0000:0000:0000:0000:0000:0000:0000:0001",
  "::2",
  "::ffff",
  "100::1",
  "1fff:ffff::1",
  "2001::1",
  "2001:0:53aa:64c:0:fbff:ad43:e56c",
  "2001:2::1",
  "2001:10::1",
  "2001:20::1",
  "2001:1ff:ffff::1",
  "2001:db8::1",
  "2001:DB8:FFFF::1",
  "2002::1",
  "3fff::1",
  "3fff:fff::1",
  "4000::1",
  "5f00::1",
  "8000::1",
  "fc00::1",
  "FC00::1",
  "fd00::1",
  "fd00:ec2::254",
  "fdff::1",
  "fe80::1",
  "FE80::1",
  "febf::1",
  "fec0::1",
  "ff01::1",
  "ff02::1",
  "ff0e::1",
  "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
].map((ip) => `[${ip}]`)

/** Hosts of URLs that have to be rejected for their address, by kind. */
export const closedHosts: ReadonlyArray<readonly [meaning: string, hosts: ReadonlyArray<string>]> = [
  ...closedV4.map((ip) => [ip, [...new Set([...spellings(ip), ...carriers(ip), ...tunnels(ip)])]] as const),
  ...publicV4.map((ip) => [`${ip} in a tunnel`, tunnels(ip)] as const),
  ["IPv6", closedV6],
  ["an odd notation", [
    "0",
    "0x0",
    "0x",
    "00.0.0.0",
    "127.1",
    "127.0.1",
    "10.1",
    "0x7f.1",
    "0177.1",
    "127.0x1",
    "0x7f000001.",
    "127.0.0.1%2e",
    "１２７.1",
    "\t127.0.0.1\n",
    "127.\n0.0.1",
    "127.0.0\u00ad.1",
    "127.0.0\u200b.1"
  ]]
]

/** Strings that are not absolute `https:` URLs. */
export const noUrls: ReadonlyArray<string> = [
  "",
  " ",
  "/secret",
  "//8.8.8.8/secret",
  "8.8.8.8/secret",
  "8.8.8.8:443/secret",
  "https:",
  "https://",
  "https://?secret",
  "https://#secret",
  "https://256.0.0.1/secret",
  "https://1.2.3.4.5/secret",
  "https://4294967296/secret",
  "https://0x100000000/secret",
  "https://08.0.0.1/secret",
  "https://8.8.8.8:99999/secret",
  "https://8.8.8.8:-1/secret",
  "https://8.8.8.8:https/secret",
  "https://[::1/secret",
  "https://::1/secret",
  "https://[::1]x/secret",
  "https://[fe80::1%25eth0]/secret",
  "https://[2606:4700::1111%eth0]/secret",
  "https://[2606:4700::1111%25eth0]/secret",
  "https://[1::2::3]/secret",
  "https://[12345::]/secret",
  "https://[::ffff:127.0.0]/secret",
  "https://[v1.secret]/",
  "https://exa mple.com/secret",
  "https://example.com%00.secret/",
  "https://example.com%2fsecret/",
  "https://example.com%40secret/",
  "https://example.com<secret/",
  "https://xn--a/secret",
  `https://example.com/${"secret".repeat(400)}`,
  "http://8.8.8.8/secret",
  "ftp://8.8.8.8/secret",
  "file:///etc/secret",
  "file://8.8.8.8/secret",
  "gopher://8.8.8.8/secret",
  "dict://8.8.8.8/secret",
  "ldap://8.8.8.8/secret",
  "ws://8.8.8.8/secret",
  "wss://8.8.8.8/secret",
  "unix:/var/run/secret.sock",
  "data:text/csv,secret",
  "javascript:secret",
  "about:secret",
  "blob:https://8.8.8.8/secret",
  "view-source:https://8.8.8.8/secret",
  "httpss://8.8.8.8/secret",
  "https+unix://8.8.8.8/secret"
]

/** URLs of public addresses with forbidden parts. */
export const overlongUrls: ReadonlyArray<string> = [
  "https://me@8.8.8.8/secret",
  "https://me:secret@8.8.8.8/",
  "https://:secret@8.8.8.8/",
  "https://8.8.8.8@1.1.1.1/secret",
  "https://8.8.8.8%20@1.1.1.1/secret",
  "https://me:pw@secret@8.8.8.8/",
  "https:me:secret@8.8.8.8",
  "https:\\\\me:secret@8.8.8.8\\",
  "https://8.8.8.8:0/secret",
  "https://8.8.8.8:1/secret",
  "https://8.8.8.8:22/secret",
  "https://8.8.8.8:25/secret",
  "https://8.8.8.8:80/secret",
  "https://8.8.8.8:23/secret",
  "https://8.8.8.8:989/secret",
  "https://8.8.8.8:990/secret",
  "https://8.8.8.8:1023/secret",
  "https://[2606:4700::1111]:465/secret"
]

/** Resolved addresses for which a name has to be rejected. */
export const closedAnswers: ReadonlyArray<ReadonlyArray<string>> = [
  [],
  ["127.0.0.1"],
  ["::1"],
  ["8.8.8.8", "10.0.0.7"],
  ["10.0.0.7", "8.8.8.8"],
  ["8.8.8.8", "1.1.1.1", "9.9.9.9", "192.168.0.1"],
  ["2606:4700::1111", "fd00::1"],
  ["8.8.8.8", "::ffff:169.254.169.254"],
  ["8.8.8.8", "64:ff9b::a9fe:a9fe"],
  ["8.8.8.8", "2002:808:808::"],
  ["8.8.8.8", "fe80::1%eth0"],
  ["2606:4700::1111%eth0"],
  ["8.8.8.8", ""],
  ["8.8.8.8", "localhost"],
  ["8.8.8.8", "example.com"],
  ["134744072"],
  ["8.8.8.8 "],
  ["[2606:4700::1111]"]
]
