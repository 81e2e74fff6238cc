import { isErrorCode } from '@clearframe/contract';
import type { PaymentProblem } from './order';

/** What `problem` on an address stands for; null for nothing of ours. */
export const problemNamed = (text: string | null): PaymentProblem | null =>
  text !== null && (text === 'canceled' || text === 'incomplete' || isErrorCode(text)) ? text : null;
