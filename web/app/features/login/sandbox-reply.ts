import type { LoginProvider } from '@clearframe/contract';

export type SandboxReply =
  | { readonly kind: 'token'; readonly idToken: string; readonly email: string }
  | {
      readonly kind: 'failure';
      readonly code: string;
      readonly email: string | null;
      readonly providers: readonly LoginProvider[];
      /** Failure to simulate on linking; empty for none. */
      readonly link: string;
    };

/** The opener closes the popup on the reply, unless it was reloaded and no longer listens. */
const CLOSE_AFTER_MS = 1_000;

export function replyToOpener(reply: SandboxReply): void {
  const opener: Window | null = window.opener;
  opener?.postMessage(reply, window.location.origin);
  setTimeout(() => window.close(), CLOSE_AFTER_MS);
}

export const isSandboxReply = (data: unknown): data is SandboxReply =>
  typeof data === 'object' && data !== null && 'kind' in data && (data.kind === 'token' || data.kind === 'failure');
