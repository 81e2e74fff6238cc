import type { ProblemView } from '../../../http/problem';
import { sendForm } from '../view/account-requests';
import type { CreatedKeyView } from '../view/plugin-keys';
import { KEYS_ADDRESS } from './key-address';

interface CreatedResponse {
  readonly created: CreatedKeyView;
  /** Identifies the next form. */
  readonly requestId: string;
}

export function sendCreateKey(form: FormData): Promise<CreatedResponse | ProblemView> {
  form.set('change', 'create');
  return sendForm(KEYS_ADDRESS, form);
}

/** @returns the problem, or null when the key is revoked */
export async function sendRevokeKey(form: FormData): Promise<ProblemView | null> {
  form.set('change', 'revoke');
  const response = await sendForm(KEYS_ADDRESS, form);
  return 'code' in response ? (response as ProblemView) : null;
}
