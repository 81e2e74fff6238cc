import {
  PLUGIN_KEYS_MAX,
  pluginKeyRoutes,
  TEST_PICTURES_PER_DAY,
  USAGE_DAYS,
  USAGE_ROWS_MAX,
  type UsageRow,
  usageRoutes,
} from '@clearframe/contract';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { ApiError, type Caller, callApi } from '../../http/api.server';
import { orNull } from '../../http/problem.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { asMember } from '../../session/visitor.server';
import { usageQueryIn } from './usage-range';
import { usageViewOf } from './usage-view.server';

export async function loadUsage({ request, context }: LoaderFunctionArgs) {
  const query = usageQueryIn(new URL(request.url).searchParams, USAGE_DAYS);
  const today = new Date().toISOString().slice(0, 10);
  const [data, language, t] = await Promise.all([
    asMember(request, context, (token) => readUsage(query, today, { request, context, token })),
    languageOf(request),
    translatorFor(request, 'usage'),
  ]);
  return {
    title: t('title'),
    query,
    today,
    language,
    /** To choose from. */
    keys: (data.keys ?? []).map(({ id, name, prefix }) => ({ id, label: name ?? prefix })),
    testPicturesPerDay: TEST_PICTURES_PER_DAY,
    /** Whether keys can be read. */
    isAvailable: data.keys !== null,
    usage: usageViewOf(data, query, language),
  };
}

async function readUsage(
  { from, to, keyId }: ReturnType<typeof usageQueryIn>,
  today: string,
  caller: Caller & { readonly request: Request },
) {
  const [rows, month, keys] = await Promise.all([
    readRows({ from, to, ...(keyId && { keyId }) }, caller),
    readRows({ from: `${today.slice(0, 8)}01`, to: today }, caller),
    orNull(callApi(pluginKeyRoutes.listPluginKeys, { query: { limit: PLUGIN_KEYS_MAX } }, caller), caller),
  ]);
  return { rows, month, keys: keys?.data ?? null };
}

/** All pages. An unknown key, of an address that was typed, has no usage. */
async function readRows(
  range: { readonly from: string; readonly to: string; readonly keyId?: string },
  caller: Caller,
): Promise<UsageRow[]> {
  const rows: UsageRow[] = [];
  try {
    for (let hasMore = true; hasMore; ) {
      const last = rows.at(-1);
      const startingAfter = last && (`${last.day}:${last.keyId}` as const);
      const query = { ...range, limit: USAGE_ROWS_MAX, startingAfter };
      const page = await callApi(usageRoutes.listUsage, { query }, caller);
      rows.push(...page.data);
      ({ hasMore } = page);
    }
    return rows;
  } catch (error) {
    const isUnknown = error instanceof ApiError && ['plugin_keys.not_found', 'request.invalid'].includes(error.code);
    if (isUnknown && range.keyId !== undefined) return [];
    throw error;
  }
}
