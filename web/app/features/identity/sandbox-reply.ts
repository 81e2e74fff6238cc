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

export const isSandboxReply = (data: unknown): data is SandboxReply =>
  typeof data === 'object' && data !== null && 'kind' in data && (data.kind === 'token' || data.kind === 'failure');
