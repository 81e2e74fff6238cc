import type { SubmissionResult } from '@conform-to/dom';
import type { ProblemView } from '../../../http/problem';

export type MailPurpose = 'cancel' | 'portal';

/** A step that asks for the address or the code. */
export interface OpenMailStep {
  readonly kind: 'email' | 'code';
  readonly email: string;
  /** Error of the API, unless `result` has it at a field. */
  readonly problem: ProblemView | null;
  /** The action's result for an invalid form. */
  readonly result: SubmissionResult | null;
}

export type MailStep =
  | OpenMailStep
  /** `until`: formatted end of access. */
  | { readonly kind: 'done'; readonly until: string | null };

export const FIRST_STEP: MailStep = { kind: 'email', email: '', problem: null, result: null };
