import { dateFormat, type SubscriptionProvider, subscriptionRoutes } from '@clearframe/contract';
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirectDocument,
} from '@remix-run/node';
import { ApiError, callApi } from '../../http/api.server';
import { browserAddress } from '../../http/api-addresses.server';
import { readFields } from '../../http/form.server';
import { asApiError, problemViewOf } from '../../http/problem.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { trackOperation } from '../telemetry/operations.server';
import type { MailPurpose, MailStep } from './by-mail';
import { parseMailForm } from './mail-form';

/** Tried in order: a code does not name the provider. */
const PROVIDERS: readonly SubscriptionProvider[] = ['stripe', 'paypal'];

export const loadByMail =
  (purpose: MailPurpose) =>
  async ({ request }: LoaderFunctionArgs) => {
    const t = await translatorFor(request, 'account');
    return { title: t(`byMail.${purpose}.title`) };
  };

/** Works without a login: access to the mailbox authorizes. */
export const submitByMail =
  (purpose: MailPurpose) =>
  async ({ request, context }: ActionFunctionArgs) => {
    const fields = await readFields(request, context);
    const kind = fields.has('code') ? 'code' : 'email';
    const submission = parseMailForm(fields, kind);
    if (submission.status !== 'success') {
      return step({ kind, email: emailIn(submission), problem: null, result: submission.reply() }, 422);
    }
    const { email, code } = submission.value;
    const caller = { request, context };
    try {
      if (code === undefined) {
        await callApi(subscriptionRoutes.mailSubscriptionCode, { body: { email, purpose } }, caller);
        return step({ kind: 'code', email, problem: null, result: null });
      }
      if (purpose === 'portal') return await openPortal(code, caller);
      const until = await trackOperation({ kind: 'cancel', details: { what: 'subscription' } }, caller, () =>
        cancelWith(code, caller),
      );
      return step({ kind: 'done', until });
    } catch (error) {
      const refusal = asApiError(error, { request, context });
      const isWrongCode = refusal.code === 'billing.code_invalid' && kind === 'code';
      const result = submission.reply(isWrongCode ? { fieldErrors: { code: [refusal.code] } } : {});
      return step({ kind, email, problem: isWrongCode ? null : problemViewOf(refusal), result }, refusal.status);
    }
  };

const emailIn = ({ payload }: ReturnType<typeof parseMailForm>): string =>
  typeof payload.email === 'string' ? payload.email : '';

const step = (next: MailStep, status = 200) => data({ step: next }, { status });

interface RequestCaller {
  readonly request: Request;
  readonly context: AppLoadContext;
}

async function openPortal(code: string, caller: RequestCaller): Promise<never> {
  const { portalSessionUrl } = await callApi(
    subscriptionRoutes.createPortalSession,
    { body: { cancellationCode: code } },
    caller,
  );
  throw redirectDocument(browserAddress(portalSessionUrl, caller.context.settings), 303);
}

async function cancelWith(code: string, caller: RequestCaller): Promise<string | null> {
  for (const provider of PROVIDERS) {
    try {
      const { cancellationDate } = await callApi(
        subscriptionRoutes.cancelByEmail,
        { params: { provider }, body: { cancellationCode: code } },
        caller,
      );
      const format = dateFormat(await languageOf(caller.request));
      return cancellationDate && format(new Date(cancellationDate));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'billing.code_invalid')) throw error;
    }
  }
  throw ApiError.of('billing.code_invalid', caller.context.requestId);
}
