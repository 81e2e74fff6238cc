import type { ProblemView } from '../../../http/problem';

/** What a mailed code is for. */
export type MailPurpose = 'cancel' | 'portal';

/** How far somebody is who can't or won't log in. */
export type MailStep =
  | { readonly kind: 'email'; readonly email: string; readonly problem: ProblemView | null }
  | { readonly kind: 'code'; readonly email: string; readonly problem: ProblemView | null }
  /** Cancelled; `until` is the written day until which everything stays. */
  | { readonly kind: 'done'; readonly until: string | null };

export const FIRST_STEP: MailStep = { kind: 'email', email: '', problem: null };
