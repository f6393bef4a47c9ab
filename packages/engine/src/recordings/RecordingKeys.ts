import { RecordingLocked } from "@trunkline/analytics"
import { AesGcm, BusinessTime, concatBytes, type Encrypt, hmacSha256, sha256, unsharedBytes } from "@trunkline/kernel"
import { Entropy } from "@trunkline/rate-limits"
import { Context, Effect, Encoding, Layer, Redacted } from "effect"

/** First bytes of a sealed piece; the last one is the version of the form. */
const mark = new TextEncoder().encode("TRP1")
const keyIdBytes = 4
const ivBytes = 12
const tagBytes = 16

/** Bytes before the encrypted ones: mark, id of the key, rate in hertz, whether there is sound, size of the content. */
const headBytes = 16

/** Bytes that a sealed piece has in addition to its content. */
export const sealBytes = headBytes + ivBytes + tagBytes

/** Header of a piece in the clear, protected against changes. */
export interface PieceHead {
  /** Moments a second; 0 for bytes of a file. */
  readonly rate: number
  /** False for a piece that is silence only. */
  readonly hasSound: boolean
}

/** Largest size that a head has room for, in bytes. */
const maxHeadSize = 0xFF_FF_FF

/** Header of a stored piece. */
export interface StoredHead extends PieceHead {
  /** Size of the content in bytes; 0 for 16 MiB and more, and in pieces of earlier versions. */
  readonly size: number
}

/** Seals the pieces of one recording. */
export interface PieceSeal {
  /** Encrypts a piece; its place is protected too, so that pieces cannot be exchanged. */
  readonly seal: (place: number, content: Uint8Array, head: PieceHead) => Effect.Effect<Uint8Array>
  /** The same in parts, which are not copied into one. */
  readonly sealParts: (
    place: number,
    content: Uint8Array,
    head: PieceHead
  ) => Effect.Effect<ReadonlyArray<Uint8Array>>
  /** Decrypts a piece. Fails for another key, another place, another recording, and changed bytes. */
  readonly open: (place: number, sealedBytes: Uint8Array) => Effect.Effect<Uint8Array, RecordingLocked>
}

/** Reads the head of a sealed piece, of which it needs the first 16 bytes. */
export const readHead = (sealedBytes: Uint8Array): StoredHead => {
  const view = new DataView(sealedBytes.buffer, sealedBytes.byteOffset, sealedBytes.byteLength)
  return sealedBytes.length < headBytes
    ? { rate: 0, hasSound: false, size: 0 }
    : { rate: view.getUint32(8), hasSound: view.getUint8(12) === 1, size: view.getUint32(12) & maxHeadSize }
}

/** Bytes that `readHead` needs. */
export const pieceHeadBytes = headBytes

const algorithm = "AES-GCM"
const purpose = "trunkline/recordings/v1/"

/** A server's key with its id, by which a piece names the key that it needs. */
interface NamedKey {
  readonly id: Uint8Array
  /** The id in hexadecimal. */
  readonly name: string
  readonly secret: string
}

type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const namedKey = (redacted: Redacted.Redacted): NamedKey => {
  const secret = Redacted.value(redacted)
  const id = sha256(`${purpose}${secret}`).subarray(0, keyIdBytes)
  return { id, name: Encoding.encodeHex(id), secret }
}

/** Head of a piece that a key seals. */
const headBytesOf = ({ id }: NamedKey, { hasSound, rate, size }: StoredHead): Uint8Array => {
  const head = new Uint8Array(headBytes)
  head.set(mark)
  head.set(id, mark.length)
  const view = new DataView(head.buffer)
  view.setUint32(8, rate)
  view.setUint32(12, size > maxHeadSize ? 0 : size)
  view.setUint8(12, hasSound ? 1 : 0)
  return head
}

/** Bytes that are protected beside the encrypted ones: the head and the place. */
const protectedBytes = (head: Uint8Array, place: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(headBytes + 4)
  bytes.set(head)
  new DataView(bytes.buffer).setUint32(headBytes, place)
  return bytes
}

const noKey = Effect.dieMessage("This process has no key for recordings")

/** Keys that recordings are encrypted with at rest. */
export class RecordingKeys extends Context.Tag("@trunkline/engine/RecordingKeys")<RecordingKeys, {
  /** The seal of a recording by its name. Each recording has a key of its own, which follows from the server's. */
  readonly sealOf: (name: string) => PieceSeal
}>() {
  /** No key, for processes that only remove recordings. */
  static readonly layerNone = Layer.succeed(RecordingKeys, {
    sealOf: () => ({
      seal: () => noKey,
      sealParts: () => noKey,
      open: () => new RecordingLocked({ key_id: "unknown" })
    })
  })
  /**
   * Encrypts by AES-256-GCM (`AesGcm`) with the first key, and decrypts with any of them, by the id that each piece names: put
   * a new key first to change it. Each has at least 32 random bytes in any encoding. A recording whose key is gone is lost.
   */
  static readonly layer = (
    keys: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
  ): Layer.Layer<RecordingKeys, never, Entropy> =>
    Layer.effect(
      RecordingKeys,
      Effect.zipWith(Entropy, AesGcm, (entropy, encryptionOf) => {
        const current = namedKey(keys[0])
        const keyring = [current, ...keys.slice(1).map(namedKey)]

        const bytesOf = ({ secret }: NamedKey, name: string) => hmacSha256(secret, `${purpose}${name}`)

        const keyOf = (key: NamedKey, name: string) =>
          Effect.flatMap(bytesOf(key, name), (bytes) =>
            BusinessTime.hold(
              Effect.promise(() => crypto.subtle.importKey("raw", new Uint8Array(bytes), algorithm, false, ["decrypt"]))
            ))

        return RecordingKeys.of({
          sealOf: (name) => {
            const importedKeys = new Map<string, ImportedKey>()
            const ownKey = (key: NamedKey) =>
              Effect.suspend(() => {
                const importedKey = importedKeys.get(key.name)
                return importedKey !== undefined
                  ? Effect.succeed(importedKey)
                  : Effect.tap(keyOf(key, name), (madeKey) => void importedKeys.set(key.name, madeKey))
              })
            let ownEncrypt: Encrypt | null = null
            const encryption = Effect.suspend(() =>
              ownEncrypt !== null
                ? Effect.succeed(ownEncrypt)
                : Effect.tap(
                  Effect.flatMap(bytesOf(current, name), encryptionOf),
                  (encrypt) => void (ownEncrypt = encrypt)
                )
            )
            const sealParts: PieceSeal["sealParts"] = (place, content, pieceHead) =>
              Effect.flatMap(Effect.zip(entropy.bytes(ivBytes), encryption), ([iv, encrypt]) => {
                const head = headBytesOf(current, { ...pieceHead, size: content.length })
                return Effect.map(
                  encrypt({ iv, additionalData: protectedBytes(head, place), content }),
                  (parts) => [head, iv, ...parts]
                )
              })
            return {
              seal: (place, content, head) => Effect.map(sealParts(place, content, head), concatBytes),
              sealParts,
              open: (place, sealedBytes) =>
                Effect.gen(function*() {
                  const id = Encoding.encodeHex(sealedBytes.subarray(mark.length, mark.length + keyIdBytes))
                  const sealingKey = keyring.find(({ name }) => name === id)
                  const failure = new RecordingLocked({ key_id: id })
                  if (sealingKey === undefined || sealedBytes.length < sealBytes) return yield* failure
                  const key = yield* ownKey(sealingKey)
                  const iv = sealedBytes.slice(headBytes, headBytes + ivBytes)
                  const additionalData = protectedBytes(sealedBytes.subarray(0, headBytes), place)
                  const plaintext = yield* BusinessTime.hold(
                    Effect.tryPromise({
                      try: () =>
                        crypto.subtle.decrypt(
                          { name: algorithm, iv, additionalData },
                          key,
                          unsharedBytes(sealedBytes.subarray(headBytes + ivBytes))
                        ),
                      catch: () => failure
                    })
                  )
                  return new Uint8Array(plaintext)
                })
            }
          }
        })
      })
    )
}
