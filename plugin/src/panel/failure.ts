import { ClearframeError } from '@clearframe/client/errors.ts';
import type { Translate } from '../core/texts.ts';
import { HostError } from '../host/modal.ts';

/** Whether the user ended it, here or in Photoshop's progress bar. */
export const isCancel = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.message === 'User Cancelled');

/** What happened and what to do, in the user's language. */
export function messageOf(error: unknown, t: Translate): string {
  if (isCancel(error)) return t('panel.run.canceled');
  if (error instanceof HostError) return t(`panel.errors.${error.reason}`);
  if (!(error instanceof ClearframeError)) return t('panel.errors.unknown', { code: String(error) });
  if (error.code === 'connection.failed') return t('panel.errors.offline');
  if (error.code === 'users.not_authorized') return t('panel.errors.key');
  const key = `errors.${error.code}`;
  const message = t(key);
  return message === key ? t('panel.errors.unknown', { code: error.code }) : message;
}
