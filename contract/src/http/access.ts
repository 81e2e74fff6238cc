import { z } from 'zod';

/** Request header with an API key, which may also be sent as a bearer token. A key takes precedence over a session token. */
export const API_KEY_HEADER = 'x-api-key';
/** Request header with the id of the client's device; required with a key that is bound to one. */
export const DEVICE_ID_HEADER = 'x-device-id';

/**
 * Scopes of an API key. `media:read`: list and read pictures and videos, and download their files. `media:write`: upload,
 * process, share and delete them. `videos`: the routes of videos, which use the weekly allowance. None covers payments,
 * consents, keys or staff functions. Every key may read its owner's profile and its usage.
 */
export const KEY_SCOPES = ['media:read', 'media:write', 'videos'] as const;
export const KeyScope = z.enum(KEY_SCOPES);
export type KeyScope = z.infer<typeof KeyScope>;

/** What a key needs on a route: a scope, or none in particular. */
export type RequiredScope = KeyScope | 'any';

/**
 * Who may call a route:
 * - `public`: everyone; credentials are not read
 * - `anyone`: everyone; the handler receives the caller of a valid session token
 * - `session`: guests and members, by session token
 * - `account`: members, by session token
 * - `{ sessionOrKey }`: as `session`, or an API key with that scope (`any`: with whatever scopes)
 * - `{ key }`: an API key with that scope, and no session token; `anyDevice`: whatever device the key is bound to
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
  | { readonly sessionOrKey: RequiredScope }
  | { readonly key: RequiredScope; readonly anyDevice?: true };

/** Credentials that an {@link Allow} requires. */
export interface AccessRequirement {
  /** `account`: a session of a user who has logged in. `rejected`: an API key is required. */
  readonly session: 'ignored' | 'optional' | 'required' | 'account' | 'rejected';
  /** Scope with which an API key replaces the session; null: API keys are rejected. */
  readonly keyScope: RequiredScope | null;
  /** Accepts a key without the device it is bound to. */
  readonly anyDevice: boolean;
  readonly staffPassword: boolean;
}

const NO_KEY = { keyScope: null, anyDevice: false } as const;
const REQUIREMENTS: Readonly<Record<Extract<Allow, string>, AccessRequirement>> = {
  public: { ...NO_KEY, session: 'ignored', staffPassword: false },
  anyone: { ...NO_KEY, session: 'optional', staffPassword: false },
  session: { ...NO_KEY, session: 'required', staffPassword: false },
  account: { ...NO_KEY, session: 'account', staffPassword: false },
  staff: { ...NO_KEY, session: 'optional', staffPassword: true },
  staff_session: { ...NO_KEY, session: 'required', staffPassword: true },
};

/** Credentials that a route requires. */
export function accessTo({ allow }: { readonly allow: Allow }): AccessRequirement {
  if (typeof allow === 'string') return REQUIREMENTS[allow];
  if ('sessionOrKey' in allow) return { ...REQUIREMENTS.session, keyScope: allow.sessionOrKey };
  const { key: keyScope, anyDevice = false } = allow;
  return { session: 'rejected', keyScope, anyDevice, staffPassword: false };
}

/** Whether a route rejects requests without a session token or API key (`users.not_authorized`). */
export function requiresCaller(route: { readonly allow: Allow }): boolean {
  const { session } = accessTo(route);
  return session !== 'ignored' && session !== 'optional';
}
