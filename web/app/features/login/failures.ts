/**
 * What each login error shows, by Firebase's codes, which the sandbox shares (spec 1, section 8).
 *
 * `nothing`: cancelled by the visitor. `linking`, `linkingFailed`, `notSupported`: a modal. `message`: the message of
 * that name beside the buttons.
 */
type FailureDisplay =
  | { readonly shows: 'nothing' | 'linking' | 'linkingFailed' | 'notSupported' | 'redirect' }
  | { readonly shows: 'message'; readonly message: FailureMessage };

const MESSAGES = ['network', 'tooOften', 'disabled', 'linking', 'provider', 'other'] as const;
export type FailureMessage = (typeof MESSAGES)[number];

const message = (name: FailureMessage): FailureDisplay => ({ shows: 'message', message: name });

export const IDENTITY_FAILURES = {
  'auth/popup-closed-by-user': { shows: 'nothing' },
  'auth/cancelled-popup-request': { shows: 'nothing' },
  'auth/user-cancelled': { shows: 'nothing' },
  'auth/redirect-cancelled-by-user': { shows: 'nothing' },
  /** The popup was blocked: redirect instead. */
  'auth/popup-blocked': { shows: 'redirect' },
  'auth/operation-not-supported-in-this-environment': { shows: 'redirect' },
  'auth/account-exists-with-different-credential': { shows: 'linking' },
  'auth/email-already-in-use': { shows: 'linkingFailed' },
  'auth/credential-already-in-use': { shows: 'linkingFailed' },
  'auth/provider-already-linked': { shows: 'linkingFailed' },
  'auth/web-storage-unsupported': { shows: 'notSupported' },
  'auth/network-request-failed': message('network'),
  'auth/timeout': message('network'),
  'auth/too-many-requests': message('tooOften'),
  'auth/user-disabled': message('disabled'),
  /** Data for linking is missing (spec 1, section 5). */
  'auth/linking-error': message('linking'),
  'auth/provider-not-found': message('provider'),
  'auth/operation-not-allowed': message('provider'),
  'auth/invalid-credential': message('other'),
  'auth/internal-error': message('other'),
} as const satisfies Record<string, FailureDisplay>;

export type FailureCode = keyof typeof IDENTITY_FAILURES;

export const failureDisplayOf = (code: string): FailureDisplay =>
  isFailureCode(code) ? IDENTITY_FAILURES[code] : IDENTITY_FAILURES['auth/internal-error'];

const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(IDENTITY_FAILURES, code);

export const isFailureMessage = (text: unknown): text is FailureMessage => MESSAGES.some((name) => name === text);
