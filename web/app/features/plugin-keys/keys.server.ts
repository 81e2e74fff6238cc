import {
  type CreatedPluginKey,
  CreatePluginKey,
  KEY_KINDS,
  KEY_LIMITS_MAX,
  KEY_SCOPES,
  KeyScope,
  PLUGIN_KEYS_MAX,
  pluginKeyRoutes,
} from '@clearframe/contract';
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { seeOther } from '../../http/answer.server';
import { ApiError, type Caller, callApi, retryWhileInProgress } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { asApiError, problemViewOf, throwPageFor } from '../../http/problem.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import type { FlashName } from '../../session/account-flashes';
import { accountAddress, accountSectionAt } from '../../session/account-tabs';
import { setFlash } from '../../session/flash.server';
import { asMember, asVisitor, type Exchange } from '../../session/visitor.server';
import { keyIdIn } from './key-address';
import { createdKeyOf, newRequestId, shownPrefix } from './plugin-keys.server';

const createKeyForm = z.object({
  kind: z.enum(KEY_KINDS).default('live'),
  name: CreatePluginKey.shape.name,
  /** The last day (UTC). */
  expiresAt: z.iso.date().optional(),
  perMinute: z.int().min(1).max(KEY_LIMITS_MAX.perMinute).optional(),
  perMonth: z.int().min(1).max(KEY_LIMITS_MAX.perMonth).optional(),
  scopes: z.array(KeyScope).optional(),
  /** Makes a form that is sent twice create one key. */
  requestId: z.uuid(),
});

type CreateKeyForm = z.infer<typeof createKeyForm>;

const revokeKeyForm = z.object({ keyId: z.uuid() });

/** Forms of scripts, which get JSON instead of a page. */
const keyForm = z.discriminatedUnion('change', [
  createKeyForm.extend({ change: z.literal('create') }),
  revokeKeyForm.extend({ change: z.literal('revoke') }),
]);

const TAB = accountAddress('pluginKey');

/**
 * Creates a key for the form without JavaScript. The key is in this answer only. A reload sends the same form, which
 * gets the same answer instead of another key.
 */
export async function createKeyOnPage({ request, params, context }: ActionFunctionArgs) {
  if (accountSectionAt(params['*'] ?? '') !== 'pluginKey') throwPageFor('request.not_found', context);
  const form = await readForm(request, context, createKeyForm);
  try {
    const created = await asMember(request, context, (token) => createKey(form, { request, context, token }));
    const answer = { created: createdKeyOf(created, await languageOf(request)), problem: null };
    return data(answer, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    const problem = asApiError(error, { request, context });
    // The plan has ended: the tab is gone.
    if (problem.status === 403) throw problem;
    return data({ created: null, problem: problemViewOf(problem) }, problem.status);
  }
}

/** Creates or revokes a key for scripts: `{created, requestId}`, `{}` or `{problem}`. */
export async function changeKeys({ request, context }: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(request, context, keyForm);
  const { result } = await asVisitor({ request, context }, async (token) => {
    if (form.change === 'create') return createKey(form, { request, context, token });
    return revokeKey(form.keyId, { request, context, token });
  });
  if (!result) return Response.json({});
  const created = createdKeyOf(result, await languageOf(request));
  return Response.json({ created, requestId: newRequestId() });
}

/** Completes also when the visitor leaves. */
function createKey({ requestId, kind, ...form }: CreateKeyForm, caller: Caller): Promise<CreatedPluginKey> {
  const { name, expiresAt, perMinute = null, perMonth = null, scopes = [] } = form;
  const isAll = scopes.length === 0 || scopes.length === KEY_SCOPES.length;
  const body = {
    isTest: kind === 'test',
    name,
    expiresAt: expiresAt === undefined ? null : `${expiresAt}T23:59:59Z`,
    limits: { perMinute, perMonth },
    // Everything that the kind of key may do.
    scopes: isAll ? undefined : scopes,
  };
  return retryWhileInProgress(() =>
    callApi(pluginKeyRoutes.createPluginKey, { body }, { ...caller, isDetached: true, idempotencyKey: requestId }),
  );
}

/** A key that is gone already counts as revoked. */
async function revokeKey(keyId: string, caller: Caller): Promise<null> {
  const input = { params: { keyId } };
  await callApi(pluginKeyRoutes.deletePluginKey, input, { ...caller, isDetached: true }).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'plugin_keys.not_found')) throw error;
  });
  return null;
}

/** The page that asks for confirmation. Redirects to the tab when the key is gone. */
export async function loadRevoke({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const key = await findKey(keyIdIn(searchParams), { request, context });
  if (!key) throw seeOther(TAB, request);
  const t = await translatorFor(request, 'account');
  return { id: key.id, prefix: shownPrefix(key.prefix), title: t('pluginKey.revoke.title') };
}

async function findKey(keyId: string | null, { request, context }: Exchange) {
  const input = { query: { limit: PLUGIN_KEYS_MAX } };
  const { data: keys } = await asMember(request, context, (token) =>
    callApi(pluginKeyRoutes.listPluginKeys, input, { request, context, token }),
  );
  return keys.find(({ id }) => id === keyId);
}

export async function revokeKeyOnPage({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { keyId } = await readForm(request, context, revokeKeyForm);
  await asMember(request, context, (token) => revokeKey(keyId, { request, context, token }));
  await setFlash('keyRevoked' satisfies FlashName, context);
  return seeOther(TAB, request);
}

/** A reload of the scripts' address, or the return from a login that interrupted a form. */
export const redirectToTab = ({ request }: LoaderFunctionArgs): Response => seeOther(TAB, request);
