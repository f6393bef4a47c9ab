import { BlockList, isIPv6 } from "node:net"

const familyOf = (ip: string) => isIPv6(ip) ? "ipv6" : "ipv4"

/** One list per family: in a list with IPv6 ranges, Node treats an IPv4 address as its mapped form. */
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

/** BlockList of Node as a second opinion on an address; it lists every IPv4 address inside IPv6. */
export const isListed = (ip: string): boolean => lists[familyOf(ip)].check(ip, familyOf(ip))
