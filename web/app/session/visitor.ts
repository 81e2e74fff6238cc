import type { LoginProvider } from '@clearframe/contract';

/** Who is looking at the page, as far as the page's frame has to know. */
export type Visitor =
  | { readonly kind: 'guest' }
  | { readonly kind: 'member'; readonly email: string | null; readonly source: LoginProvider | null };
