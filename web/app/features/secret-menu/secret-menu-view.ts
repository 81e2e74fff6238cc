import type { Experiment } from '@clearframe/contract';
import type { SubmissionResult } from '@conform-to/dom';
import type { FormEvent } from 'react';
import type { ProblemView } from '../../http/browser-client';

export const SECRET_MENU_ADDRESS = '/secret-menu';
/** Responds to scripts with a `SecretMenuView`. */
export const SECRET_MENU_STATE = `${SECRET_MENU_ADDRESS}/state`;

/** Value of a select: out of the experiment. */
export const NO_SEGMENT = 'none';
const SEGMENT_FIELD = 'segment-';

export const segmentField = (experimentId: string): string => `${SEGMENT_FIELD}${experimentId}`;

/** Null for another field. */
export const experimentOf = (field: string): string | null =>
  field.startsWith(SEGMENT_FIELD) ? field.slice(SEGMENT_FIELD.length) : null;

export interface OpenSecretMenu {
  readonly isOpen: true;
  /** State of the current user; null while there is none. */
  readonly account: { readonly isFree: boolean; readonly isSubscribed: boolean } | null;
  readonly experiments: readonly Experiment[];
  readonly isChanged: boolean;
  readonly problem: ProblemView | null;
}

export interface ClosedSecretMenu {
  readonly isOpen: false;
  readonly problem: ProblemView | null;
  /** Errors of the password's form, without the password. */
  readonly result: SubmissionResult | null;
}

export type SecretMenuView = OpenSecretMenu | ClosedSecretMenu;

export interface FormProps {
  readonly action: string;
  readonly isSending: boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}
