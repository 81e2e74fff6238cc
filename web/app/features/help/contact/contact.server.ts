import { createHash } from 'node:crypto';
import { SupportSource, supportRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, type AppLoadContext, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { callApi } from '../../../http/api.server';
import { clientOf } from '../../../http/client-of.server';
import { readFields } from '../../../http/form/form.server';
import { preserveVersionParam } from '../../../http/internal-address';
import { allowBackCache, asApiError, problemViewOf } from '../../../http/problem.server';
import { retryWhileInProgress } from '../../../http/retry-in-progress.server';
import { translatorFor } from '../../../i18n/i18n.server';
import { setFlash } from '../../../session/flash/flash.server';
import { tokenOf, visitorOf } from '../../../session/visitor.server';
import { captchaTokenOf } from '../../settings/captcha/captcha.server';

import { type ContactFields, type ContactKind, contactLengths, parseContact } from './contact-form';
import { SENT_FLASH } from './sent-flash';

/** Read by agents, so it's English. */
const CALL_SUBJECT = 'Book a call';

export const loadContact =
  (kind: ContactKind) =>
  async ({ request, context }: LoaderFunctionArgs) => {
    const [support, common, visitor] = await Promise.all([
      translatorFor(request, 'support'),
      translatorFor(request, 'common'),
      visitorOf(request, context),
    ]);
    return data(
      {
        title: kind === 'call' ? support('call.title') : common('contactUs'),
        email: visitor.kind === 'member' ? visitor.email : null,
        callUrl: kind === 'call' ? context.settings.callUrl : null,
        captchaAction: supportRoutes.createTicket.path,
        lengths: contactLengths(kind),
      },
      { headers: { 'cache-control': 'no-store' } },
    );
  };

/** Sends a request and leads home; shows the form with its values when it is refused. */
export const submitContact =
  (kind: ContactKind) =>
  async ({ request, context }: ActionFunctionArgs) => {
    const submission = parseContact(await readFields(request, context), kind);
    if (submission.status !== 'success') {
      return data(
        { problem: null, result: submission.reply() },
        { status: 422, headers: allowBackCache(new Headers()) },
      );
    }
    try {
      await send(submission.value, { request, context });
    } catch (error) {
      request.signal.throwIfAborted();
      const problem = asApiError(error, context);
      return data(
        { problem: problemViewOf(problem), result: submission.reply() },
        { status: problem.status, headers: allowBackCache(new Headers()) },
      );
    }
    const headers = new Headers();
    await setFlash(SENT_FLASH, headers, context);
    return redirect(preserveVersionParam('/', new URL(request.url).search), { status: 303, headers });
  };

interface Exchange {
  readonly request: Request;
  readonly context: AppLoadContext;
}

async function send(fields: ContactFields, { request, context }: Exchange): Promise<void> {
  const body = {
    name: fields.name,
    email: fields.email,
    subject: fields.subject ?? CALL_SUBJECT,
    body: fields.time === undefined ? fields.body : `Preferred time: ${fields.time}\n\n${fields.body}`,
    source: SupportSource.parse(new URL(request.url).searchParams.get('source') ?? ''),
    ...clientOf(request.headers.get('user-agent')),
  };
  const caller = {
    request,
    context,
    token: await tokenOf(request, context),
    captchaToken: captchaTokenOf(fields, request),
    // The same words sent again, as by a double click, are the same request.
    idempotencyKey: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
  };
  await retryWhileInProgress(() => callApi(supportRoutes.createTicket, { body }, caller));
}
