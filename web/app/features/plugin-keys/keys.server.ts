import {
  type CreatedPluginKey,
  CreatePluginKey,
  KEY_KINDS,
  KEY_LIMITS_MAX,
  KEY_SCOPES,
  KeyScope,
  PLUGIN_KEYS_MAX,
  type PluginKey,
  pluginKeyRoutes,
} from '@clearframe/contract';
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { seeOther } from '../../http/answer.server';
import { ApiError, type Caller, callApi, retryWhileInProgress } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { asApiError, problemViewOf, throwPageFor } from '../../http/problem.server';
import { dateFormatterFor } from '../../i18n/formatted-date';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import type { FlashName } from '../../session/account-flashes';
import { accountAddress, accountSectionAt } from '../../session/account-tabs';
import { setFlash } from '../../session/flash.server';
import { asMember, asVisitor, type Exchange } from '../../session/visitor.server';
import { keyIdIn } from './key-address';
import type { KeyChoice } from './plugin-keys';
import { createdKeyOf, keyViewOf, newRequestId, shownPrefix } from './plugin-keys.server';

const choiceForm = z.object({
  name: CreatePluginKey.shape.name,
  /** The last day (UTC). */
  expiresAt: z.iso.date().optional(),
  perMinute: z.int().min(1).max(KEY_LIMITS_MAX.perMinute).optional(),
  perMonth: z.int().min(1).max(KEY_LIMITS_MAX.perMonth).optional(),
  scopes: z.array(KeyScope).optional(),
});

const createKeyForm = choiceForm.extend({
  kind: z.enum(KEY_KINDS).default('live'),
  /** Makes a form that is sent twice create one key. */
  requestId: z.uuid(),
});

type ChoiceForm = z.infer<typeof choiceForm>;
type CreateKeyForm = z.infer<typeof createKeyForm>;

const editKeyForm = choiceForm.extend({ keyId: z.uuid() });

type EditKeyForm = z.infer<typeof editKeyForm>;

const revokeKeyForm = z.object({ keyId: z.uuid() });

/** Forms of scripts, which get JSON instead of a page. */
const keyForm = z.discriminatedUnion('change', [
  createKeyForm.extend({ change: z.literal('create') }),
  editKeyForm.extend({ change: z.literal('edit') }),
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

/** Creates, changes or revokes a key for scripts: `{created, requestId}`, `{changed}`, `{}` or `{problem}`. */
export async function changeKeys({ request, context }: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(request, context, keyForm);
  const language = await languageOf(request);
  const { result } = await asVisitor({ request, context }, async (token) => {
    const caller = { request, context, token };
    switch (form.change) {
      case 'create':
        return { created: createdKeyOf(await createKey(form, caller), language), requestId: newRequestId() };
      case 'edit':
        return { changed: keyViewOf(await editKey(form, caller), dateFormatterFor(language)) };
      case 'revoke':
        return revokeKey(form.keyId, caller);
    }
  });
  return Response.json(result ?? {});
}

/** Completes also when the visitor leaves. */
function createKey({ requestId, kind, ...form }: CreateKeyForm, caller: Caller): Promise<CreatedPluginKey> {
  const { scopes = [], ...choice } = choiceOf(form);
  const isAll = scopes.length === 0 || scopes.length === KEY_SCOPES.length;
  // Everything that the kind of key may do.
  const body = { isTest: kind === 'test', ...choice, scopes: isAll ? undefined : scopes };
  return retryWhileInProgress(() =>
    callApi(pluginKeyRoutes.createPluginKey, { body }, { ...caller, isDetached: true, idempotencyKey: requestId }),
  );
}

const choiceOf = ({ name, expiresAt, perMinute, perMonth, scopes }: ChoiceForm) => ({
  name,
  expiresAt: expiresAt === undefined ? null : `${expiresAt}T23:59:59Z`,
  limits: { perMinute: perMinute ?? null, perMonth: perMonth ?? null },
  scopes,
});

const editKey = ({ keyId, ...form }: EditKeyForm, caller: Caller): Promise<PluginKey> =>
  callApi(
    pluginKeyRoutes.updatePluginKey,
    { params: { keyId }, body: choiceOf(form) },
    { ...caller, isDetached: true },
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
  const { searchParams } = new URL(request.url);
  const key = await findKey(keyIdIn(searchParams), { request, context });
  if (!key) throw seeOther(TAB, request);
  const t = await translatorFor(request, 'account');
  return { id: key.id, prefix: shownPrefix(key.prefix), title: t('pluginKey.revoke.title') };
}

/** The page of the form. Redirects to the tab when the key is gone. */
export async function loadEdit({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const key = await findKey(keyIdIn(searchParams), { request, context });
  if (!key) throw seeOther(TAB, request);
  const [t, language] = await Promise.all([translatorFor(request, 'account'), languageOf(request)]);
  return { value: keyViewOf(key, dateFormatterFor(language)), title: t('pluginKey.edit.title') };
}

export async function editKeyOnPage({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, context, editKeyForm);
  try {
    await asMember(request, context, (token) => editKey(form, { request, context, token }));
  } catch (error) {
    const problem = asApiError(error, { request, context });
    const { name, scopes = [], expiresAt = null, perMinute = null, perMonth = null } = form;
    const choice: KeyChoice = { name, scopes, lastDay: expiresAt, perMinute, perMonth };
    return data({ problem: problemViewOf(problem), choice }, problem.status);
  }
  await setFlash('keySaved' satisfies FlashName, context);
  return seeOther(TAB, request);
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
