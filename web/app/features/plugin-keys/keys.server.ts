import { type CreatedPluginKey, PLUGIN_KEYS_MAX, pluginKeyRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { z } from 'zod';
import { ApiError, type Caller, callApi, retryWhileInProgress } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { preserveVersionParam } from '../../http/internal-address';
import { allowBackCache, asApiError, problemResponse, problemViewOf, throwPageFor } from '../../http/problem.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import type { FlashName } from '../../session/account-flashes';
import { accountAddress, accountSectionAt } from '../../session/account-tabs';
import { setFlash } from '../../session/flash.server';
import { throwRefusal } from '../../session/me.server';
import { asMember, asVisitor } from '../../session/visitor.server';
import { keyIdIn } from './key-address';
import { createdKeyOf, newRequestId, shownPrefix } from './plugin-keys.server';

const createKeyForm = z.object({
  /** Makes a form that is sent twice create one key. */
  requestId: z.uuid(),
});

const revokeKeyForm = z.object({ keyId: z.uuid() });

/** Forms of scripts, which get JSON instead of a page. */
const keyForm = z.discriminatedUnion('change', [
  createKeyForm.extend({ change: z.literal('create') }),
  revokeKeyForm.extend({ change: z.literal('revoke') }),
]);

const NO_STORE = { 'cache-control': 'no-store' };
const TAB = accountAddress('pluginKey');

/**
 * Creates a key for the form without JavaScript. The key is in this answer only. A reload sends the same form, which
 * gets the same answer instead of another key.
 */
export async function createKeyOnPage({ request, params, context }: ActionFunctionArgs) {
  if (accountSectionAt(params['*'] ?? '') !== 'pluginKey') throwPageFor('request.not_found', context);
  const { requestId } = await readForm(request, context, createKeyForm);
  const headers = new Headers(NO_STORE);
  try {
    const created = await asMember(request, context, (token) => createKey(requestId, { request, context, token }));
    return data({ created: createdKeyOf(created, await languageOf(request)), problem: null }, { headers });
  } catch (error) {
    if (error instanceof Response) throw error;
    const problem = asApiError(error, context);
    // The plan has ended: the tab is gone.
    if (problem.status === 403) return throwRefusal(problem, { request, context, headers });
    const view = problemViewOf(problem);
    return data({ created: null, problem: view }, { status: problem.status, headers: allowBackCache(headers) });
  }
}

/** Creates or revokes a key for scripts: `{created, requestId}`, `{}` or `{problem}`. */
export async function changeKeys({ request, context }: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(request, context, keyForm);
  const headers = new Headers(NO_STORE);
  try {
    const { result } = await asVisitor({ request, context, headers }, async (token) => {
      if (form.change === 'create') return createKey(form.requestId, { request, context, token });
      return revokeKey(form.keyId, { request, context, token });
    });
    if (!result) return Response.json({}, { headers });
    const created = createdKeyOf(result, await languageOf(request));
    return Response.json({ created, requestId: newRequestId() }, { headers });
  } catch (error) {
    return problemResponse(asApiError(error, context), headers);
  }
}

/** Completes also when the visitor leaves. */
const createKey = (requestId: string, caller: Caller): Promise<CreatedPluginKey> =>
  retryWhileInProgress(() =>
    callApi(pluginKeyRoutes.createPluginKey, {}, { ...caller, isDetached: true, idempotencyKey: requestId }),
  );

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
  const headers = new Headers(NO_STORE);
  const { search, searchParams } = new URL(request.url);
  const key = await findKey(keyIdIn(searchParams), { request, context }).catch((error: unknown) => {
    if (error instanceof Response) throw error;
    request.signal.throwIfAborted();
    return throwRefusal(asApiError(error, context), { request, context, headers });
  });
  if (!key) throw redirect(preserveVersionParam(TAB, search), { status: 303, headers });
  const t = await translatorFor(request, 'account');
  return data({ id: key.id, prefix: shownPrefix(key.prefix), title: t('pluginKey.revoke.title') }, { headers });
}

async function findKey(keyId: string | null, { request, context }: Pick<LoaderFunctionArgs, 'request' | 'context'>) {
  const input = { query: { limit: PLUGIN_KEYS_MAX } };
  const { data: keys } = await asMember(request, context, (token) =>
    callApi(pluginKeyRoutes.listPluginKeys, input, { request, context, token }),
  );
  return keys.find(({ id }) => id === keyId);
}

export async function revokeKeyOnPage({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { keyId } = await readForm(request, context, revokeKeyForm);
  const headers = new Headers(NO_STORE);
  try {
    await asMember(request, context, (token) => revokeKey(keyId, { request, context, token }));
  } catch (error) {
    if (error instanceof Response) throw error;
    return throwRefusal(asApiError(error, context), { request, context, headers });
  }
  await setFlash('keyRevoked' satisfies FlashName, headers, context);
  return redirect(preserveVersionParam(TAB, new URL(request.url).search), { status: 303, headers });
}

/** A reload of the scripts' address, or the return from a login that interrupted a form. */
export const redirectToTab = ({ request }: LoaderFunctionArgs): Response =>
  redirect(preserveVersionParam(TAB, new URL(request.url).search), 303);
