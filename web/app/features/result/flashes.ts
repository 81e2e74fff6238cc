import type { ExportState } from '@clearframe/contract';
import type { Flash } from '../../session/flash.server';
import { toastDelayOf } from '../../session/flash-delay';

const MESSAGES = {
  paid: 'paid',
  paidTwice: 'common:errors.payments.duplicate',
  subscribed: 'subscribed',
  firstOfSeveral: 'firstOfSeveral',
} as const;

/** The page says it nowhere else. */
const LASTING: readonly string[] = ['paidTwice', 'firstOfSeveral'] satisfies (keyof typeof MESSAGES)[];

const isMessage = (name: string): name is keyof typeof MESSAGES => Object.hasOwn(MESSAGES, name);

export function flashOf(flash: Flash | null, exportState: ExportState) {
  if (!flash || !isMessage(flash.message)) return null;
  const { id, message } = flash;
  const text = message === 'paid' && exportState === 'preparing' ? 'paidPreparing' : MESSAGES[message];
  return { id, message, text, delayMs: toastDelayOf(message), isLasting: LASTING.includes(message) } as const;
}
