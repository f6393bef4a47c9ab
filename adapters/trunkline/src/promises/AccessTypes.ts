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

/** Permissions of a key; everything of the account, by default, except beta routes. */
export interface KeyRights extends OfAccount {
  readonly label?: string
  readonly workspaces?: "*" | ReadonlyArray<string>
  /** `beta` gives access to chat v2 and responses. */
  readonly features?: ReadonlyArray<"beta">
  readonly models?: ReadonlyArray<string> | null
  /** Limit of spending within the credits of the account; none by default. */
  readonly budget?: { readonly micro_credits: number; readonly period: "day" | "month" | "total" } | null
}

/** Permissions of a new key, whose text is made up. */
export interface KeyOptions extends KeyRights {
  /** Part of the key's text, such as `live` (the default) or `test`. */
  readonly env?: string
}

/** A key that you have chosen, and its permissions. */
export interface ChosenKey extends KeyRights {
  /**
   * Text of the key, `sk_<env>_<id>_<secret>`, such as `sk_live_desk_` and 40 random characters: from the environment, say.
   * The id is no secret, and has no `_`.
   */
  readonly key: string | undefined
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
    /**
     * Creates or replaces a workspace of an account. Without `max_concurrent_calls`, from 1 to 100,000, it has that of `callLimits`,
     * by default the channels of its lines.
     */
    putWorkspace(
      workspace: {
        readonly org_id: string
        readonly workspace_id: string
        readonly account_id: string
        readonly max_concurrent_calls?: number
      }
    ): Promise<void>
    /** Lists all accounts with their workspaces. */
    list(): Promise<
      ReadonlyArray<{ readonly account_id: string; readonly plan: Plan; readonly workspaces: ReadonlyArray<string> }>
    >
  }
  readonly keys: {
    /** Creates a key. `key` is its text, which is not available later. */
    create(options?: KeyOptions): Promise<ApiKeyRecord & { readonly key: string }>
    /**
     * Makes sure that there is this key, with these permissions: call it at every start, and in every process. A key of the
     * account with the same id gets the permissions and the secret. Rejects with `RuleViolation` when that key was revoked,
     * or belongs to another account.
     */
    ensureKey(key: ChosenKey): Promise<ApiKeyRecord & { readonly key: string }>
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
