/** Request header with an API key. Ignored with a bearer token. */
export const API_KEY_HEADER = 'x-api-key';

/**
 * Scopes of an API key (decisions, section 5). `media`: upload, process, read and delete pictures and videos.
 * `profile`: read the owner's profile. None covers payments, consents or staff functions.
 */
export const KEY_SCOPES = ['media', 'profile'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/**
 * Who may call a route:
 * - `public`: everyone; credentials are not read
 * - `anyone`: everyone; the handler receives the caller of a valid session token
 * - `session`: guests and members, by session token
 * - `account`: members, by session token
 * - `{ sessionOrKey }`: as `session`, or an API key with that scope
 * - `staff`: everyone with the staff password; the handler receives the caller of a valid session token
 * - `staff_session`: guests and members, by session token and staff password
 */
export type Allow =
  | 'public'
  | 'anyone'
  | 'session'
  | 'account'
  | 'staff'
  | 'staff_session'
  | { readonly sessionOrKey: KeyScope };

/** Credentials that an {@link Allow} requires. */
export interface AccessRequirement {
  /** `account`: a session of a user who has logged in. */
  readonly session: 'ignored' | 'optional' | 'required' | 'account';
  /** Scope with which an API key replaces the session; null: API keys are rejected. */
  readonly keyScope: KeyScope | null;
  readonly staffPassword: boolean;
}

const REQUIREMENTS: Readonly<Record<Extract<Allow, string>, AccessRequirement>> = {
  public: { session: 'ignored', keyScope: null, staffPassword: false },
  anyone: { session: 'optional', keyScope: null, staffPassword: false },
  session: { session: 'required', keyScope: null, staffPassword: false },
  account: { session: 'account', keyScope: null, staffPassword: false },
  staff: { session: 'optional', keyScope: null, staffPassword: true },
  staff_session: { session: 'required', keyScope: null, staffPassword: true },
};

/** Credentials that a route requires. */
export const accessTo = ({ allow }: { readonly allow: Allow }): AccessRequirement =>
  typeof allow === 'string' ? REQUIREMENTS[allow] : { ...REQUIREMENTS.session, keyScope: allow.sessionOrKey };

/** Whether a route rejects requests without a session token or API key (`users.not_authorized`). */
export function requiresCaller(route: { readonly allow: Allow }): boolean {
  const { session } = accessTo(route);
  return session === 'required' || session === 'account';
}
