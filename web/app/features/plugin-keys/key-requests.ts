import { type Answer, type ProblemView, send } from '../../http/browser-client';
import { KEYS_ADDRESS } from './key-address';
import type { CreatedKeyView } from './plugin-keys';

interface CreatedResponse {
  readonly created: CreatedKeyView;
  /** Identifies the next form. */
  readonly requestId: string;
}

export function sendCreateKey(form: FormData): Promise<Answer<CreatedResponse>> {
  form.set('change', 'create');
  return send(KEYS_ADDRESS, form);
}

/** @returns the problem, or null when the key is revoked */
export async function sendRevokeKey(form: FormData): Promise<ProblemView | null> {
  form.set('change', 'revoke');
  return (await send(KEYS_ADDRESS, form)).problem;
}
