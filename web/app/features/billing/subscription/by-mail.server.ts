import { type SubscriptionProvider, subscriptionRoutes } from '@clearframe/contract';
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirectDocument,
} from '@remix-run/node';
import { browserAddress } from '../../../http/addresses.server';
import { ApiError, callApi } from '../../../http/api.server';
import { asApiError, problemViewOf } from '../../../http/problem.server';
import { readSmallForm } from '../../../http/small-form.server';
import { languageOf, translatorFor } from '../../../i18n/i18n.server';
import type { MailPurpose, MailStep } from './mail-step';

const HEADERS = { 'cache-control': 'no-store' };
/** Longest address, and longest code, that is passed on. */
const LONGEST = 254;
/** A code says nothing of where its subscription is paid. */
const PROVIDERS: readonly SubscriptionProvider[] = ['stripe', 'paypal'];

export const loadByMail =
  (purpose: MailPurpose) =>
  async ({ request }: LoaderFunctionArgs) => {
    const t = await translatorFor(request, 'account');
    return data({ title: t(`byMail.${purpose}.title`) }, { headers: HEADERS });
  };

/** Needs nobody to be logged in: whoever has the mailbox may cancel, or open the portal. */
export const answerByMail =
  (purpose: MailPurpose) =>
  async ({ request, context }: ActionFunctionArgs) => {
    const fields = await readSmallForm(request, context);
    const email = (fields.get('email') ?? '').trim().slice(0, LONGEST);
    const code = (fields.get('code') ?? '').trim().slice(0, LONGEST);
    const calling = { request, context };
    try {
      if (!fields.has('code')) {
        await callApi(subscriptionRoutes.mailSubscriptionCode, { body: { email, purpose } }, calling);
        return step({ kind: 'code', email, problem: null });
      }
      if (code === '') throw ApiError.of('billing.code_invalid', context.requestId);
      if (purpose === 'portal') return await openPortal(code, calling);
      return step({ kind: 'done', until: await cancelWith(code, calling) });
    } catch (error) {
      if (error instanceof Response) throw error;
      request.signal.throwIfAborted();
      const refusal = asApiError(error, context);
      const problem = problemViewOf(refusal);
      const refused: MailStep = fields.has('code')
        ? { kind: 'code', email, problem }
        : { kind: 'email', email, problem };
      return step(refused, refusal.status);
    }
  };

const step = (next: MailStep, status = 200) => data({ step: next }, { status, headers: HEADERS });

interface Calling {
  readonly request: Request;
  readonly context: AppLoadContext;
}

async function openPortal(code: string, calling: Calling): Promise<never> {
  const { portalSessionUrl } = await callApi(
    subscriptionRoutes.migratePortal,
    { body: { cancellationCode: code } },
    calling,
  );
  throw redirectDocument(browserAddress(portalSessionUrl, calling.context.settings), { status: 303, headers: HEADERS });
}

/** @returns the written day until which everything stays, or null for none */
async function cancelWith(code: string, calling: Calling): Promise<string | null> {
  for (const provider of PROVIDERS) {
    try {
      const { cancellationDate } = await callApi(
        subscriptionRoutes.cancelByEmail,
        { params: { provider }, body: { cancellationCode: code } },
        calling,
      );
      const date = new Intl.DateTimeFormat(await languageOf(calling.request), { dateStyle: 'long', timeZone: 'UTC' });
      return cancellationDate && date.format(new Date(cancellationDate));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'billing.code_invalid')) throw error;
    }
  }
  throw ApiError.of('billing.code_invalid', calling.context.requestId);
}
