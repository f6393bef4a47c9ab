import { createSign, generateKeyPairSync } from "node:crypto"

const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  const length = content.length < 128
    ? [content.length]
    : content.length < 256
    ? [0x81, content.length]
    : [0x82, content.length >> 8, content.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...parts: ReadonlyArray<Uint8Array>) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const utcTime = (text: string) => der(0x17, Buffer.from(text))

/** `ecdsa-with-SHA256`, `commonName` and `subjectAltName` (RFC 5758, RFC 5280). */
const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"))
const commonName = oid("550403")
const subjectAltName = oid("551d11")

/** A key with a self-signed certificate for a host name, valid from 2020 to 2049. */
export const selfSigned = (host: string): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(host)))))
  const names = der(0x04, sequence(der(0x82, Buffer.from(host))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(utcTime("200101000000Z"), utcTime("491231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(subjectAltName, names)))
  )
  const signature = createSign("sha256").update(body).sign(privateKey)
  const certificate = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`
  }
}
