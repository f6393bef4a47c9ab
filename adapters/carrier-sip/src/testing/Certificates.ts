import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder, toolPath } from "./PeerProcess.js"

/** PEM files of a certificate and its key. */
export interface CertificateFiles {
  readonly cert_file: string
  readonly key_file: string
}

/** An authority of tests. */
export interface Authority {
  readonly ca_file: string
  /** Makes a certificate for names and addresses, such as `DNS:trunk.example` and `IP:127.0.0.1`. */
  readonly issue: (name: string, ...alternatives: ReadonlyArray<string>) => CertificateFiles
}

/** Makes an authority with openssl, in a folder that is removed with the scope. */
export const makeAuthority: Effect.Effect<Authority, never, Scope.Scope> = Effect.map(temporaryFolder, (folder) => {
  const openssl = (...args: ReadonlyArray<string>) =>
    execFileSync(toolPath("openssl") ?? "openssl", args, { cwd: folder, stdio: "pipe" })
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
  openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Test authority")
  const issue: Authority["issue"] = (name, ...alternatives) => {
    openssl("req", ...key, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`)
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${alternatives.join(",")}\n`)
    openssl(
      "x509",
      "-req",
      "-in",
      `${name}.csr`,
      "-CA",
      "ca.pem",
      "-CAkey",
      "ca.key",
      "-CAcreateserial",
      "-out",
      `${name}.pem`,
      "-days",
      "2",
      "-extfile",
      `${name}.ext`
    )
    return { cert_file: join(folder, `${name}.pem`), key_file: join(folder, `${name}.key`) }
  }
  return { ca_file: join(folder, "ca.pem"), issue }
})

/** The certificate and its key in one file, as baresip reads them. */
export const combinedFile = ({ cert_file, key_file }: CertificateFiles): string => {
  const path = `${cert_file}.combined`
  writeFileSync(path, readFileSync(key_file, "utf8") + readFileSync(cert_file, "utf8"))
  return path
}

/** Texts of the files, as a line reads them. */
export const textsOf = ({ ca_file }: Authority, { cert_file, key_file }: CertificateFiles) => ({
  ca: readFileSync(ca_file, "utf8"),
  certificate: { cert: readFileSync(cert_file, "utf8"), key: readFileSync(key_file, "utf8"), passphrase: undefined }
})
