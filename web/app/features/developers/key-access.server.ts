import type { User } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { orNull } from '../../http/problem.server';
import { fetchMe } from '../../session/me.server';
import { tabsOf } from '../account/account-view.server';
import { settingsOf } from '../settings/settings.server';

/** How the visitor gets a key. */
export type KeyAccess = 'create' | 'login' | 'off';

export async function loadKeyAccess(request: Request, context: AppLoadContext): Promise<KeyAccess> {
  // The guide is readable without the backend.
  const [user, { psPlugin }] = await Promise.all([
    orNull(fetchMe({ request, context }), { request, context }),
    settingsOf(request, context),
  ]);
  return keyAccessOf(user, psPlugin);
}

export function keyAccessOf(user: User | null, psPlugin: boolean): KeyAccess {
  if (!psPlugin) return 'off';
  return tabsOf(user, { psPlugin }).includes('pluginKey') ? 'create' : 'login';
}
