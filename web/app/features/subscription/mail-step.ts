import type { SubmissionResult } from '@conform-to/dom';
import type { ProblemView } from '../../http/browser-client';

export type MailPurpose = 'cancel' | 'portal';

export interface OpenMailStep {
  readonly kind: 'email' | 'code';
  readonly email: string;
  readonly problem: ProblemView | null;
  readonly result: SubmissionResult | null;
}

export type MailStep =
  | OpenMailStep
  /** `until`: formatted end of access. */
  | { readonly kind: 'done'; readonly until: string | null };

export const FIRST_STEP: MailStep = { kind: 'email', email: '', problem: null, result: null };
