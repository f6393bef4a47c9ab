declare module "s3rver" {
  import type { AddressInfo } from "node:net"
  import type { Readable } from "node:stream"

  interface StoredObject {
    readonly bucket: string
    readonly key: string
    readonly content: Buffer | Readable
    readonly metadata: unknown
  }

  interface ReadObject {
    /** Absent where a range begins beyond the end. */
    content: Readable | null
    range?: { readonly start: number; readonly end: number }
  }

  interface Store {
    getObject: (
      bucket: string,
      key: string,
      options?: { readonly start?: number; readonly end?: number }
    ) => Promise<ReadObject | null>
    getResourcePath: (bucket: string, key: string, resource: "object") => string
    putMetadata: (bucket: string, key: string, metadata: unknown, md5: string) => Promise<void>
    putObject: (object: StoredObject) => Promise<{ readonly size: number; readonly md5: string }>
    deleteObject: (bucket: string, key: string) => Promise<void>
  }

  export default class S3rver {
    constructor(options: {
      readonly port: number
      readonly address: string
      readonly silent: boolean
      readonly directory: string
      readonly configureBuckets: ReadonlyArray<{ readonly name: string }>
    })
    readonly store: Store
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
