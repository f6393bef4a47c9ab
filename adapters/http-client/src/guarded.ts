export { isPublicAddress } from "./guarded/AddressRules.js"
export { DownloadFailed, type DownloadRequest } from "./guarded/Download.js"
export { type HostAddress, type HostLookup } from "./guarded/GuardedConnector.js"
export { FileDownloadGuarded, GuardedHttp, type GuardOptions, HttpSenderGuarded } from "./guarded/GuardedHttp.js"
