/**
 * What a visitor is shown for each login error, by Firebase's codes, which the sandbox uses as well (spec 1,
 * section 8).
 *
 * `nothing`: cancelled by the visitor. `linking`, `linkingFailed`, `notSupported`: a modal. `message`: the message of
 * that name beside the buttons.
 */
type Shown =
  | { readonly shows: 'nothing' | 'linking' | 'linkingFailed' | 'notSupported' | 'redirect' }
  | { readonly shows: 'message'; readonly message: FailureMessage };

const MESSAGES = ['network', 'tooOften', 'disabled', 'linking', 'provider', 'script', 'other'] as const;
export type FailureMessage = (typeof MESSAGES)[number];

const message = (name: FailureMessage): Shown => ({ shows: 'message', message: name });

export const IDENTITY_FAILURES = {
  'auth/popup-closed-by-user': { shows: 'nothing' },
  'auth/cancelled-popup-request': { shows: 'nothing' },
  'auth/user-cancelled': { shows: 'nothing' },
  'auth/redirect-cancelled-by-user': { shows: 'nothing' },
  /** The browser opens no window: the provider's page takes the place of ours instead. */
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
  /** Linking was asked for without the facts it needs (spec 1, section 5). */
  'auth/linking-error': message('linking'),
  /** 'Provider not found' (spec 1, section 5). */
  'auth/provider-not-found': message('provider'),
  'auth/operation-not-allowed': message('provider'),
  'auth/invalid-credential': message('other'),
  'auth/internal-error': message('other'),
} as const satisfies Record<string, Shown>;

export type FailureCode = keyof typeof IDENTITY_FAILURES;

/** What is shown for a code; the general message for unknown ones. */
export const shownFor = (code: string): Shown =>
  isFailureCode(code) ? IDENTITY_FAILURES[code] : IDENTITY_FAILURES['auth/internal-error'];

const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(IDENTITY_FAILURES, code);

/** For what comes back in an address. */
export const isFailureMessage = (text: unknown): text is FailureMessage => MESSAGES.some((name) => name === text);
