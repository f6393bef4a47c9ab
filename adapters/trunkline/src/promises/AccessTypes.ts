/** Account of an operation: that of the default workspace, where none is given. */
export interface OfAccount {
  readonly account?: string
}

/** A plan, which sets rate limits. */
export type Plan = "starter" | "pro" | "business"

/** An API key; its text is not kept. */
export interface ApiKeyRecord {
  readonly key_id: string
  readonly account_id: string
  readonly label: string
  /** Accessible workspaces of the account; `*` means all. */
  readonly workspaces: "*" | ReadonlyArray<string>
  readonly features: ReadonlyArray<"beta">
  readonly models: ReadonlyArray<string> | null
  readonly created_at: string
  readonly revoked_at: string | null
}

/** Permissions of a new key; everything of the account, by default, except beta routes. */
export interface KeyOptions extends OfAccount {
  /** Part of the key's text, such as `live` (the default) or `test`. */
  readonly env?: string
  readonly label?: string
  readonly workspaces?: "*" | ReadonlyArray<string>
  /** `beta` gives access to chat v2 and responses. */
  readonly features?: ReadonlyArray<"beta">
  readonly models?: ReadonlyArray<string> | null
}

/** Usage of a day, an API and a key. */
export interface UsageRecord {
  readonly key_id: string | null
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly api: string
  readonly requests: number
  /** Micro-credits, according to the price table. */
  readonly cost: number
  /** Micro-credits that were charged. */
  readonly charged: number
}

/** Accounts, API keys and credits. */
export interface AccessMethods {
  readonly accounts: {
    /** Creates or changes an account. Credits are granted once; null (the default) means unlimited. */
    put(account: { readonly account_id: string; readonly plan?: Plan; readonly credits?: number | null }): Promise<void>
    /** Creates a workspace of an account, or gives it to another one. */
    putWorkspace(
      workspace: { readonly org_id: string; readonly workspace_id: string; readonly account_id: string }
    ): Promise<void>
    /** Lists all accounts with their workspaces. */
    list(): Promise<
      ReadonlyArray<{ readonly account_id: string; readonly plan: Plan; readonly workspaces: ReadonlyArray<string> }>
    >
  }
  readonly keys: {
    /** Creates a key. `key` is its text, which is not available later. */
    create(options?: KeyOptions): Promise<ApiKeyRecord & { readonly key: string }>
    /** Lists all keys of an account, including revoked ones. */
    list(options?: OfAccount): Promise<ReadonlyArray<ApiKeyRecord>>
    /** Revokes a key permanently; it takes effect within five seconds. */
    revoke(keyId: string, options?: OfAccount): Promise<void>
  }
  readonly credits: {
    /** Grants micro-credits, once for each reference; resolves with false when the reference is taken. */
    grant(grant: OfAccount & { readonly micro_credits: number; readonly reference: string }): Promise<boolean>
    /** Balance in micro-credits (null for unlimited), and the part that is reserved for requests in progress. */
    balance(options?: OfAccount): Promise<{ readonly balance: number | null; readonly reserved: number }>
    /** Usage by day, API and key, from one day to another, both included. */
    usage(query: OfAccount & { readonly from: string; readonly to: string }): Promise<ReadonlyArray<UsageRecord>>
  }
}
