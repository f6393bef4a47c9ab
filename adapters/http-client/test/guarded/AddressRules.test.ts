import { assert, describe, it } from "@effect/vitest"
import { isPublicAddress } from "@trunkline/http-client/guarded"
import { propertyRuns } from "@trunkline/kernel/testing"
import { FastCheck } from "effect"
import { isListed } from "./Listed.js"

const closed = [
  "0.0.0.0",
  "0.0.0.1",
  "0.255.255.255",
  "10.0.0.0",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.0",
  "100.100.100.200",
  "100.127.255.255",
  "127.0.0.0",
  "127.0.0.1",
  "127.1.2.3",
  "127.255.255.255",
  "168.63.129.16",
  "169.254.0.0",
  "169.254.169.254",
  "169.254.170.2",
  "169.254.255.255",
  "172.16.0.0",
  "172.16.0.1",
  "172.17.0.1",
  "172.31.255.255",
  "192.0.0.0",
  "192.0.0.8",
  "192.0.0.192",
  "192.0.0.255",
  "192.0.2.0",
  "192.0.2.255",
  "192.88.99.1",
  "192.168.0.0",
  "192.168.1.1",
  "192.168.255.255",
  "198.18.0.0",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.0",
  "198.51.100.7",
  "203.0.113.0",
  "203.0.113.255",
  "224.0.0.0",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.0",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "0:0:0:0:0:0:0:0",
  "0:0:0:0:0:0:0:1",
  "0000:0000:0000:0000:0000:0000:0000:0001",
  "::127.0.0.1",
  "::8.8.8.8",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::FFFF:7F00:0001",
  "0:0:0:0:0:ffff:7f00:1",
  "::ffff:10.0.0.1",
  "::ffff:192.168.1.1",
  "::ffff:169.254.169.254",
  "::ffff:a9fe:a9fe",
  "::ffff:0.0.0.0",
  "::ffff:0:127.0.0.1",
  "::ffff:0:8.8.8.8",
  "64:ff9b::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::10.0.0.1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b::192.168.0.1",
  "64:ff9b:1::",
  "64:ff9b:1::8.8.8.8",
  "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
  "64:ff9b:0:0:1::8.8.8.8",
  "100::",
  "100::1",
  "2001::",
  "2001::1",
  "2001:0:7f00:1::",
  "2001:0:53aa:64c:0:fbff:ad43:e56c",
  "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  "2001:2::1",
  "2001:10::1",
  "2001:20::1",
  "2001:1ff:ffff::1",
  "2001:db8::",
  "2001:db8::1",
  "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
  "2002::",
  "2002:7f00:1::",
  "2002:a00:1::1",
  "2002:a9fe:a9fe::",
  "2002:c0a8:101::1",
  "2002:808:808::1",
  "3fff::",
  "3fff:fff:ffff::1",
  "4000::1",
  "5f00::1",
  "fc00::",
  "fc00::1",
  "fd00::1",
  "fd00:ec2::254",
  "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
  "fe80::",
  "fe80::1",
  "febf::1",
  "fec0::1",
  "feff::1",
  "ff00::",
  "ff02::1",
  "ff0e::1",
  "fe80::1%eth0",
  "2606:4700::1111%eth0",
  "8000::1",
  "e000::1"
]

const open = [
  "1.0.0.1",
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.1",
  "168.63.129.15",
  "168.63.129.17",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "191.255.255.255",
  "192.0.1.1",
  "192.0.3.1",
  "192.88.98.1",
  "192.88.100.1",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "198.51.99.1",
  "198.51.101.1",
  "203.0.112.1",
  "203.0.114.1",
  "223.255.255.255",
  "::ffff:8.8.8.8",
  "::ffff:808:808",
  "::FFFF:1.1.1.1",
  "64:ff9b::8.8.8.8",
  "64:ff9b::808:808",
  "2000::1",
  "2001:200::1",
  "2001:4860:4860::8888",
  "2001:db7:ffff::1",
  "2001:db9::1",
  "2003::1",
  "2400:3200::1",
  "2606:4700:4700::1111",
  "2620:fe::fe",
  "2A00:1450:4001:0:0:0:0:1",
  "3ffe::1",
  "3fff:1000::1"
]

const noAddress = [
  "",
  " ",
  "localhost",
  "example.com",
  "8.8.8",
  "8.8.8.8.8",
  "8.8.8.256",
  "0177.0.0.1",
  "0x7f.0.0.1",
  "2130706433",
  "0x7f000001",
  "127.1",
  "8.8.8.8 ",
  "8.8.8.8:80",
  "[::1]",
  "[2606:4700::1]",
  "::g",
  ":::",
  "1::2::3",
  "12345::"
]

/** Host names that URL parsing turns into an address, with that address. */
const notations: ReadonlyArray<readonly [host: string, address: string]> = [
  ["2130706433", "127.0.0.1"],
  ["0x7f000001", "127.0.0.1"],
  ["017700000001", "127.0.0.1"],
  ["127.1", "127.0.0.1"],
  ["0177.0.0.1", "127.0.0.1"],
  ["0x7f.0.0.1", "127.0.0.1"],
  ["127.0.0.1.", "127.0.0.1"],
  ["0", "0.0.0.0"],
  ["0xA9FEA9FE", "169.254.169.254"],
  ["0251.0376.0251.0376", "169.254.169.254"],
  ["10.1", "10.0.0.1"],
  ["１２７.0.0.1", "127.0.0.1"],
  ["[::ffff:127.0.0.1]", "::ffff:7f00:1"],
  ["[0:0:0:0:0:0:0:1]", "::1"],
  ["%31%32%37.0.0.1", "127.0.0.1"]
]

const octet = FastCheck.integer({ min: 0, max: 255 })

describe("isPublicAddress", () => {
  it.each(closed)("%s is not public", (ip) => assert.isFalse(isPublicAddress(ip)))
  it.each(open)("%s is public", (ip) => assert.isTrue(isPublicAddress(ip)))
  it.each(noAddress)("'%s' is no address, and so not public", (text) => assert.isFalse(isPublicAddress(text)))

  it.each(notations)("the notation %s is seen through", (host, address) => {
    const hostname = new URL(`https://${host}/`).hostname.replace(/^\[(.*)\]$/, "$1")
    assert.strictEqual(hostname, address)
    assert.isFalse(isPublicAddress(hostname))
  })

  it.prop("treats an IPv4 address inside IPv6 like the address alone", [octet, octet, octet, octet], ([a, b, c, d]) => {
    const v4 = `${a}.${b}.${c}.${d}`
    const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
    for (const v6 of [`::ffff:${v4}`, `::ffff:${hex}`, `64:ff9b::${v4}`, `64:ff9b::${hex}`]) {
      assert.strictEqual(isPublicAddress(v6), isPublicAddress(v4), v6)
    }
  })

  it.prop("does not depend on the notation of an address", [
    FastCheck.array(FastCheck.integer({ min: 0, max: 65535 }), { minLength: 8, maxLength: 8 })
  ], ([groups]) => {
    const long = groups.map((group) => group.toString(16).padStart(4, "0")).join(":")
    const short = new URL(`http://[${long}]/`).hostname.slice(1, -1)
    assert.strictEqual(isPublicAddress(long), isPublicAddress(short))
  })

  const edges = FastCheck.constantFrom(
    0,
    1,
    15,
    16,
    31,
    32,
    63,
    64,
    88,
    99,
    100,
    113,
    127,
    128,
    129,
    168,
    169,
    172,
    192
  )
  const often = FastCheck.oneof(octet, edges)

  it.prop("agrees with BlockList of Node on IPv4", [often, often, often, often], (octets) => {
    assert.strictEqual(isPublicAddress(octets.join(".")), !isListed(octets.join(".")), octets.join("."))
  }, { fastCheck: { numRuns: propertyRuns(5_000) } })

  const group = FastCheck.oneof(
    FastCheck.integer({ min: 0, max: 0xffff }),
    FastCheck.constantFrom(0, 1, 0x1ff, 0x200, 0xdb7, 0xdb8, 0xdb9, 0xfff, 0x1000, 0x1fff, 0x2000, 0x2001, 0x2002),
    FastCheck.constantFrom(0x3ffe, 0x3fff, 0x4000, 0xfc00, 0xfe80, 0xff02)
  )
  const groups = FastCheck.array(group, { minLength: 8, maxLength: 8 })

  it.prop("agrees with BlockList of Node on IPv6 without an IPv4 address", [groups], ([parts]) => {
    const ip = parts.map((part) => part.toString(16)).join(":")
    assert.strictEqual(isPublicAddress(ip), !isListed(ip), ip)
  }, { fastCheck: { numRuns: propertyRuns(5_000) } })
})
