import type { SubmissionResult } from '@conform-to/dom';
import type { ProblemView } from '../../../http/problem';

/** What a mailed code is for. */
export type MailPurpose = 'cancel' | 'portal';

/** A step that asks for the address, or for the code that was sent there. */
export interface OpenMailStep {
  readonly kind: 'email' | 'code';
  readonly email: string;
  /** Why the API refused, unless `result` says so beside a field; null otherwise. */
  readonly problem: ProblemView | null;
  /** The action's answer to an invalid form. */
  readonly result: SubmissionResult | null;
}

/** How far a visitor without login has come. */
export type MailStep =
  | OpenMailStep
  /** Cancelled; `until` is the formatted day until which access stays. */
  | { readonly kind: 'done'; readonly until: string | null };

export const FIRST_STEP: MailStep = { kind: 'email', email: '', problem: null, result: null };
