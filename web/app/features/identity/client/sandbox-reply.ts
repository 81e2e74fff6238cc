import type { LoginProvider } from '@clearframe/contract';

/** What the sandbox's window tells the page that opened it. */
export type SandboxReply =
  | { readonly kind: 'token'; readonly idToken: string; readonly email: string }
  | {
      readonly kind: 'failure';
      readonly code: string;
      readonly email: string | null;
      readonly providers: readonly LoginProvider[];
      /** A failure to act out when this is linked; empty for none. */
      readonly link: string;
    };

/**
 * The page that opened the window closes it on the reply, unless it was reloaded meanwhile and no longer listens: after a
 * login in another tab, for instance, a page that polls a guest's task reloads.
 */
const CLOSE_AFTER_MS = 1_000;

/** Sends the reply from the sandbox's window to the page that opened it. A reply sent twice is read once. */
export function tellOpener(reply: SandboxReply): void {
  const opener: Window | null = window.opener;
  opener?.postMessage(reply, window.location.origin);
  setTimeout(() => window.close(), CLOSE_AFTER_MS);
}

export const isSandboxReply = (data: unknown): data is SandboxReply =>
  typeof data === 'object' && data !== null && 'kind' in data && (data.kind === 'token' || data.kind === 'failure');
