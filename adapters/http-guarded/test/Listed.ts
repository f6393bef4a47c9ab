import { BlockList, isIPv6 } from "node:net"

const familyOf = (ip: string) => isIPv6(ip) ? "ipv6" : "ipv4"

/** One list for each family: Node takes an IPv4 address for its mapped one where a list has ranges of IPv6. */
const lists = { ipv4: new BlockList(), ipv6: new BlockList() }

const ranges = [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24",
  "192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
  "::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20"
].flatMap((line) => line.split(" "))

for (const range of ranges) {
  const [net = "", bits] = range.split("/")
  lists[familyOf(net)].addSubnet(net, Number(bits), familyOf(net))
}

/** Node's own list of ranges, as a second opinion on an address; IPv4 inside IPv6 is listed whatever it is. */
export const isListed = (ip: string): boolean => lists[familyOf(ip)].check(ip, familyOf(ip))
