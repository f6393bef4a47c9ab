/** The parser of the npm package `sip`, with what the tests and the bench use of it. */
declare module "sip" {
  export interface ForeignAddress {
    readonly name?: string
    readonly uri: string
    readonly params: Readonly<Record<string, string | null>>
  }
  export interface ForeignMessage {
    readonly method?: string
    readonly uri?: string
    readonly status?: number
    readonly headers: {
      readonly "call-id": string
      readonly "from": ForeignAddress
      readonly "to": ForeignAddress
      readonly "contact"?: ReadonlyArray<ForeignAddress>
      readonly "cseq": { readonly seq: number; readonly method: string }
      readonly "via": ReadonlyArray<{
        readonly protocol: string
        readonly host: string
        readonly port?: number
        readonly params: Readonly<Record<string, string | null>>
      }>
    }
    readonly content: string
  }
  export const parse: (text: string) => ForeignMessage | undefined
  export const stringify: (message: ForeignMessage) => string
  export const parseUri: (text: string) => {
    readonly schema: string
    readonly user?: string
    readonly password?: string
    readonly host: string
    /** Not a number when there is none. */
    readonly port: number
    readonly params: Readonly<Record<string, string | null>>
  } | undefined
}
