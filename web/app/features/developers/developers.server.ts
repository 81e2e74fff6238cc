import { BASE_PATH, ERRORS, type ErrorCode, may, PLUGIN_KEYS_MAX, type User } from '@clearframe/contract';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { orNull } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { fetchMe } from '../../session/me.server';
import { tabsOf } from '../account/account-view.server';
import { settingsOf } from '../settings/settings.server';

/** How the visitor gets a key. `unpaid`: after an open first payment. */
export type KeyAccess = 'create' | 'plan' | 'unpaid' | 'off';

/** What a client has to expect, besides mistakes in its requests. */
const LISTED_ERRORS = [
  'users.not_authorized',
  'plugin_keys.not_in_plan',
  'plugin_keys.not_permitted',
  'plugin_keys.device_mismatch',
  'request.unknown_parameter',
  'uploads.too_large',
  'uploads.too_many_pixels',
  'uploads.unsupported_type',
  'request.rate_limited',
  'queue.full',
] as const satisfies readonly ErrorCode[];

export async function loadDevelopers({ request, context }: LoaderFunctionArgs) {
  // Readable without the backend.
  const user = await orNull(fetchMe({ request, context }), { request, context });
  const [{ psPlugin }, t] = await Promise.all([settingsOf(request, context), translatorFor(request, 'support')]);
  return {
    access: keyAccessOf(user, psPlugin),
    apiUrl: new URL(BASE_PATH, context.settings.publicUrl).href,
    errors: LISTED_ERRORS.map((code) => ({ code, status: ERRORS[code].status })),
    keyLimit: PLUGIN_KEYS_MAX,
    title: t('developers.title'),
    description: t('developers.lead'),
  };
}

export function keyAccessOf(user: User | null, psPlugin: boolean): KeyAccess {
  if (!psPlugin) return 'off';
  if (tabsOf(user, { psPlugin }).includes('pluginKey')) return 'create';
  return user && may(user, 'plugin_key') ? 'unpaid' : 'plan';
}
