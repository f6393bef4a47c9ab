import { Context, Effect } from "effect"
import { BusinessTime } from "../time/BusinessTime.js"

/** Bytes to encrypt. */
export interface Plaintext {
  /** 12 bytes that this key has never been used with. */
  readonly iv: Uint8Array
  /** Bytes that are protected, but not encrypted. */
  readonly additionalData: Uint8Array
  readonly content: Uint8Array
}

/** Encrypts bytes with one key. Returns the ciphertext and its tag of 16 bytes, in parts that follow each other. */
export type Encrypt = (plaintext: Plaintext) => Effect.Effect<ReadonlyArray<Uint8Array>>

const isPlain = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> => bytes.buffer instanceof ArrayBuffer

/** Bytes as WebCrypto takes them: the same ones, unless they lie in shared memory. */
export const unsharedBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  isPlain(bytes) ? bytes : new Uint8Array(bytes)

const name = "AES-GCM"

const webCrypto = (key: Uint8Array): Effect.Effect<Encrypt> =>
  BusinessTime.hold(Effect.promise(() => crypto.subtle.importKey("raw", new Uint8Array(key), name, false, ["encrypt"])))
    .pipe(
      Effect.map((importedKey) => ({ additionalData, content, iv }) =>
        BusinessTime.hold(Effect.promise(async () => {
          const rules = { name, iv: unsharedBytes(iv), additionalData: unsharedBytes(additionalData) }
          return [new Uint8Array(await crypto.subtle.encrypt(rules, importedKey, unsharedBytes(content)))]
        }))
      )
    )

/**
 * Makes the encryption by AES-256-GCM (NIST SP 800-38D) with a key of 32 bytes. By default that of WebCrypto, which copies what it
 * encrypts for another thread; `@trunkline/entropy-node` has one with half of its CPU time.
 */
export class AesGcm extends Context.Reference<AesGcm>()("@trunkline/kernel/AesGcm", {
  defaultValue: () => webCrypto
}) {}
