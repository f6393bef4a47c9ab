import { Either } from "effect"
import { readFileSync } from "node:fs"
import { createSecureContext } from "node:tls"
import { errorCode } from "./UdpSocket.js"

/** Files of a line for TLS, in PEM. */
export interface TlsFiles {
  readonly ca_file?: string
  readonly cert_file?: string
  readonly key_file?: string
}

/** Texts of the files. */
export interface TlsTexts {
  readonly ca: string | undefined
  readonly certificate:
    | { readonly cert: string; readonly key: string; readonly passphrase: string | undefined }
    | undefined
}

const fileText = (name: string, path: string): Either.Either<string, string> =>
  Either.try({
    try: () => readFileSync(path, "utf8"),
    catch: (error) => `options.tls.${name}: The file cannot be read: ${errorCode(error)}`
  })

/** Checks texts as they will be used; the fault has a code of OpenSSL and no part of a file. */
const checkTexts = (texts: TlsTexts): Either.Either<TlsTexts, string> =>
  Either.try({
    try: () => {
      const { ca, certificate } = texts
      createSecureContext({
        ...(ca !== undefined && { ca }),
        ...(certificate !== undefined && { cert: certificate.cert, key: certificate.key }),
        ...(certificate?.passphrase !== undefined && { passphrase: certificate.passphrase })
      })
      return texts
    },
    catch: (error) =>
      `options.tls: The files are not a PEM certificate with its key${
        texts.ca === undefined ? "" : " and authorities"
      }: ${errorCode(error)}`
  })

/** Reads the files of a line for TLS; fails with the first problem, without contents. */
export const readTlsFiles = (
  { ca_file, cert_file, key_file }: TlsFiles,
  passphrase: string | undefined
): Either.Either<TlsTexts, string> =>
  Either.gen(function*() {
    const ca = ca_file === undefined ? undefined : yield* fileText("ca_file", ca_file)
    if (cert_file === undefined || key_file === undefined) return yield* checkTexts({ ca, certificate: undefined })
    const cert = yield* fileText("cert_file", cert_file)
    const key = yield* fileText("key_file", key_file)
    return yield* checkTexts({ ca, certificate: { cert, key, passphrase } })
  })
