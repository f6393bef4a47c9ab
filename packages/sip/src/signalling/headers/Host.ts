/** Host and port as they are written together. */
export interface HostPort {
  /** Host name, IPv4 address, or IPv6 address without brackets. Host names are in lower case. */
  readonly host: string
  /** Null means the default port of the transport. */
  readonly port: number | null
}

/** True for an IPv4 address, or an IPv6 address without brackets. */
export const isIpAddress = (text: string): boolean =>
  text.includes(":")
    ? /^[\da-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]`)
    : /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$/.test(text) && !text.endsWith(".")

/** Labels of a host name may have underscores, which real networks use; a dot may end the name. */
const hostPort = /(?:\[([\da-f:.]{2,45})\]|([a-z\d_](?:[a-z\d_.-]{0,253}[a-z\d_.])?))(?:[ \t]*:[ \t]*(\d{1,5}))?/iy

/** Reads a host with an optional port at an offset, and says where it ends; null if there is none. */
export const readHostPort = (
  text: string,
  from: number
): { readonly value: HostPort; readonly end: number } | null => {
  hostPort.lastIndex = from
  const match = hostPort.exec(text)
  if (match === null) return null
  const [hostText, ipv6, name] = match
  const port = match[3] === undefined ? null : Number(match[3])
  if (port !== null && port > 65_535) return null
  if (ipv6 !== undefined && (!ipv6.includes(":") || !isIpAddress(ipv6))) return null
  return { value: { host: (ipv6 ?? name ?? "").toLowerCase(), port }, end: from + hostText.length }
}

/** Writes a host and its port; an IPv6 address gets its brackets (RFC 3261, section 19.1.1). */
export const writeHostPort = ({ host, port }: HostPort): string => {
  const writtenText = host.includes(":") ? `[${host}]` : host
  return port === null ? writtenText : `${writtenText}:${port}`
}
