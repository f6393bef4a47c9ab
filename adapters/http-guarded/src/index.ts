export { isPublicAddress } from "./AddressRules.js"
export { DownloadFailed, type DownloadRequest } from "./Download.js"
export { type HostAddress, type HostLookup } from "./GuardedConnector.js"
export { FileDownloadGuarded, GuardedHttp, type GuardOptions, HttpSenderGuarded } from "./GuardedHttp.js"
