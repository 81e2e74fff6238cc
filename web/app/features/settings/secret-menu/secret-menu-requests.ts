import type { ProblemView } from '../../../http/problem';
import { SECRET_MENU_STATE, type SecretMenuView } from './secret-menu-view';

const TIMEOUT_MS = 15_000;

const UNREACHABLE: ProblemView = { code: 'service.unavailable', requestId: '' };

export const fetchSecretMenu = (): Promise<SecretMenuView | ProblemView> => request({});

export function sendSecretMenuForm(form: FormData): Promise<SecretMenuView | ProblemView> {
  const body = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') body.append(name, value);
  return request({ method: 'POST', body });
}

async function request(init: RequestInit): Promise<SecretMenuView | ProblemView> {
  try {
    const response = await fetch(SECRET_MENU_STATE, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok ? await response.json() : UNREACHABLE;
  } catch {
    return UNREACHABLE;
  }
}
