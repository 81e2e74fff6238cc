import { ADDRESS_ERRORS, type ErrorCode, type RolledWebhookSecret, webhookRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, data, redirect } from '@remix-run/node';
import { type Caller, callApi, retryWhileInProgress } from '../../http/api.server';
import { readFields } from '../../http/form.server';
import { preserveVersionParam } from '../../http/internal-address';
import { asApiError, problemViewOf, throwPageFor } from '../../http/problem.server';
import { languageOf } from '../../i18n/i18n.server';
import { WEBHOOKS_ADDRESS } from '../../session/account-tabs';
import { setFlash } from '../../session/flash.server';
import { asMember } from '../../session/visitor.server';
import { LOG_ID } from './webhook-addresses';
import { parseWebhookForm, type WebhookForm } from './webhook-form';
import { type Done, findEndpoint } from './webhooks.server';
import { type SecretView, secretViewOf } from './webhooks-view.server';

/**
 * Forms of both pages. A secret is in this answer only; a reload sends the same form, which gets the same answer instead
 * of another secret.
 */
export async function changeWebhooks({ request, context, params: { endpointId } }: ActionFunctionArgs) {
  const submission = parseWebhookForm(await readFields(request, context));
  if (submission.status !== 'success') {
    return data({ secret: null, problem: null, result: submission.reply() }, { status: 422 });
  }
  const form = submission.value;
  let outcome: Done | SecretView;
  try {
    const language = await languageOf(request);
    outcome = await asMember(request, context, (token) =>
      // Completes also when the visitor leaves.
      perform(form, endpointId, { request, context, token, isDetached: true }, language),
    );
  } catch (error) {
    const problem = asApiError(error, { request, context });
    const fieldErrors: Record<string, string[]> = isAboutAddress(problem.code) ? { url: [problem.code] } : {};
    return data(
      { secret: null, problem: problemViewOf(problem), result: submission.reply({ fieldErrors }) },
      { status: problem.status },
    );
  }
  if (typeof outcome !== 'string') {
    return data({ secret: outcome, problem: null, result: null }, { headers: { 'cache-control': 'no-store' } });
  }
  await setFlash(outcome, context);
  const { pathname, search } = new URL(request.url);
  if (outcome === 'deleted') throw redirect(preserveVersionParam(WEBHOOKS_ADDRESS, search), 303);
  const isInLog = outcome === 'tested' || outcome === 'resent';
  throw redirect(`${pathname}${search}${isInLog ? `#${LOG_ID}` : ''}`, 303);
}

const isAboutAddress = (code: ErrorCode): boolean => (ADDRESS_ERRORS as readonly ErrorCode[]).includes(code);

async function perform(
  form: WebhookForm,
  endpointId: string | undefined,
  caller: Caller,
  language: string,
): Promise<Done | SecretView> {
  if (form.change === 'resend') {
    await callApi(webhookRoutes.resendWebhookDelivery, { params: { deliveryId: form.deliveryId } }, caller);
    return 'resent';
  }
  if (endpointId === undefined) return performOnAccount(form, caller, language);

  const params = { endpointId };
  switch (form.change) {
    case 'save': {
      const { isEnabled } = await findEndpoint(endpointId, caller);
      const body = { url: form.url, events: form.events, isEnabled };
      await callApi(webhookRoutes.updateWebhookEndpoint, { params, body }, caller);
      return 'saved';
    }
    case 'turnOn':
    case 'turnOff': {
      const { url, events } = await findEndpoint(endpointId, caller);
      const isEnabled = form.change === 'turnOn';
      await callApi(webhookRoutes.updateWebhookEndpoint, { params, body: { url, events, isEnabled } }, caller);
      return isEnabled ? 'turnedOn' : 'turnedOff';
    }
    case 'roll': {
      const { requestId: idempotencyKey } = form;
      const rolled = await retryWhileInProgress(() =>
        callApi(webhookRoutes.rollWebhookSecret, { params }, { ...caller, idempotencyKey }),
      );
      return secretViewOf(rolled, language);
    }
    case 'test':
      await callApi(webhookRoutes.testWebhookEndpoint, { params }, caller);
      return 'tested';
    case 'delete':
      await callApi(webhookRoutes.deleteWebhookEndpoint, { params }, caller);
      return 'deleted';
  }
}

/** Adds an endpoint or replaces the callback secret. */
async function performOnAccount(form: WebhookForm, caller: Caller, language: string): Promise<SecretView> {
  switch (form.change) {
    case 'save': {
      const { url, events, requestId: idempotencyKey } = form;
      const { secret } = await retryWhileInProgress(() =>
        callApi(webhookRoutes.createWebhookEndpoint, { body: { url, events } }, { ...caller, idempotencyKey }),
      );
      return secretViewOf({ secret, previousSecretExpiresAt: null }, language, url);
    }
    case 'roll': {
      const { requestId: idempotencyKey } = form;
      const rolled: RolledWebhookSecret = await retryWhileInProgress(() =>
        callApi(webhookRoutes.rollCallbackSecret, {}, { ...caller, idempotencyKey }),
      );
      return secretViewOf(rolled, language);
    }
    default:
      return throwPageFor('request.invalid', caller.context);
  }
}
